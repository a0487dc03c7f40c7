package verbs

import (
	"slices"
	"strings"
)

// A Face is where something is typed; several of them are or-ed.
type Face uint8

// The faces.
const (
	Terminal Face = 1 << iota // behind a colon, beside the commands of the command line
	Editor                    // behind a slash, over ACP
	Page                      // behind a slash, in a browser
	Phone                     // behind a slash, in Telegram

	Anywhere = Terminal | Editor | Page | Phone
)

// A Verb is something that can be typed.
type Verb struct {
	Name    string
	Aliases []string
	On      Face
	Takes   string // what follows, as a usage has it: "[N]"; "": nothing
	Hint    string // the same in words, for who has not typed it yet: "what to keep"
	Does    string // what it does, in a line
	Wants   string // what is asked where nothing follows; "": it needs nothing
	// Bare are the words that mean it at a terminal by themselves, alone on a line.
	Bare []string
	// Writes says that it changes what is remembered, or what the conversation stands on: a script in which it failed has failed.
	Writes bool
	// Memory says that it is about what is remembered: it is refused where a conversation has no memory.
	Memory bool
}

// All are the verbs, in the order in which faces list them. Those of the command line are no verbs of a conversation; of them
// the table has what a script has to know. "memory add" is the command add below memory.
func All() []Verb {
	return []Verb{
		{
			Name: "remember", On: Anywhere, Takes: "TEXT", Hint: "what to keep", Does: "keep something",
			Wants: "What is to be remembered?", Writes: true, Memory: true,
		},
		{
			Name: "forget", On: Anywhere, Takes: "TEXT or NUMBER", Hint: "its number, or words", Does: "hide a memory",
			Wants: "What is to be forgotten?", Writes: true, Memory: true,
		},
		{
			Name: "undo", On: Anywhere, Hint: "its name, or nothing",
			Does: "take the last change back", Writes: true,
		},
		{
			Name: "memory", On: Anywhere, Takes: "QUERY", Hint: "what to look for", Does: "look in the memory",
			Wants: "What is looked for?", Memory: true,
		},
		{Name: "why", On: Anywhere, Does: "where the last answer comes from"},
		{Name: "new", On: Phone, Does: "begin a new conversation"},
		{Name: "stop", On: Phone, Does: "end the answer that is being written"},
		{Name: "help", On: Terminal | Phone, Bare: []string{"help"}},
		{Name: "start", On: Phone}, // what Telegram says by itself, as the first thing
		{Name: "compact", On: Terminal | Editor, Does: "replace all but the newest turns with a summary"},

		{Name: "quit", Aliases: []string{"exit", "q"}, On: Terminal, Does: "save and leave (also: exit, Ctrl-D)", Bare: []string{"quit", "exit"}},
		{Name: "reset", Aliases: []string{"new"}, On: Terminal, Does: "start over; the session keeps what was said", Writes: true},
		{Name: "history", On: Terminal, Takes: "[SESSION|TEXT]", Does: "show what the model sees now, or an earlier conversation"},
		{Name: "rename", On: Terminal, Takes: "[TITLE]", Does: "call this conversation TITLE, in lists"},
		{Name: "save", On: Terminal, Takes: "[NAME]", Does: "save the session; with NAME, under that name"},
		{Name: "clear", On: Terminal, Does: "clear the screen; the conversation goes on", Bare: []string{"clear"}, Writes: true},
		{Name: "role", On: Terminal, Takes: "[ROLE|off]", Does: "answer as a role of yours has it, from now on; off: as before"},
		{Name: "skill", On: Terminal, Takes: "[SKILL|off]", Does: "have a skill go with your next question"},
		{Name: "tokens", Aliases: []string{"usage"}, On: Terminal, Does: "show how full the context is and what was used so far"},
		{Name: "auto", Aliases: []string{"norris"}, On: Terminal, Takes: "[--plan] GOAL", Does: "have the model work on a goal by itself"},
		{Name: "retry", On: Terminal, Does: "ask the last question again; its answer is replaced"},
		{Name: "edit", On: Terminal, Does: "change the last question in your editor, and ask that"},
		{Name: "drop", On: Terminal, Takes: "[N]", Does: "take the last question, or N of them, out of the context"},
		{Name: "branch", On: Terminal, Takes: "[TURN|SESSION:TURN]", Does: "go on from an earlier turn, in a conversation of its own"},
		{Name: "copy", On: Terminal, Takes: "[N]", Does: "copy the last answer, or its Nth block of code"},
		{Name: "save-block", On: Terminal, Takes: "[N] FILE", Does: "write a block of code of the last answer to a file"},
		{Name: "go", On: Terminal, Takes: "[TEXT]", Does: "show the model what commands printed, and let it go on"},
		{Name: "out", On: Terminal, Takes: "[N]", Does: "show the whole of what a tool printed"},
		{Name: "lesson", On: Terminal, Takes: "[TEXT]", Does: "keep a lesson of what just happened", Writes: true},

		{Name: "erase", On: Terminal, Writes: true},
		{Name: "import", On: Terminal, Writes: true},
		{Name: "review", On: Terminal, Writes: true},
		{Name: "memory add", On: Terminal, Writes: true},
		{Name: "memory edit", On: Terminal, Writes: true},
		{Name: "memory pin", On: Terminal, Writes: true},
		{Name: "memory clear", On: Terminal, Writes: true},
	}
}

// On are the verbs that a face takes.
func On(f Face) []Verb { return slices.DeleteFunc(All(), func(v Verb) bool { return v.On&f == 0 }) }

// Find returns the verb that a word means at a face.
func Find(f Face, word string) (Verb, bool) {
	for _, v := range On(f) {
		if v.Name == word || slices.Contains(v.Aliases, word) {
			return v, true
		}
	}
	return Verb{}, false
}

// Bare is the verb that a line means at a terminal which is nothing but a word.
func Bare(line string) (Verb, bool) {
	for _, v := range On(Terminal) {
		if slices.Contains(v.Bare, line) {
			return v, true
		}
	}
	return Verb{}, false
}

// Slashed reads a verb behind a slash as the beginning of what was typed, and what follows it.
func Slashed(f Face, text string) (v Verb, rest string, ok bool) {
	word, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	name, slash := strings.CutPrefix(word, "/")
	if v, ok = Find(f, name); !slash || !ok {
		return Verb{}, "", false
	}
	return v, strings.TrimSpace(rest), true
}

// Usage is a verb with what follows it: "save [NAME]".
func (v Verb) Usage() string { return strings.TrimSpace(v.Name + " " + v.Takes) }

// Writes reports whether a command of the terminal is one that writes, by its words: see Verb.Writes.
func Writes(words []string) bool {
	for n := min(2, len(words)); n > 0; n-- {
		if v, ok := Find(Terminal, strings.Join(words[:n], " ")); ok {
			return v.Writes
		}
	}
	return false
}
