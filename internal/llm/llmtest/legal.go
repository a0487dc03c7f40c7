package llmtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Rules say which servers a request is to please besides those that take what all take.
type Rules struct {
	OneCall  bool // a message has one call at most
	ShortIDs bool // ids of calls are nine letters and digits, and no two are the same
	NoTools  bool // neither tools nor calls
	NoSystem bool // no system message
	Null     bool // null stands for no text beside calls
}

type legalMessage struct {
	Role      string
	Content   json.RawMessage
	ToolCalls []struct {
		ID       string
		Type     string
		Function struct{ Name, Arguments string }
	} `json:"tool_calls"`
	ToolCallID string `json:"tool_call_id"`
}

// Legal says what the strictest of the servers and templates that are known would refuse in the body of a
// request, or lose on its way to the model; nil: nothing.
func (r Rules) Legal(body []byte) error {
	var req struct {
		Messages []json.RawMessage
		Tools    []json.RawMessage
	}
	var fields map[string]json.RawMessage
	if err := errors.Join(json.Unmarshal(body, &req), json.Unmarshal(body, &fields)); err != nil {
		return err
	}
	if _, ok := fields["tools"]; ok && len(req.Tools) == 0 {
		return errors.New("an empty list of tools")
	}
	if r.NoTools && len(req.Tools) > 0 {
		return errors.New("tools")
	}
	l := legality{Rules: r, tools: len(req.Tools) > 0, ids: make(map[string]bool), want: "user"}
	for i, raw := range req.Messages {
		if err := l.message(i, raw); err != nil {
			return fmt.Errorf("message %d: %w: %s", i, err, raw)
		}
	}
	switch {
	case len(l.open) > 0:
		return fmt.Errorf("calls without results at the end: %q", l.open)
	case l.last != "user" && l.last != "tool":
		return fmt.Errorf("the last message is of %q", l.last)
	}
	return nil
}

// legality is how far a request was read.
type legality struct {
	Rules
	tools bool
	ids   map[string]bool // of all calls
	open  []string        // calls of the newest message that have no result yet
	want  string          // whose turn it is
	last  string
}

func (l *legality) message(i int, raw json.RawMessage) error {
	var m legalMessage
	var fields map[string]json.RawMessage
	if err := errors.Join(json.Unmarshal(raw, &m), json.Unmarshal(raw, &fields)); err != nil {
		return err
	}
	_, calls := fields["tool_calls"]
	text, err := l.text(m)
	switch {
	case err != nil:
		return err
	case calls && (len(m.ToolCalls) == 0 || m.Role != "assistant"):
		return errors.New("a list of calls that is empty, or not the model's")
	case len(m.ToolCalls) > 1 && l.OneCall:
		return errors.New("more than one call")
	case len(m.ToolCalls) > 0 && !l.tools:
		return errors.New("a call, and no tools")
	case len(l.open) > 0 && m.Role != "tool":
		return fmt.Errorf("calls without results: %q", l.open)
	case m.Role != "tool" && len(m.ToolCalls) == 0 && strings.TrimSpace(text) == "":
		return errors.New("no text")
	}
	l.last = m.Role
	switch m.Role {
	case "system":
		if i > 0 || l.NoSystem {
			return errors.New("a system message")
		}
	case "user":
		if l.want != "user" {
			return fmt.Errorf("want one of the %s", l.want)
		}
		l.want = "assistant"
	case "tool":
		at := slices.Index(l.open, m.ToolCallID)
		if at < 0 {
			return errors.New("a result of no open call")
		}
		l.open = slices.Delete(l.open, at, at+1)
		l.want = "assistant"
	case "assistant":
		if l.want != "assistant" {
			return fmt.Errorf("want one of the %s", l.want)
		}
		l.want = "user"
		return l.calls(m)
	default:
		return errors.New("no role of a conversation")
	}
	return nil
}

// text is the text of a message.
func (l *legality) text(m legalMessage) (string, error) {
	var text string
	switch {
	case string(m.Content) == "null" && l.Null && len(m.ToolCalls) > 0:
		return "", nil
	case len(m.Content) > 0 && m.Content[0] == '[' && m.Role == "user": // pictures
		return "pictures", nil
	case len(m.Content) == 0 || m.Content[0] != '"' || json.Unmarshal(m.Content, &text) != nil:
		return "", errors.New("the content is no text")
	case l.Null && text == "":
		return "", errors.New("the content is empty")
	}
	return text, nil
}

func (l *legality) calls(m legalMessage) error {
	for _, c := range m.ToolCalls {
		var args map[string]any
		const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
		switch {
		case c.ID == "" || slices.Contains(l.open, c.ID):
			return errors.New("a call with no id of its own")
		case l.ShortIDs && (len(c.ID) != 9 || strings.Trim(c.ID, letters) != "" || l.ids[c.ID]):
			return fmt.Errorf("the id %q", c.ID)
		case c.Function.Name == "" || len(c.Function.Name) > 64 || strings.Trim(c.Function.Name, letters+"_-") != "":
			return fmt.Errorf("the name %q", c.Function.Name)
		case c.Type != "function":
			return fmt.Errorf("a call of type %q", c.Type)
		case json.Unmarshal([]byte(c.Function.Arguments), &args) != nil || args == nil:
			return errors.New("arguments that are no object")
		}
		l.ids[c.ID] = true
		l.open = append(l.open, c.ID)
	}
	return nil
}
