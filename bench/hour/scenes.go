//go:build unix

package main

import (
	"strings"

	"ken/internal/llm/llmtest"
)

// A step is what somebody types, the row that it ends at, and what its screen shows.
type step struct {
	name  string // of its screen; "" for one that nobody looks at
	keys  string
	until string // a regular expression
	shows []string
}

// The rows that steps end at.
const (
	shellRow = `^\$ $`       // the shell's prompt
	kenRow   = `^\[ken.*> $` // ken's
	askRow   = `[])?>:] $`   // a question of ken's
	anyRow   = ``            // whatever it is, once the screen shows what it has to
)

// A script says what is tried: in which shell, with which start-up file, which server of models, and the checkout
// that README's first commands are for, if there is one.
type script struct{ shell, rc, server, source string }

// hourOf is all of it: what a person tries who has read nothing but the first page.
func hourOf(s script) []step {
	list := s.install()
	for _, part := range [][]step{
		withoutModel(), memory(), withModel(s.server), pipes(), s.setUp(), turns(), conversations(), around(),
	} {
		list = append(list, part...)
	}
	return list
}

// install is what README says first.
func (s script) install() []step {
	if s.source == "" {
		return nil
	}
	return []step{
		{"run", "clear; cd " + s.source + "; go run ./cmd/ken\r", kenRow, []string{"no model"}},
		{"run-left", ":quit\r", shellRow, nil},
		{"install", "clear; go install ./cmd/ken; ls ~/go/bin; cd\r", shellRow, []string{"ken"}},
	}
}

func withoutModel() []step {
	return []step{
		{"help", "clear; ken --help | head -22\r", shellRow, []string{"remember"}},
		{"version", "clear; ken --version\r", shellRow, []string{"ken"}},
		{"start", "clear; ken\r", kenRow, []string{"no model"}},
		{"first-question", "how do I find big files?\r", kenRow, []string{"model"}},
		{"shell-help", "\x0c:help\r", kenRow, []string{":remember"}},
		{"help-memory", "\x0c:help memory\r", kenRow, nil},
		{"help-keys", "\x0c:help keys\r", kenRow, nil},
		{"mistyped", "\x0c:rember x\r", kenRow, []string{":remember"}},
		{"leave", ":quit\r", shellRow, nil},
		{"ask-no-model", "clear; ken ask 'how do I find big files?'\r", shellRow, []string{"model"}},
		{"bare-words", "clear; ken how do I find big files\r", shellRow, []string{"ken ask"}},
	}
}

func memory() []step {
	return []step{
		{"remember", "clear; ken remember the staging host is kettle.example.org\r", shellRow, []string{"remembered #1"}},
		{"remember-secret", "ken remember the deploy key is AKIA" + "Z7QK3MWX" + "T2LPVNRB\r", shellRow, []string{"remembered"}},
		{"recall", "clear; ken recall staging\r", shellRow, []string{"kettle"}},
		{"list", "ken memory list\r", shellRow, []string{"kettle"}},
		{"forget", "clear; ken forget staging\r", askRow, []string{"kettle"}},
		{"forgotten", "y\r", shellRow, []string{"forgot #1"}},
		{"undo", "ken undo\r", shellRow, []string{"undid"}},
		{"recalled", "ken recall staging\r", shellRow, []string{"kettle"}},
	}
}

func withModel(server string) []step {
	return []step{
		{"doctor", "clear; ken doctor\r", shellRow, []string{"model"}},
		{"config-init", "clear; ken config init\r", askRow, nil},
		{"config-server", server + "\r", askRow, []string{"holds its key"}},
		{"config-models", "\r", anyRow, []string{"kettle-7b"}},
		{"config-tried", "\r", askRow, nil},
		{"config-done", "\r", shellRow, []string{"config.toml"}},
		{"ask", "clear; ken ask 'how do I get to staging?'\r", shellRow, []string{"ssh kettle.example.org"}},
		{"why", "clear; ken why\r", shellRow, []string{"kettle"}},
		{"explain", "clear; ken ask --explain-context 'how do I get to staging?'\r", shellRow, []string{"ssh kettle.example.org"}},
	}
}

func pipes() []step {
	return []step{
		{"pipe", "clear; cat notes.md | ken ask 'when does the garden need water?'\r", shellRow, []string{"Fridays"}},
		{"pipe-out", "ken ask 'how do I get to staging?' | cat\r", shellRow, []string{"ssh kettle.example.org"}},
		{"file", "clear; ken ask -f tea/main.go 'why does it panic?'\r", shellRow, []string{"divides by zero"}},
		{"no-file", "ken ask -f nowhere.go 'why?'\r", shellRow, []string{"nowhere.go"}},
		{"import", "clear; ken import tea/AGENTS.md\r", shellRow, nil},
		{"import-page", "ken import notes.md\r", shellRow, nil},
		{"review", "clear; ken review\r", askRow, []string{"make check"}},
		{"review-quit", "q", shellRow, nil},
	}
}

