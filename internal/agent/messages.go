package agent

import (
	"slices"
	"strings"

	"ken/internal/frame"
	"ken/internal/llm"
	"ken/internal/session"
)

// Roles of messages.
const (
	roleSystem    = "system"
	roleUser      = string(session.RoleUser)
	roleAssistant = string(session.RoleAssistant)
	roleTool      = string(session.RoleTool)
)

// messages gives turns as they are sent. Roles that are none of a conversation
// are left out: a line of a session file must not speak as the system.
func messages(turns []session.Turn, mask func(string) string) []llm.Message {
	return withPictures(turns, mask, &pictures{})
}

// messages gives turns with the pictures that are held of them.
func (tr *Transcript) messages(turns []session.Turn) []llm.Message {
	return withPictures(turns, tr.o.mask, &tr.pictures)
}

func withPictures(turns []session.Turn, mask func(string) string, held *pictures) []llm.Message {
	var list []llm.Message
	for _, t := range turns {
		if t.Role != session.RoleUser && t.Role != session.RoleAssistant && t.Role != session.RoleTool {
			continue
		}
		m, gone := message(t), []string(nil)
		if t.Role == session.RoleUser {
			m.Images, gone = held.of(t)
		}
		for _, name := range gone {
			m.Content += "\n\n(the picture " + name + " is not shown)"
		}
		list = append(list, m)
	}
	list = dropEmpty(pair(list))
	for len(list) > 0 && list[0].Role != roleUser {
		list = list[1:]
	}
	return answered(alternate(list, mask))
}

// stopped stands for the answer to results that never came: some templates refuse a question right behind a
// result.
const stopped = "(stopped)"

// answered puts an answer between a result and a question.
func answered(list []llm.Message) []llm.Message {
	var out []llm.Message
	for i, m := range list {
		if i > 0 && m.Role == roleUser && list[i-1].Role == roleTool {
			out = append(out, llm.Message{Role: roleAssistant, Content: stopped})
		}
		out = append(out, m)
	}
	return out
}

// message is a recorded turn as it is sent again. Who is not the person opens no block. Calls that cannot be read are
// left out: a server refuses broken ones.
func message(t session.Turn) llm.Message {
	m := llm.Message{Role: string(t.Role), Content: t.Content}
	switch t.Role {
	case session.RoleUser:
		m.Content = quiet(t)
	case session.RoleTool: // framed with its call
		m.Content, m.ToolCallID = t.Content, t.ToolCallID
	case session.RoleAssistant:
		m.Content, m.Preset = frame.Data(t.Content), t.Model
		if calls, err := llm.ParseToolCalls(t.ToolCalls); err == nil {
			for i := range calls {
				calls[i].Arguments = frame.Tokens(calls[i].Arguments)
			}
			m.ToolCalls = calls
		}
		if t.Finish != session.FinishCancelled && t.Finish != session.FinishError {
			m.Raw = t.Raw
		}
	}
	return m
}

// quiet is a question without role tokens in what the person did not type of it.
func quiet(t session.Turn) string {
	before, typed, behind := aroundTyped(t)
	if before+behind == "" && t.From != "" || t.Speaker != "" {
		return frame.Tokens(t.Content) // all of it was piped in, or somebody else said it
	}
	return frame.Tokens(before) + typed + frame.Tokens(behind)
}

// pair leaves out the calls of tools that have no result right behind them, as
// an interruption leaves them, and the results that have no call: servers
// refuse both.
func pair(list []llm.Message) []llm.Message {
	var out []llm.Message
	for i := 0; i < len(list); {
		m := list[i]
		i++
		if m.Role == roleTool {
			continue // its call is not here
		}
		var results []llm.Message
		open, names := make(map[string]bool), make(map[string]string)
		for _, call := range m.ToolCalls {
			open[call.ID], names[call.ID] = true, call.Name
		}
		for ; len(m.ToolCalls) > 0 && i < len(list) && list[i].Role == roleTool; i++ {
			if id := list[i].ToolCallID; open[id] {
				open[id] = false
				list[i].Content = frame.Result(names[id], id, list[i].Content)
				results = append(results, list[i])
			}
		}
		var calls []llm.ToolCall
		kept := make(map[string]bool)
		for _, call := range m.ToolCalls {
			if !open[call.ID] && !kept[call.ID] {
				kept[call.ID] = true
				calls = append(calls, call)
			}
		}
		m.ToolCalls = calls
		out = append(append(out, m), results...)
	}
	return out
}

// dropEmpty leaves out messages that say nothing.
func dropEmpty(list []llm.Message) []llm.Message {
	var out []llm.Message
	for _, m := range list {
		if m.Role == roleTool || len(m.ToolCalls) > 0 || len(m.Images) > 0 || strings.TrimSpace(m.Content) != "" {
			out = append(out, m)
		}
	}
	return out
}

// alternate makes one message of neighbours of the same role, results of tools
// excepted, as answers that never came leave them. What was harmless in two may
// be a secret in one, so joined text is masked anew.
func alternate(list []llm.Message, mask func(string) string) []llm.Message {
	var out []llm.Message
	for _, m := range list {
		last := len(out) - 1
		if last < 0 || m.Role == roleTool || m.Role != out[last].Role {
			out = append(out, m)
			continue
		}
		if m.Raw == nil {
			m.Raw = out[last].Raw
		}
		m.Images = append(slices.Clone(out[last].Images), m.Images...)
		m.Content = mask(strings.TrimSpace(out[last].Content + "\n\n" + m.Content))
		out[last] = m
	}
	return out
}
