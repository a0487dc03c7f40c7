// Package feedback is what became of what was offered in a conversation, as lines of a session: a command that ran, ran
// changed or did not run, an answer that was asked for again, an act that failed or was taken back, a suggestion that was
// kept or refused.
//
// A line refers and never quotes, so that forgetting and erasing have nothing to do in it:
//
//	{"ts":"2026-05-10T19:02:00Z","event":"feedback","kind":"revised","of":"command","ref":"12.1","n":12}
//
// The field n is the number of the turn that it is about; it is absent where it is about none. What ref is follows from of:
//
//	command     the id of a command line: "12.1" is the first one of turn 12, else the id of the call that had it run
//	tool, file  the id of the act: of a call, or of a change of a file
//	answer      the number of the turn
//	memory      the reference of a memory: 3, log/3, h1a2b3c4d
//	suggestion  the reference of what waits for review: p7
//
// Of a command line that was offered and ran, the line follows the exec event that has the command as it ran: of one that is
// revised, that is the person's. What was refused and then done otherwise has both lines, and is revised.
//
// One fact has one line. What an act of a model came to, that a change of a file was taken back, and that a question was asked
// again is in their own events, which are on the disk before or with what they tell of, in sessions of every version; Read
// makes outcomes of them.
//
// # Reasons
//
// There is no one event for all outcomes: two lines for one fact could contradict each other after a kill between
// them, and older sessions would have none. The newest sessions are found by the times of their files, so a look
// back at a week opens 55 of 5,000. A question that corrects the answer before it is not guessed to be a
// rejection. A memory that is taken back while another process holds its conversation is not noted there.
package feedback