func (s script) setUp() []step {
	line := `eval "$(ken init ` + s.shell + `)"`
	if s.shell == "fish" {
		line = "ken init fish | source"
	}
	question := "? what's 2 * 2 (roughly)"
	again := question
	if s.shell == "fish" { // it reads every line
		again = `\? 'what\'s 2 * 2 (roughly)'`
	}
	return []step{
		{"init", "clear; echo '" + line + "' >>~/" + s.rc + "; exec " + s.shell + "\r", shellRow, nil},
		{"question-mark", question + "\r", shellRow, []string{"four"}},
		{"question-history", "\x1b[A", anyRow, []string{prompt + again}},
		{"", "\x03", shellRow, nil},
		{"key", "clear; show disk usage\r", shellRow, nil},
		{"key-suggest", "show disk usage\x18\x0b", anyRow, nil},
		{"", "\x03", shellRow, nil},
		{"failed", "clear; ls /nowhere\r", shellRow, nil},
		{"last", "ken ask --last 'what went wrong?'\r", shellRow, []string{"no such"}},
		{"tab", "ken conf\t", anyRow, []string{"ken config"}},
		{"", "\x03", shellRow, nil},
	}
}

func turns() []step {
	return []step{
		{"agents", "clear; cd tea; ken\r", askRow, []string{"AGENTS.md"}},
		{"agents-decided", "use\r", kenRow, nil},
		{"talk", "which is the biggest file here?\r", kenRow, []string{"biggest"}},
		{"tokens", "\x0c:tokens\r", kenRow, nil},
		{"copy", ":copy\r", kenRow, []string{"copied"}},
		{"retry", "\x0c:retry\r", kenRow, []string{"biggest"}},
		{"edit", "\x0c:edit\r", kenRow, []string{"largest"}},
		{"drop", ":drop\r", kenRow, nil},
		{"offer", "\x0cremove what was built\r", askRow, []string{"rm -rf build"}},
		{"offer-no", "n", kenRow, nil},
		{"file-at", "\x0cwhat does @main.go do?\r", kenRow, []string{"main.go"}},
		{"models", "\x0c:model\r", anyRow, []string{"teapot-70b"}},
		{"", "\x1b", kenRow, nil},
		{"dollar", "\x0c$ls\r", kenRow, []string{"Makefile"}},
		{"search", "\x12big", anyRow, []string{"biggest"}},
		{"", "\x03", kenRow, nil},
		{"long", "\x0ccount for ever\r", anyRow, []string{"one two"}},
		{"stopped", "\x03", kenRow, nil},
		{"leaving", ":quit\r", shellRow, []string{"ken -c"}},
	}
}

func conversations() []step {
	return []step{
		{"continue", "clear; ken -c\r", kenRow, []string{"going on"}},
		{"history", "\x0c:history\r", kenRow, nil},
		{"again", ":quit\r", shellRow, nil},
		{"sessions", "clear; ken sessions list\r", shellRow, nil},
		{"resume", "clear; ken resume\r", anyRow, []string{"resume which?"}},
		{"resume-filter", "main", anyRow, []string{"which? main"}},
		{"", "\x1b", shellRow, nil},
		{"sessions-search", "clear; ken sessions search biggest\r", shellRow, nil},
	}
}

func around() []step {
	return []step{
		{"erase", "clear; cd; ken erase 1\r", askRow, []string{"kettle"}},
		{"erased", "y\r", shellRow, nil},
		{"find", "grep -rl kettle.example .local/share/ken .config/ken .local/state/ken .cache/ken\r", shellRow, nil},
		{"config", "clear; ken config\r", shellRow, nil},
		{"export", "clear; ken export | head -20\r", shellRow, nil},
		{"old-name", "clear; ken add x\r", shellRow, nil},
		{"latin", "clear; LC_ALL=C ken memory list\r", shellRow, nil},
		{"no-color", "clear; NO_COLOR=1 ken --help | head\r", shellRow, nil},
		{"dumb", "clear; TERM=dumb ken\r", kenRow, nil},
		{"dumb-left", "exit\r", shellRow, nil},
	}
}

// answer is the model of the hour: it knows nothing but what it is given.
func answer(r llmtest.Request) llmtest.Script {
	msgs := r.Messages()
	var all strings.Builder
	for _, m := range msgs {
		all.WriteString(m.Content + "\n")
	}
	question, given := msgs[len(msgs)-1].Content, all.String()
	has := func(text string) bool { return strings.Contains(question, text) }
	switch {
	case has("for ever"):
		return llmtest.Hang(strings.SplitAfter("one two three four ", " ")...)
	case strings.Contains(given, "one command line"):
		return words("du -sh .")
	case has("staging") && strings.Contains(given, "kettle.example.org"):
		return words("Run `ssh kettle.example.org`.")
	case has("garden") && has("Fridays"):
		return words("On Fridays.")
	case has("panic") && has("degrees / 0"):
		return words("`brew` divides by zero, in its only line:\n\n```go\n_ = degrees / 0\n```\n")
	case has("2 * 2"):
		return words("About four.")
	case has("went wrong") && has("exit 2"):
		return words("There is no such directory: `/nowhere`.")
	case has("biggest"):
		return words("The biggest file is **main.go**, before `AGENTS.md`:\n\n" +
			"| file | bytes |\n|---|---:|\n| main.go | 142 |\n| AGENTS.md | 127 |\n")
	case has("largest"):
		return words("The largest file is **main.go**.")
	case has("built"):
		return words("All that is made is in `build`, so removing that is enough:\n\nCMD: rm -rf build\n")
	case has("main.go"):
		return words("It calls `brew` with 94 degrees.")
	}
	return words("I do not know.")
}

func words(s string) llmtest.Script { return llmtest.Text(strings.SplitAfter(s, " ")...) }
