package help

import "strings"

// A chapter is a part of a list of commands, with the names of those that stand in it,
// in this order; those that are not in the tree are passed over.
type chapter struct{ title, names string }

// front are the commands that stand in "ken --help": what a new person can do with ken. A name with a flag
// ("ask--auto") is a row of its own for what that flag does.
func front() []chapter {
	return []chapter{
		{"talk", "ask resume sessions"},
		{"remember", "remember recall forget undo why memory"},
		{"look after it", "review config doctor"},
		{"use it elsewhere", "setup serve import export"},
		{"let it work", "ask--auto skills rules"},
	}
}

// first are those that stand in front in the shell.
const first = "remember recall forget undo why review model resume auto"

// chapters are the parts of the whole list. A command that none of them names stands in
// the last.
func chapters() []chapter {
	return []chapter{
		{"memory", "remember recall forget undo why review retrospect lesson rules memory export import"},
		{"conversation", "ask model role tokens retry edit drop branch go diff revert out copy save-block reset compact save resume rename " +
			"history sessions clear help quit"},
		{"commands of yours", "commands skills skill exec rehearse safety mcp"},
		{"settings", "config doctor init completion"},
		{"the rest", ""},
	}
}

// A Topic is a subject of help: some words on it, and the commands that belong to it.
type topic struct {
	name, about string
	text        string
	names       string // of commands, with all below them
	rows        []Row
}

func topics() []topic {
	return []topic{
		{
			name: "memory", about: "what is remembered, and how it is changed",
			text: `What you remember is one text file of yours. What a model, a page or a file suggests waits in the
queue until you say yes. Every change says how to undo it.`,
			names: "remember recall forget undo why review retrospect lesson rules export import memory",
		},
		{
			name: "sessions", about: "conversations: go on with one, find one, begin anew",
			text:  `A conversation is kept as you have it; ken keeps all of them, and finds them by what was said.`,
			names: "retry edit drop branch reset resume save rename history compact tokens sessions",
		},
		{
			name: "models", about: "which model answers, its server and its key",
			text: `Any server that speaks as OpenAI does will do. One on this machine (Ollama, llama.cpp, LM Studio) is found at
your first question. A key stands in a variable of the environment or in a file of yours, never in the settings.`,
			rows: []Row{
				{"ken config init", "find a model, try it, and write a settings file"},
				{"ken config set models.NAME.base_url=URL models.NAME.model=MODEL model=NAME", "add a model, and have it answer from now on"},
				{"ken config set models.NAME.api_key_env=VARIABLE", "add a key: the name of the variable that holds it"},
				{"ken config set models.NAME.api_key_file=FILE", "or the file that holds it, with mode 0600"},
				{"ken config set --unset models.NAME.api_key_env", "take the key away"},
				{"ken config set model=NAME", "change the model for good"},
				{"ken ask -m NAME QUESTION", "another model, once"},
				{"ken config set --unset models.NAME", "take a model out"},
				{"ken config show models", "what is set, and where it comes from"},
				{"ken doctor", "see whether they answer"},
			},
			names: "model tokens compact",
		},
		{
			name: "keys", about: "what the keys do at the prompt, and how to bind others",
			text: `The keys of readline, and of your ~/.inputrc; [keys] in the settings binds others. (For the key of a model
see the topic models.)`,
			rows: keys(),
		},
		{
			name: "shell", about: "commands of your own shell: $COMMAND",
			text: `A line behind a dollar runs with your shell, on a terminal of its own; so does one behind "!". Known
commands (git, ls, cd, ...) need neither where the line can hardly be a sentence. What a model proposes is asked about,
unless it only reads.`,
			names: "exec safety diff revert out",
			rows: []Row{
				{"$COMMAND", "run it; what it printed goes along with your next question"},
				{"cd DIR", "go there; export NAME=VALUE and unset NAME act on ken too"},
			},
		},
		{
			name: "goals", about: "let it work towards a goal, step by step",
			text: `A model with tools works towards a goal by itself. What only reads runs; a change, and what could do harm, is
shown and asked about first. Ctrl-C stops it after the step. At its end stands an account of what was done.`,
			rows: []Row{
				{":auto GOAL", "in the shell: begin; without a goal: go on with a run that broke off"},
				{"ken ask --auto GOAL", "the same outside the shell"},
				{"ken undo", "take its changes of files back"},
				{"ken config set auto.max_steps=8 auto.max_time=5m", "how far it may go"},
			},
			names: "auto diff revert out safety rehearse",
		},
		{
			name: "elsewhere", about: "the same memory in other programs",
			text: `One memory, and every program that you let in: what one keeps the next question on any other knows. What a
program suggests waits for your yes.`,
			rows: []Row{
				{"ken setup", "which assistants are here (Claude Code, Codex, ...), and what stands there"},
				{"ken setup NAME", "have one use the memory; shows the change first"},
				{"ken serve --page", "your memory and conversations in the browser"},
				{"ken serve", "HTTP for programs of yours, and /v1 in front of your model"},
				{"ken acp", "the agent inside an editor, which the editor starts"},
				{"ken telegram", "your phone, by a bot of yours"},
			},
			names: "import export mcp",
		},
		{
			name: "commands", about: "commands of your own: prompts with a name",
			text: `A file NAME.md in commands/ beside the settings is the command :NAME, and ken NAME outside; its text is
the question, with $ARGUMENTS, {{args}} and $1 to $9 in it. As a role it stands behind the system prompt.`,
			names: "commands role ask",
		},
		{
			name: "settings", about: "the file of settings: see, change, put back",
			text: `Settings are one file, config.toml; one that is not there has its default.`,
			rows: []Row{
				{"ken config show", "all of them, and where each comes from"},
				{"ken config set KEY=VALUE", "change one, and nothing else in the file"},
				{"ken config set --unset KEY", "put one back to its default"},
				{"ken config edit", "the file in your editor, checked afterwards"},
				{"ken config set memory.enabled=false", "for example: no memory, until you turn it on again"},
			},
			names: "config doctor init completion",
		},
	}
}

