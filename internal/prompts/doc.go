// Package prompts reads prompts with a name: the person's own commands and roles. Each is a
// Markdown file commands/NAME.md in the directory of settings.
//
//	---
//	description: look at a change as a stranger would
//	args: [FILE]
//	model: deep
//	---
//	Read this change as somebody who has to live with it. $ARGUMENTS
//
// The part between the lines of dashes may be missing. description is one line for lists;
// args is shown as what follows the name, and wanted unless it stands in brackets; model is
// the preset that is asked. What else stands there is passed over: files written for other
// programs are taken as they are.
//
// In the text $ARGUMENTS and {{args}} stand for all that follows the name, and $1 to $9 for
// one word of it each. Where none of them stands, what follows comes behind the text. "\$"
// is a dollar.
//
// # Laws
//
//   - A file is data: nothing in it names another file, runs a command or sets anything. So
//     none can hold itself.
//   - What is put in place of an argument is not looked at again.
//   - A file that cannot be taken as it stands (its size, its bytes, its name) is an error
//     that names it, and is no command.
package prompts
