package help

import "strings"

// A chapter is a part of a list of commands, with the names of those that stand in it,
// in this order; those that are not in the tree are passed over.
type chapter struct{ title, names string }

// front are the commands that stand in "ken --help", what a new person needs first.
func front() []chapter {
	return []chapter{
		{"talk", "ask"},
		{"remember", "remember recall forget undo why memory"},
		{"look after it", "sessions config doctor init"},
		{"take in and give out", "review import export"},
	}
}

// first are the seven that stand in front in the shell.
const first = "remember recall forget undo why model resume"

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
			name: "models", about: "which model answers, and how full its window is",
			text:  `Any server that speaks as OpenAI does will do; one on this machine is found by itself.`,
			names: "model tokens compact config",
		},
		{
			name: "keys", about: "what the keys do at the prompt",
			text: `The keys of readline, and of your ~/.inputrc; [keys] in the settings binds others.`,
			rows: keys(),
		},
		{
			name: "shell", about: "commands of your own shell: $COMMAND",
			text: `A line behind a dollar runs with your shell, on a terminal of its own; so does one behind "!". Known
commands (git, ls, cd, ...) need neither where the line can hardly be a sentence. What a model proposes is asked about.`,
			names: "exec safety diff revert out",
			rows: []Row{
				{"$COMMAND", "run it; what it printed goes along with your next question"},
				{"cd DIR", "go there; export NAME=VALUE and unset NAME act on ken too"},
			},
		},
		{
			name: "commands", about: "commands of your own: prompts with a name",
			text: `A file NAME.md in commands/ beside the settings is the command :NAME, and ken NAME outside; its text is
the question, with $ARGUMENTS, {{args}} and $1 to $9 in it. As a role it stands behind the system prompt.`,
			names: "commands role ask",
		},
		{
			name: "settings", about: "the file of settings, and what is wrong with the set-up",
			text:  `Settings are one file, config.toml; one that is not there has its default.`,
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
