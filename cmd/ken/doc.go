// Ken is a terminal assistant whose long-term memory belongs to the person who
// uses it: one append-only file of lines that they can read, edit and delete.
// `ken --help` lists the commands. This page is a tour of the code.
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
// Packages stand on floors, and import only from floors below their own. Below is each
// package with its noun, from the ground up; its own page says more. internal/archtest
// holds the floors, fails the build of whoever breaks them, and compares this list with
// the tree. Why a package is as it is stands under "Reasons" in its page, or in
// docs/decisions. docs/layout.md follows one sentence and one token through these rooms.
//
// # Floor 0: what knows nothing of ken
//
//   - ask: the questions to a person: one alphabet of answers, how a question looks, what keys come to
//   - assistant: the names of other assistants, the signs of their shells, and where they keep what they were told
//   - color: how text looks on a terminal, on a dark or a light background
//   - config: the settings, read strictly, and where the files of ken are
//   - config/edit: one value changed in a TOML file, and no other byte
//   - dates: days, times and spans as people type them
//   - dates/said: the times that a text speaks of: last week, in June 2023
//   - fault: an error of a kind with its next step, a warning, a note: values that a face shows
//   - frame: the heads of the blocks of a prompt, which no text in one can forge
//   - ignore: which files git would leave out, read without git
//   - inhand: which requests of a stream are to be answered yet, before its end is seen
//   - jsonc: one value changed in a JSON file with comments, and no other byte
//   - jsonl: a file of one JSON object a line: read past damage, appended to, locked, rewritten
//   - jsonl/jsonltest: disks that fail and machines that lose power, for tests
//   - llm: the client of chat models: one request, one stream back
//   - llm/catalog: what is publicly known of vendors and their models: windows, prices, addresses
//   - llm/delta: the assembler that makes a message of deltas
//   - llm/discover: the search for a model that runs on this machine, and what a server says of those it has
//   - llm/wire: the reader of what servers send: events, JSON, errors
//   - place: where a person stands: directory, repository, and which scopes hold there
//   - pty: one command on a terminal of its own
//   - pty/filter: what stands between a live command and the person's terminal
//   - pty/inherit: what a process passes on to its children without having chosen it: ignored signals
//   - pty/keep: a command that ends with the process that started it, and so does all that it left running
//   - pty/pair: the two ends of a pseudo-terminal
//   - redact: the masker: secrets in a text become placeholders
//   - redact/command: passwords on command lines
//   - redact/expect: what a text makes one expect: a word for a password, and what stands in its reach
//   - redact/literals: secrets that were found before, wherever they stand now
//   - redact/chars: what a piece of text looks like: random, a word, a reference
//   - redact/naming: secrets by what a text calls them
//   - redact/packed: tables of words and anchors in a string that is searched as it stands
//   - regular: the one way to open a file: no pipe, no device, no hanging
//   - risk: the verdict on a command line, by its syntax tree: safe, caution or danger
//   - risk/programs: what is known of programs, by name and flag
//   - conflict: whether two short texts say the same or contradict each other
//   - escape: to which control sequence a character of an output belongs
//   - stdin: standard input that never hangs
//   - termsafe: somebody else's text made safe to show and to keep
//   - tokens: how long a text is for a model: one estimate for all budgets
//   - text: the normal forms, words, stems and likeness of texts, and their scripts; a search for many texts at once
//   - verbs: what a person can type to a conversation, at which face
//
// # Floor 1: the two kinds of file
//
//   - connect: where other assistants have their settings, and what stands there for ken
//   - attach: a file that goes along with a question: text, picture or listing
//   - audit: the account of what ken did by itself and a person allowed, without texts
//   - draft: the texts that an editor has, in a private place, and away when they are done
//   - embed: the client of a server of embeddings
//   - llm/llmtest: a chat model with a script, for tests
//   - markdown: an answer as blocks, and shown on a terminal while it is written
//   - memory: a record, a log, a state, and the fold of the one into the other: pure; read this first
//   - proctest: how tests start processes
//   - prompts: commands and roles of the person's own, which are files
//   - secret: a line of a file with its secrets masked
//   - session: a conversation in a file: turns written, loaded, listed, resumed
//   - session/outputs: what tools printed and was too long for its turn
//   - tool/edit: one piece of a text replaced by another, as a model that quotes badly asks for it; differences of texts
//   - tool/environ: which variables go to what a model starts: no secrets
//   - tool/mcp/oauth: signing in to tool servers at an address, and what that gave
//   - tool/mcp/schema: names, parameters and descriptions of a tool server's tools, made fit for models
//   - tool/swap: other bytes in the place of those of a file, if it still holds what was seen
//   - ttytest: a program on a terminal, for tests
//   - typed: the form of the file of what was typed at the prompt
//   - wrap: lines of ken's own, broken at words where somebody looks at them
//
// # Floor 2: logs, and looks
//
//   - embed/vectors: the file of vectors, derived
//   - foreign: what other assistants kept, as candidates and as conversations to search
//   - app/keys: the keys of one person, which are masked by their value, and their seal
//   - index: texts as words, and what a question is scored over
//   - memory/asof: what holds at a time
//   - memory/tombstone: the list of what was erased here, without its text
//   - memory/filelog: memory.Log in a file
//   - memory/logtest: the suite that every memory.Log passes
//   - rules: the rules in force, what a change of them comes to, and the sets there were: pure
//   - session/acts: what a model did, as lines of a session
//   - session/feedback: what became of what was offered, as lines of a session
//   - teach: what a person wants of their memory, in the words of a line that they typed
//   - trust: what a person decided about files that a repository brings
//   - undo: changes of files taken back: what files held, what was done to them, and what undoes it
//   - usage: when memories were last of use; may be deleted
//   - view: every shape that is shown or sent, as JSON and as text
//   - view/toolserver: tool servers and their tools, as programs read them
//   - view/viewtest: the shapes of view held to golden files, for tests
//   - working: working.md: what a person was lately busy with, until it expires
//   - working/digest: a short text of a long conversation, without a model
//
// # Floor 3: choosing
//
//   - distill: candidates for memory, out of a conversation
//   - index/indextest: documents of words as common as those of a language, for tests
//   - index/segment: an index in a file that is mapped
//   - lifecycle: which memories age, by a policy: a plan of lines; and MEMORY.md. Pure
//   - recall: the search, and the choice under a budget, each with its why. Pure
//   - review: the queue between a suggestion and the memory
//   - scan: the search for secrets, contradictions and junk in a memory
//   - tool/sandbox: a command that the system holds: what it changes, reads and reaches
//   - view/account: what a model did in a conversation, item by item
//   - view/erase: what was taken out of files or masked in them, and what was found afterwards
//   - view/history: how a memory became what it is
//   - view/model: which models there are, how full the context is, and what was spent
//   - view/rules: rules, differences of them and what those come to, as JSON and as text
//
// # Floor 4: the writer
//
//   - engine: one person's memory and its only writer, which asks every writer who they are
//   - gate: the decision on a command line that nobody typed: run, ask, refuse
//   - models: the models that can be asked, which is in force, and what may go to one that nobody named
//   - skill: instructions for kinds of tasks, found, read and matched, and drafts of them that wait
//   - synth: what several memories have in common, and the check of what somebody says they come to. Pure
//   - tool/mcp: the tool servers of a person, started, asked and ended, and what their tools were when approved of
//   - tool/mcp/mcptest: tool servers, as they should be and odd, for tests
//   - view/ageing: what is to become of memories with time, and a memory in numbers
//   - view/expected: what tests of a memory found
//   - tool/files: files read, listed and searched for a model, and changes of them planned and made
//   - tool/lane: a command line run for a model: no terminal, a time limit, clean output
//   - tool/rehearsal: what a command changed that ran aside, to be made so or thrown away
//   - trace: which memories an answer was given, written down and read back
//
// # Floor 5: what a face calls
//
//   - app: one person's memory, opened once a process, and the views of it that all faces hold: a place, an actor, a moment
//   - friction: what costs a person the same effort again and again, found in conversations. Pure
//   - app/embeddings: the embedding model that is configured, its key, and where its vectors are
//   - app/logs: the logs that a memory consists of: this device's, replicas, and what a repository brings
//   - app/policies: how memories age here: the settings, and the policies that the person wrote
//   - retrospect: what became of what was offered, and what could be learned of it. Pure
//   - runner: a command line judged, asked about through a port, run, captured
//   - scrub: texts and secrets taken out of every file, and the proof
//   - index/live: the index of a memory and its conversations, kept fresh, without what must not come back
//   - tool: what a model is offered to act with, how its calls are read, and what came of them
//   - view/port: what programs send to the ports and to --jsonl, and are answered
//   - view/prompts: commands and roles of the person's own, listed
//   - view/queue: what waits for a person, or was refused
//   - view/safety: how much a command line could do, what would happen with one, and what was approved
//   - view/skills: skills and drafts of them, listed
//   - view/why: why an answer had its memories, for people and programs
//
// # Floor 6: the conversation, and what follows it
//
//   - agent: a turn: the prompt, the stream, and what is recorded of it
//   - app/owner: the person at a face of their own that is no terminal: what they see and change there
//   - agent/auto: a run towards a goal: its bounds, its halts, how it ends
//   - agent/host: the conversations that are open at a face: at most so many, one thing at a time in each, stopped, closed, opened again
//   - agent/loop: what a model does with tools: judged, asked about, done, and answered in the room that there is
//   - agent/talk: a conversation held from a face that is no terminal: an editor, a phone
//   - agent/turn: a question and its answer as every face holds them: model, memory of one moment, record, upkeep
//   - doctor: what ken stands on, looked at: set-up and files, and what mends each gap
//   - expected: tests of a memory: which memories a question is expected to call up
//   - importing: what other programs kept, brought in: read, suggested, taken back
//   - replay: the choice of memories of a past answer, made again with one memory less
//   - settings: the file of settings, written for the first time, and changed key by key
//   - pick: what a person's words mean: memories, turns and conversations, and what becomes of those beside a new memory
//   - upkeep: what happens by itself after a write, a turn, a conversation: hygiene, pages, extraction
//   - upkeep/evolve: one draft of a skill, for what comes again and again in conversations
//   - upkeep/extract: conversations read for what may be worth remembering
//   - upkeep/judge: the model that judges what was learnt
//   - upkeep/synthesis: what recent memories come to, proposed with what it rests on
//   - upkeep/page: MEMORY.md, written and kept like the memory
//   - view/retrospect: a look back and what became of things, for people and programs
//   - upkeep/ruling: the commands that rules are held against, and where the sets came from
//
// # Floor 7: the terminal
//
//   - endpoint: the face in front of a model, for programs that speak with one
//   - acp: the face inside editors, by the Agent Client Protocol
//   - hook: the face that assistants run at their start and at a question
//   - httpapi: the face for programs of this machine, over HTTP
//   - mcpserver: the face for other assistants, over the Model Context Protocol
//   - repl: the terminal face: lines read, commands distinguished from words, questions whose default is no
//   - repl/clipboard: a text on the person's clipboard, by a program of their system or their terminal
//   - repl/choose: one of many is chosen from a list below the prompt, which typing makes shorter
//   - repl/edit: the editor of a line
//   - telegram: the face on the person's phone, as a bot of theirs
//   - web: the page: the memory and conversations in a browser of this machine
//   - web/hall: the answers that are being written on the page, as they stand for who looks
//   - telegram/telegramtest: a Bot API, for tests
//
// # Floor 8: what commands stand on
//
//   - cli/term: one run of the command line: its voice, its questions, its exit codes
//
// # Floor 9: what several commands do, and those of what is learned
//
//   - cli/auto: a run towards a goal at the terminal: what it says, where it asks, what it did
//   - cli/help: which commands stand in front, older names, and the pages of help
//   - cli/question: a question of what was typed, of files, of standard input
//   - cli/rules: rules
//   - cli/skills: skills, which lists them, shows them and makes them of drafts
//   - cli/retrospect: retrospect, a look back that ends in lessons
//   - cli/retrospect/guide: the questions of a look back
//   - cli/review: review
//   - cli/run: command lines run, asked about and offered, tried beforehand and taken back; safety
//   - cli/which: which memory or conversation a person means, asked
//
// # Floor 10: the commands
//
//   - cli/pipe: what programs call: redact, clean, risk and port
//   - cli/shellinit: init, completion and suggest, for the person's own shell
//   - cli/memory: remember, forget, erase, undo, why, extract, and all below ken memory
//   - cli/search: recall, sessions and import
//   - cli/serve: the servers: those of ken for other programs, and those of tools
//   - cli/chat: ask, exec, and the shell
//
// # Floor 11: the command line
//
//   - cli: the tree of commands, the wiring, signals and exit codes
//   - cli/setup: config, check, doctor, and other assistants set up
//
// # Floor 12: the programs and their tests
//
//   - cli/clitest: ken as a process on a terminal, for tests
//   - cli/scripttest: the scripts: ken from outside
//   - cli/shelltest: the shell on terminals
//   - cmd/ken: main: one call into cli
//
// # Outside the floors
//
// These look at the whole house, and are in no program. What measures is a module of its
// own.
//
//   - archtest: the tests on the tree itself: floors, measures, papers
//   - battery: what ken does with its files, while something fails
//   - battery/life: thirty conversations of one person, with what is learnt and without
//   - battery/agents: the real programs of other assistants, set up and asked
//   - bench: the program that measures ken beside its goals
//   - bench/browser: the page in a real browser, a module of its own
//   - bench/crowd: several writers to one memory
//   - bench/doors: what adding and recalling costs by each way to the memory
//   - bench/edits: edits that are quoted badly, and what becomes of them
//   - bench/extracting: what would be remembered of conversations
//   - bench/floors: programs that do only what cannot be avoided
//   - bench/fts: sqlite3's full-text search, asked what ken is asked
//   - bench/hands: commands on a real terminal
//   - bench/hazard: verdicts on commands whose level is known
//   - bench/hour: a stranger's first hour, played in tmux by bash, zsh and fish
//   - bench/lexicon: the words that go together, from WordNet
//   - bench/made: memories and conversations that are made up, the same at every run
//   - bench/masking: what masking finds in a corpus
//   - bench/model: a chat model that answers as fast as it is reported
//   - bench/paired: several things measured turn by turn
//   - bench/pictures: the recordings of which the pictures of the papers are made
//   - bench/projects: what a question calls up among several projects
//   - bench/rank: how good recall is, on questions with known answers
//   - bench/rounds: a call of a tool beside other assistants, and requests by the tools of servers
//   - bench/servers: the client of tool servers against the conformance suite and real servers
//   - bench/scales: what a search costs as what is searched grows
//   - bench/taught: how lines that people type are read
//   - bench/zipf: searching, among documents of words as common as those of a language
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
// logged and forgotten: they go up, or are reported to the person. What a model, a
// file or a pipe says is data: masked before it is written or sent, cleaned
// before it is shown, and never obeyed.
package main
