// Package lane runs command lines for a model: with bash or sh, whose grammar is the
// one that was judged, on a pseudo-terminal without anybody who types, for a limited
// time, and with a text as the outcome that is safe to show, to keep and to send.
//
// # Laws
//
//   - A run ends: at its limit the command is interrupted, then terminated, then
//     killed, with all that it started, whatever that does with signals, sessions or its terminal.
//   - What it left running when it ended goes on, and ends with ken, however ken ends.
//   - It has at most MostProcesses at once; more end it.
//   - Memory does not grow with the output: the beginning and the end are kept.
//   - Output holds no control character but newline and tab, and is valid UTF-8.
//   - Nothing asks: pagers print, editors fail, git and ssh ask for no password, and
//     standard input is empty.
//   - KEN_ORIGIN=tool is set, so that ken, run there, takes nothing for the word of
//     the person.
//
// # Caveats
//
// Without a Box this is no isolation. Run does not wait for what goes into the background. See package keep
// for what is not ended, and for what is not on macOS.
package lane
