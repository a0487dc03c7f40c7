//go:build unix

package main

import (
	"regexp"
	"strings"
	"time"

	"ken/internal/llm/llmtest"
)

// A scene is what somebody types, and what each step must bring.
type scene struct {
	name       string
	rows, cols int
	steps      []step
	files      map[string]string // what is there before, by name: text, in the home directory
}

type step struct {
	name  string // of the picture that its end is; "" for none
	keys  string
	until *regexp.Regexp
	read  time.Duration // how long it takes to read what came; at least readTime
}

// prompt is that of the shell in which ken is started.
const prompt = "$ "

// scenes are all of them.
func scenes() []scene {
	ken := regexp.MustCompile(`^\[ken.*> $`)
	shell := regexp.MustCompile(`^\$ $`)
	return []scene{
		{name: "first-minute", rows: 20, cols: 80, steps: []step{
			{keys: "ken\r", until: ken},
			{keys: "how do I get to staging?\r", until: ken},
			{keys: ":remember the staging host is kettle.example.org\r", until: ken},
			{keys: ":remember --kind pref answer in one short sentence\r", until: ken},
			{keys: ":quit\r", until: shell},
			{keys: "clear\r", until: shell},
			{keys: "ken\r", until: ken},
			{keys: "how do I get to staging?\r", until: ken},
			{name: "why", keys: ":why\r", until: ken, read: 4 * time.Second},
			{keys: ":quit\r", until: shell},
			{keys: "clear\r", until: shell},
			{keys: "grep kettle ~/.local/share/ken/memory.jsonl\r", until: shell, read: 2 * time.Second},
			{keys: "sed -i s/kettle/teapot/ ~/.local/share/ken/memory.jsonl\r", until: shell},
			{keys: "ken ask 'how do I get to staging?'\r", until: shell},
			{keys: "ken forget 1\r", until: shell},
		}},
		{
			name: "gate", rows: 20, cols: 80,
			files: map[string]string{"app/build/app.o": "", "app/Makefile": "all:\n\tcc -o build/app app.c\n"},
			steps: []step{
				{keys: "cd app && ken\r", until: ken},
				{keys: "how do I get rid of what was built?\r", until: regexp.MustCompile(`> $`)},
				{name: "gate", keys: "?", until: regexp.MustCompile(`> $`), read: 3 * time.Second},
				{keys: "n", until: ken},
			},
		},
		{
			name: "review", rows: 14, cols: 80,
			files: map[string]string{"CLAUDE.md": "# Project\n\n- Run `make check` before every commit.\n" +
				"- The API lives in `internal/api`; its tests need Redis.\n- Never push to `main`.\n"},
			steps: []step{
				{keys: "ken import CLAUDE.md\r", until: shell},
				{keys: "ken review\r", until: regexp.MustCompile(`next > $`)},
				{name: "review", keys: "y", until: regexp.MustCompile(`next > $`), read: 3 * time.Second},
			},
		},
	}
}

// answer is the model of the scenes: it knows nothing but what it is given.
func answer(r llmtest.Request) llmtest.Script {
	msgs := r.Messages()
	all := ""
	for _, m := range msgs {
		all += m.Content + "\n"
	}
	question := msgs[len(msgs)-1].Content
	switch {
	case strings.Contains(question, "staging") && strings.Contains(all, "kettle.example.org"):
		return words("Run `ssh kettle.example.org`.")
	case strings.Contains(question, "staging") && strings.Contains(all, "teapot.example.org"):
		return words("Run `ssh teapot.example.org`.")
	case strings.Contains(question, "staging"):
		return words("I do not know the name of your staging host. What is it called, and do you log in by `ssh`?")
	}
	if strings.Contains(question, "built") {
		return words("Everything that the Makefile makes is in `build`, so removing that directory is enough:\n\nCMD: rm -rf build\n")
	}
	return words("I do not know.")
}

func words(s string) llmtest.Script { return llmtest.Text(strings.SplitAfter(s, " ")...) }