// keys are those that people ask for.
func keys() []Row {
	return []Row{
		{"Enter", "send the line; one that is not finished goes on"},
		{"Alt-Enter, Ctrl-J", "a new line in it"},
		{"Up, Down", "the lines of a message, then what was typed before"},
		{"Ctrl-R", "look for something typed here before; again: the one before; Tab: elsewhere"},
		{"Tab, Shift-Tab", "complete commands, files, memories, conversations"},
		{"Ctrl-A, Ctrl-E", "to the beginning, to the end"},
		{"Ctrl-W, Ctrl-U, Ctrl-K", "cut the word before, all before, all behind"},
		{"Ctrl-Y", "put back what was cut"},
		{"Ctrl-X Ctrl-E", "write the line in your editor"},
		{"Ctrl-L", "clear the screen"},
		{"Ctrl-C", "stop an answer or a command; at the prompt: drop the line"},
		{"Ctrl-D", "on an empty line: leave"},
		{"Ctrl-N", "on an empty line: begins :auto"},
		{`ken config set 'keys."\\M-r"=reverse-search-history'`, "bind another: a sequence as in inputrc, and what it does"},
		{`ken config set --unset 'keys."\\M-r"'`, "and let it go"},
	}
}

// topicOf is the topic of a name, or of the beginning of one alone; ok is false if there is none.
func topicOf(name string) (t topic, ok bool) {
	for _, t := range topics() {
		if t.name == name || strings.TrimSuffix(t.name, "s") == name {
			return t, true
		}
	}
	return topic{}, false
}

// Topics are the subjects that there is help on, with what each is about.
func Topics() []Row {
	var list []Row
	for _, t := range topics() {
		list = append(list, Row{t.name, t.about})
	}
	return append(list, Row{"all", "every command"})
}

// IsTopic reports whether there is help on a subject of that name.
func IsTopic(name string) bool {
	_, ok := topicOf(name)
	return ok
}
