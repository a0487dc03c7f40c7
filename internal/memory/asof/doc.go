// Package asof says what of a memory holds at a time, and what held at an earlier
// one. It is pure: it reads no clock and no file.
//
// A memory knows two times. When something is true: valid_from, valid_to and
// expires of an item say so. And when it was recorded: the effective time of the line
// that says it, which is the largest ts so far in its log.
//
// # Laws
//
//   - What lines say counts from the moment at which they were recorded. Asked about
//     a moment, a line that was recorded later does not count, whatever time it is
//     about: At gives what was believed then of that moment.
//   - What was taken back holds at no moment. Forget, erased and undo lines count
//     whenever they were written, so that looking back brings nothing to light
//     that was forgotten.
//   - An item takes the place of others from the moment from which it is valid. One
//     that is not valid yet hides nothing; one that has ended goes on hiding what
//     it replaced, since that had ended before.
//   - Looking at a moment that has not passed yet cuts nothing: every line that is
//     there was recorded before.
//   - The later the moment, the more lines count: none that counted stops counting.
package asof
