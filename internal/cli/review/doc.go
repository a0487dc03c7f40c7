// Package review is `ken review`: what models, tools, imports and plans
// suggest, and a person's yes or no to each.
//
// # Laws
//
//   - A yes is a key that a person presses at a terminal, on a text that they see
//     whole, with what is invisible in it shown. There is no yes to all
//     but that of a text in their editor, in which each is shown.
//   - What is not answered waits. Enter, a closed terminal and Ctrl-C say nothing.
//   - In the lane of a model or a tool (KEN_ORIGIN) nothing is answered.
package review
