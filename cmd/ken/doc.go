// Ken is a terminal assistant whose long-term memory belongs to the person who
// uses it: one append-only file of lines that they can read, edit and delete.
// `ken --help` lists the commands. This page is a tour of the code, from the
// ground up; every package has a page of its own that says more.
//
// # Where the truth is
//
// The truth is memory.jsonl, and the logs of other devices beside it. All else
// about memory is derived from these lines and may be deleted: the head file
// that makes an append cheap, the state in the program's own memory, the
// start-up block of a prompt. Whatever changes memory appends a line; nothing
// rewrites one, except erasing.
//
// Conversations are kept apart from memory, one file each. That something was
// said there does not make it a memory.
//
// Data flows one way:
//
//	file -> state -> choice -> prompt -> answer -> session
//
// # The floors
//
// Packages stand on floors, and import only from floors below their own.
// internal/archtest holds the table and fails the build of whoever breaks it,
// with the limits on length, the homes of dangerous imports and the list of rows
// that tests must prove. Why a package stands where it does is in
// docs/decisions.
//
// # Floor 0: what knows nothing of ken
//
// jsonl is the discipline of files with one JSON object a line: reading past
// damage in bounded memory, appending so that nothing is glued to a torn line,
// locks, rewriting, and values that survive byte for byte. jsonl/jsonltest has
// disks that fail and machines that lose power, for its tests.
//
// llm talks to chat models: one POST, one stream back. llm/wire makes events of
// bytes, llm/delta makes deltas and a whole message of events. The shapes that
// real servers send are in testdata/vectors/streams.
//
// redact finds secrets in text and puts placeholders there; redact/look and
// redact/naming hold its judgements. termsafe makes text that somebody else
// wrote safe to show: escape sequences and invisible characters. tokens
// estimates how long a text is for a model, one estimate for all budgets. dates
// reads dates as people type them, dates/said the times that a text speaks of.
//
// secret (floor 1) takes them out of what stands in a file already, line by line.
//
// place says where a person stands: directory, repository, and which scopes
// hold there. config reads settings strictly and says where files are. stdin
// reads standard input without hanging on it.
//
// # Floor 1: the two kinds of file
//
// memory says what a record, a log and a state are, and folds the one into the
// other. It is pure: no file, no clock. Its laws are the ones that matter most;
// if one package is read, it should be this.
//
// session keeps conversations: writing turns, loading, listing, renaming,
// copying, and which turns of a resumed one are still live.
//
// llm/llmtest is a scripted model for tests, an HTTP server that answers what a
// test says, piece by piece.
//
// # Floor 2: logs, and looks
//
// memory/filelog is memory.Log in a file. memory/logtest is the suite that every
// implementation of memory.Log passes, with one in memory as its example.
//
// view says what memories, lines of history, sessions and turns look like, as
// JSON and as text, so that all faces show the same.
//
// index reads texts as words, and says of documents what can be told without
// their text: what a question is scored over.
//
// usage keeps when memories were last of use. It may be deleted.
//
// foreign reads what other assistants kept, as candidates for memory and as
// sessions to be searched: JSON of any size, and Markdown.
//
// # Floor 3: choosing
//
// recall decides which memories stand in a prompt, under a budget, and says of
// each one why, and of each one left out why not. Background chooses the start-up
// block, Activate what goes with one question. It is pure as well.
//
// index/segment keeps what index counted in a file that is mapped, without the
// texts: derived, never changed, checked page by page, and merged.
//
// # Floor 4: the writer
//
// engine owns one person's memory: the own log, the replicas, the state they
// fold to. It is the only package that writes memory. Every write is checked,
// masked, one append under the log's lock, and answered with the numbers of its
// lines, so that undoing is always one command away.
//
// trace writes down which memories an answer was given, by reference, and reads it
// back. view/why, a floor above, says it to people and programs.
//
// # Floor 5: what a face calls
//
// models knows the models that can be asked and which is in force: configured, named by
// the environment, or found on this machine; and what may go to one that nobody named.
//
// # Floor 6: the conversation
//
// agent assembles the prompt, asks the model, passes on what streams in and
// records every turn. It knows neither terminal nor HTTP, and asks for memory
// through one function that may fail without stopping an answer.
//
// # Floor 7: the terminal
//
// repl reads lines, tells commands from words for the model, asks questions
// whose default is no, and keeps Ctrl-C to the thing that is running. What the
// lines do is its caller's.
//
// # Floors 8 to 10: the command line
//
// cli/app is what commands stand on: one run, with what it has opened, its voice
// and its exit codes. cli/memcmd are the commands on memory, cli/talk those on
// conversations with the shell itself. cli wires them, and handles signals. This
// package calls it, and nothing else.
//
// # How a question flows
//
// `ken ask "what tea do I drink?"`, or the same words in the shell, take this
// way. The numbers are those of the floors.
//
//   - 10: cli.Run listens for signals and builds the tree of commands; cobra
//     finds ask (10 to 9).
//   - 9: talk joins the words with standard input (stdin, 0), and finds the
//     model among the presets (app.App.Preset, 8; config, 0).
//   - 8: app.App.Begin makes the session's writer (session, 1) and the
//     agent.Conversation (6). No file is made yet: a session without a turn
//     leaves none.
//   - 6: Conversation.Ask masks the question (redact, 0) and records it, before
//     anything is sent. What is lost later, the question is not.
//   - 6: for the system message it asks app.App.Background (8) for the start-up
//     block. That reads the logs (filelog, 2), folds them (memory, 1, kept by
//     engine, 4), finds the place (place, 0), and lets recall (3) choose under
//     the budget (tokens, 0). A fault here is told, and the question goes out
//     without memory.
//   - 6: then find.Activator (9) for what the memory has on the question: recall (3)
//     searches the active items and chooses under another budget. It goes before the
//     question in this request, and is in no turn.
//   - 0: llm.Client.Stream sends the request and hands each delta to a callback.
//   - 9: the callback writes it through termsafe (0) to standard output, at once.
//   - 6: the answer is masked and recorded with how it ended, whole or not; behind it
//     which memories it had (trace, 4).
//   - 8: an error becomes an exit code, a line on standard error, and a next step
//     (app.App.Report).
//
// `ken remember` is shorter: memcmd reads the flags, engine checks kind, text and
// secrets, and filelog appends one line and syncs it. The state is not folded
// for it; a cold remember costs the same at ten memories and at a hundred
// thousand. In the shell the conversation then chooses its block anew.
//
// # Where to start reading
//
// For what is promised: docs/rows.md, each row with the tests that prove it; the
// scripts in internal/cli/testdata/script are the program from outside.
// For the files: docs/format.md, then internal/memory/doc.go and
// internal/session/doc.go. For the words used everywhere: docs/terms.md.
//
// For the code: internal/memory/fold.go, then internal/engine/write.go, then
// internal/agent/conversation.go. These three hold the thread; the rest serves
// them.
//
// # Habits of the code
//
// The clock, the environment, the random source and all outputs are arguments;
// only cli knows the real ones. Errors say what was tried on what, and are never
// logged and forgotten: they go up, or are told to the person. What a model, a
// file or a pipe says is data: masked before it is written or sent, cleaned
// before it is shown, and never obeyed.
package main
