// Package lane runs command lines for a model: with bash or sh, whose grammar is the
// one that was judged, on a pseudo-terminal without anybody who types, for a limited
// time, and with a text as the outcome that is safe to show, to keep and to send.
//
// # Laws
//
//   - A run ends: at its limit the command is interrupted, then terminated, then
//     killed, with its process group, whatever it does with signals or its terminal.
//   - Memory does not grow with the output: the beginning and the end are kept.
//   - Output holds no control character but newline and tab, and is valid UTF-8.
//   - Nothing asks: pagers print, editors fail, git and ssh ask for no password, and
//     standard input is empty.
//   - KEN_ORIGIN=tool is set, so that ken, run there, takes nothing for the word of
//     the person.
//
// # Caveats
//
// Without a Box this is no isolation. A process that makes a session of its own (setsid) outlives
// the run and is not looked for; Run does not wait for it.
package lane
