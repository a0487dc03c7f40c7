package llm

import (
	"cmp"
	"crypto/sha256"
	"slices"
	"strconv"
	"strings"
)

// fit gives a request as the server called preset takes it: what is asked stays the same, and how it is
// put changes with what the shape has learned. It changes nothing in req.
func (s shape) fit(req Request, preset string) Request {
	if s.noTools || s.noFlag {
		req.Tools = nil
		req.Messages = withoutGuide(req.Messages, req.Guide)
	}
	if len(req.Tools) == 0 {
		req.Messages = flat(req.Messages)
	}
	if s.single {
		req.Messages = oneCallEach(req.Messages)
	}
	req.Messages = withIDs(req.Messages, preset, s.shortIDs)
	if s.noSystem {
		req.Messages = withoutSystem(req.Messages)
	}
	return req
}

// calling reports whether some message calls at least n tools.
func calling(list []Message, n int) bool {
	return slices.ContainsFunc(list, func(m Message) bool { return len(m.ToolCalls) >= n })
}

// withoutGuide leaves out what the first message says of tools.
func withoutGuide(list []Message, guide string) []Message {
	if guide == "" || len(list) == 0 {
		return list
	}
	before, after, ok := strings.Cut(list[0].Content, guide)
	if !ok {
		return list
	}
	list = slices.Clone(list)
	list[0].Content = strings.TrimSpace(strings.TrimRight(before, "\n") + "\n\n" + strings.TrimLeft(after, "\n"))
	return list
}

// flat says calls and results in words: where no tools are offered, servers and the templates of models
// refuse them, or lose their text. Results are questions then, and roles alternate.
func flat(list []Message) []Message {
	has := func(m Message) bool { return len(m.ToolCalls) > 0 || m.Role == roleTool }
	if !slices.ContainsFunc(list, has) {
		return list
	}
	var out []Message
	for _, m := range list {
		switch {
		case m.Role == roleTool:
			m = Message{Role: roleUser, Content: m.Content}
		case len(m.ToolCalls) > 0:
			lines := []string{}
			if m.Content != "" {
				lines = append(lines, m.Content)
			}
			for _, c := range m.ToolCalls {
				lines = append(lines, "(called "+cmp.Or(c.Name, "a tool")+" "+c.Arguments+")")
			}
			m.Content, m.ToolCalls = strings.Join(lines, "\n"), nil
		}
		if last := len(out) - 1; last >= 0 && out[last].Role == m.Role && m.Role != roleSystem {
			m.Content = strings.Trim(out[last].Content+"\n\n"+m.Content, "\n")
			m.Images = append(slices.Clone(out[last].Images), m.Images...)
			out[last] = m
			continue
		}
		out = append(out, m)
	}
	return out
}

// oneCallEach gives each call a message of its own, with its result behind it.
func oneCallEach(list []Message) []Message {
	if !calling(list, 2) {
		return list
	}
	var out []Message
	for i := 0; i < len(list); {
		m := list[i]
		i++
		if len(m.ToolCalls) < 2 {
			out = append(out, m)
			continue
		}
		end := i
		for end < len(list) && list[end].Role == roleTool {
			end++
		}
		for n, c := range m.ToolCalls {
			one := Message{Role: m.Role, Preset: m.Preset, ToolCalls: []ToolCall{c}}
			if n == 0 {
				one.Content, one.Raw = m.Content, m.Raw
			}
			out = append(out, one)
			for _, r := range list[i:end] {
				if r.ToolCallID == c.ID {
					out = append(out, r)
				}
			}
		}
		i = end
	}
	return out
}

// withIDs gives calls names of letters, digits and marks that all take, and the ids that they are sent with: as
// received to the preset that made them, and nine letters and digits, which all servers take, to any other one, and to all with
// short. The same conversation has the same ids.
func withIDs(list []Message, preset string, short bool) []Message {
	if !calling(list, 1) {
		return list
	}
	list = slices.Clone(list)
	taken := make(map[string]bool)
	sent := make(map[string]string) // of the newest message that calls
	for i, m := range list {
		switch {
		case len(m.ToolCalls) > 0:
			own := m.Preset == preset && !short
			list[i].ToolCalls = slices.Clone(m.ToolCalls)
			clear(sent)
			for j, c := range m.ToolCalls {
				id := c.ID
				if !own || id == "" {
					id = shortID(id, taken)
				}
				taken[id], sent[c.ID] = true, id
				list[i].ToolCalls[j].ID, list[i].ToolCalls[j].Name = id, legalName(c.Name)
			}
		case m.ToolCallID != "" || m.Role == roleTool:
			if id, ok := sent[m.ToolCallID]; ok {
				list[i].ToolCallID = id
			}
		}
	}
	return list
}

// legalName is the name of a call as servers take it: a model may have called anything.
func legalName(name string) string {
	const most = 64
	bad := func(r rune) bool {
		return r != '_' && r != '-' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}
	if name != "" && len(name) <= most && !strings.ContainsFunc(name, bad) {
		return name
	}
	name = strings.Map(func(r rune) rune {
		if bad(r) {
			return '_'
		}
		return r
	}, name)
	return cmp.Or(name[:min(len(name), most)], "unknown")
}

// shortID is an id in nine letters and digits that none of taken is: itself, if it has that form.
func shortID(id string, taken map[string]bool) string {
	const letters, size = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", 9
	form := len(id) == size && strings.Trim(id, letters) == ""
	if form && !taken[id] {
		return id
	}
	for n := 0; ; n++ {
		sum := sha256.Sum256([]byte(id + "\x00" + strconv.Itoa(n)))
		short := make([]byte, size)
		for i := range short {
			short[i] = letters[int(sum[i])%len(letters)]
		}
		if !taken[string(short)] {
			return string(short)
		}
	}
}

// withoutSystem puts what the system says at the head of the first question.
func withoutSystem(list []Message) []Message {
	if len(list) == 0 || list[0].Role != roleSystem {
		return list
	}
	system := list[0].Content
	list = slices.Clone(list[1:])
	if len(list) == 0 || list[0].Role != roleUser {
		return append([]Message{{Role: roleUser, Content: system}}, list...)
	}
	list[0].Content = strings.TrimSpace(system + "\n\n" + list[0].Content)
	return list
}
