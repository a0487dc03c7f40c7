package foreign

import (
	"cmp"
	"strings"

	"ken/internal/jsonl"
	"ken/internal/session"
)

// claudeCode reads one line of a session of Claude Code. What people and the model
// said is taken, not what tools did.
func (rd *reader) claudeCode(p piece) error {
	o, err := Parse(p.Bytes)
	if err != nil {
		return err
	}
	m := o.In("message")
	role, ok := speaker(m.Text("role"))
	if !ok || !oneOf(o.Text("type"), "user", "assistant") || o.Yes("isMeta") || o.Yes("isSidechain") || o.Yes("isCompactSummary") {
		return nil
	}
	text := prose(m.Get("content"), "text")
	if isMachine(text) {
		return nil
	}
	t := rd.talk(ClaudeCode, cmp.Or(o.Text("sessionId"), rd.stem()))
	t.scope = rd.dirScope(o.Text("cwd"))
	t.n = p.Line - 1 // a line is a turn, by number where it has no name
	t.add(role, o.Text("uuid"), "", o.Time("timestamp"), text)
	t.give()
	return nil
}

// isMachine reports whether a text that stands as the person's was put there by the
// program.
func isMachine(text string) bool {
	text = strings.TrimSpace(text)
	for _, mark := range []string{
		"<command-", "<local-command", "<system-reminder>", "<environment_context>", "<user_instructions>", "<permissions", "<user_shell_command>",
		"<INSTRUCTIONS>", "# AGENTS.md instructions", "[Request interrupted", "Caveat: The messages below",
	} {
		if strings.HasPrefix(text, mark) {
			return true
		}
	}
	return false
}

// A codex reads the lines of a rollout of Codex.
type codex struct {
	rd      *reader
	session string
	scope   string
}

func (c *codex) line(p piece) error {
	o, err := Parse(p.Bytes)
	if err != nil {
		return err
	}
	at, in := o.Time("timestamp"), o.In("payload")
	switch o.Text("type") {
	case "session_meta", "turn_context":
		c.head(in)
		return nil
	case "response_item":
		o = in
	case "message": // before lines had a payload
	case "":
		c.head(o)
		return nil
	default:
		return nil
	}
	role, ok := speaker(o.Text("role"))
	text := prose(o.Get("content"), "input_text", "output_text", "text")
	if !ok || o.Text("type") != "message" || isMachine(text) {
		return nil
	}
	t := &talk{rd: c.rd, session: c.session, scope: cmp.Or(c.scope, c.rd.Scope), n: p.Line - 1}
	t.add(role, "", "", at, text)
	t.give()
	return nil
}

// head reads a line that says of which session the others are.
func (c *codex) head(o object) {
	if id := o.Text("id"); id != "" && o.Has("timestamp") {
		c.session = c.rd.talk(Codex, id).session
	}
	if dir := o.Text("cwd"); dir != "" {
		c.scope = c.rd.dirScope(dir)
	}
}

// A gemini reads the conversations of Gemini CLI: one to a file with its messages,
// a log of what was asked in many, or a checkpoint without names.
type gemini struct {
	rd *reader
	id string
	n  int // messages so far, for those without a name
}

func (g *gemini) piece(p piece) error {
	if p.Name != "" && p.Name != "messages" {
		if s, ok := jsonl.Value(p.Bytes).Text(); ok && p.Name == "sessionId" {
			g.id = s
		}
		return nil
	}
	o, err := Parse(p.Bytes)
	if err != nil {
		return err
	}
	g.id = cmp.Or(o.Text("sessionId"), g.id)
	if list := o.Get("messages"); list.Type() == "array" {
		for e := range list.Elements() {
			if m, err := Parse(e); err != nil {
				g.rd.bad(err)
			} else {
				g.message(m)
			}
		}
		return nil
	}
	g.message(o)
	return nil
}

func (g *gemini) message(o object) {
	g.n++
	role, ok := speaker(o.Text("type", "role"))
	if !ok {
		return
	}
	text := o.Text("message")
	if text == "" {
		text = prose(o.Get("content"), "text", "")
	}
	if text == "" {
		text = prose(o.Get("parts"), "text", "")
	}
	if isMachine(text) {
		return
	}
	t := g.rd.talk(Gemini, cmp.Or(g.id, g.rd.stem()))
	t.n = g.n - 1
	id := o.Text("id")
	if n := o.Get("messageId"); id == "" && len(n) > 0 && n.Type() == "number" {
		id = string(n)
	}
	t.add(session.Role(role), id, "", o.Time("timestamp"), text)
	t.give()
}
