package agent

import (
	"fmt"
	"strings"

	"ken/internal/llm"
	"ken/internal/session"
	"ken/internal/termsafe"
)

// An EmptyError says that an answer ended in order and has no text.
type EmptyError struct {
	Preset    string   // that answered
	Finish    string   // how the server says that it ended
	Reasoning bool     // it holds reasoning
	Calls     []string // the tools that it asks for, none of which it was offered
}

func (e *EmptyError) Error() string {
	text := "the answer is empty"
	if e.Preset != "" {
		text = "model " + e.Preset + ": " + text
	}
	switch {
	case len(e.Calls) > 0:
		return fmt.Sprintf("%s: it asks for the tool %s, which it was not offered", text, strings.Join(e.Calls, ", "))
	case e.Reasoning:
		text += ": there is reasoning and no answer behind it"
	}
	if e.Finish != "" && e.Finish != session.FinishStop {
		text += " (" + e.Finish + ")"
	}
	return text
}

// Hint returns the next step.
func (e *EmptyError) Hint() string {
	switch {
	case e.Finish == session.FinishLength:
		return "ask for less, or raise max_tokens of this model"
	case e.Finish == "content_filter":
		return "its operator refuses to answer this; put it in other words, or ask another model"
	}
	return "ask again, or ask another model; the question is not sent again by itself"
}

// emptiness is what is wrong with an answer that ended in order and says nothing; nil if
// it says something, or if it broke off, which is reported as that.
func emptiness(a llm.Answer) error {
	if speaks(a) || a.Truncated {
		return nil
	}
	e := &EmptyError{Preset: a.Preset, Finish: termsafe.Line(a.Finish), Reasoning: strings.TrimSpace(a.Reasoning) != ""}
	const most = 3
	for _, call := range a.Message.ToolCalls[:min(most, len(a.Message.ToolCalls))] {
		e.Calls = append(e.Calls, fmt.Sprintf("%q", termsafe.Cut(termsafe.Line(call.Name), 60)))
	}
	return e
}

// speaks reports whether an answer has a word for the person.
func speaks(a llm.Answer) bool { return strings.TrimSpace(termsafe.Clean(a.Message.Content)) != "" }
