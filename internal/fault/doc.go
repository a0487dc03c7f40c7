// Package fault is how code below the faces says what went wrong and what it
// did: values, which a face shows in its own way. A terminal makes exit codes
// and hints of them, a server makes status codes.
//
// # Errors
//
// Return an error with a kind, and the next step where one is known:
//
//	return fault.NotFoundf("there is no policy %q", name).
//		WithHint("write one: %s", fault.Command("memory tidy policy init "+name))
//
// A package that has typed errors of its own keeps them: the face knows them,
// or asks them for Hint. An error without a kind is a Failure. Wrap with %w, so
// that the kind is found. No code here knows an exit code.
//
// # Commands
//
// The text of an error has no command of ken in it. A hint or a note has them as
// Command values, without "ken": the shell writes ":undo 3" where the command
// line writes "ken undo 3".
//
// # Warnings
//
// A fault that does not stop the work goes to Voice.Warn. The face masks it, shows
// its hint, and decides how often. Once marks a fault that is met again and
// again, Detail one that only matters to who wants to know all.
//
// # Notes
//
// What the program did unasked is an event, not a print: a Note, given to
// Voice.Note. The face decides whether it is shown, and how. Where a face may want
// more than the line, the event is a type of its own that implements Note.
//
// Who calls hands over a Voice. The zero Voice is silent.
package fault
