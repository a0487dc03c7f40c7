// Package stdin reads standard input without ever hanging on it.
//
// A program cannot see whether anybody will write to its standard input.
// Editors, cron jobs, continuous integration and other programs leave a pipe
// open to which nobody writes and which nobody closes. What can be seen is what
// kind of thing it is: a file and /dev/null end by themselves, a terminal has a
// person behind it, and a pipe is waited for only as long as it is needed.
//
// # Laws
//
//   - Input that merely goes with something else costs at most Silence of
//     waiting. A pipe that has sent its first byte is read to its end, however
//     slow it is.
//   - At most MaxBytes are held; more is an error, never a beginning that looks
//     like the whole.
//   - The end of the context ends every wait.
//
// # Caveats
//
// A read that was given up on goes on in the background, and takes what comes
// later with it: after GaveUp or an ended context nobody reads this input any
// more.
package stdin
