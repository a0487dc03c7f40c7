// Package escape says of each character that a program writes to a terminal to which
// control sequence it belongs, as ECMA-48 has them: escape sequences, control
// sequences, and the strings OSC, DCS, SOS, PM and APC. Who cleans a text, filters
// a command's output, follows its modes or reads keys drives this one machine, and
// decides what of a sequence goes and what a misplaced character does to it.
//
// # Laws
//
//   - A State is all there is: two streams in one State go on alike.
//   - CAN and SUB bring any State to Text.
//   - What is Stray moves nothing; whatever ends a sequence leaves Text.
//
// # Caveats
//
// Characters of C1 are runes here, 0x80 to 0x9f. Whether a byte or two bytes of a
// stream are one is known to its reader. No limit is set: a string that never ends is
// its reader's to give up.
package escape
