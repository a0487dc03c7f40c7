package foreign

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"ken/internal/jsonl"
	"ken/internal/memory"
	"ken/internal/session"
)

var errNoConversation = errors.New("no conversation")

// chatGPT reads one conversation of an export, or one saved memory.
func (rd *reader) chatGPT(p piece) error {
	o, err := Parse(p.Bytes)
	if err != nil {
		if p.Name != "" && jsonl.Value(p.Bytes).Type() != "object" {
			return nil // a field beside the list
		}
		return err
	}
	if !o.Has("mapping") {
		return rd.savedMemory(o)
	}
	nodes := make(map[string]node)
	for _, f := range o.In("mapping") {
		if n, err := Parse(f.Value); err == nil {
			nodes[string(f.Name)] = nodeOf(n)
		}
	}
	t := rd.talk(ChatGPT, o.Text("conversation_id", "id"), o.Text("title"), Words(o.Get("create_time")))
	t.title = o.Text("title")
	var saved []Candidate
	for _, id := range branch(nodes, o.Text("current_node")) {
		m := nodes[id].message
		role, to := m.In("author").Text("role"), m.Text("recipient")
		content := m.In("content")
		text := prose(content.Get("parts"), "audio_transcription", "text")
		if text == "" {
			text = content.Text("text")
		}
		if role == "assistant" && to == "bio" { // what ChatGPT writes into its memory
			if c, err := rd.saved(text, m.Time("create_time")); err == nil {
				saved = append(saved, c)
			}
			continue
		}
		if role != "user" && role != "assistant" || to != "" && to != "all" || m.In("metadata").Yes("is_visually_hidden_from_conversation") ||
			!oneOf(content.Text("content_type"), "text", "multimodal_text", "") {
			continue
		}
		t.add(session.Role(role), cmp.Or(m.Text("id"), id), m.In("author").Text("name"), m.Time("create_time"), text)
	}
	t.give(saved...)
	return nil
}

// A node of the tree that a conversation is. Editing a question begins a new
// branch.
type node struct {
	parent  string
	message object
	at      time.Time
	inner   bool // it has children
}

func nodeOf(o object) node {
	n := node{parent: o.Text("parent"), message: o.In("message")}
	n.at = n.message.Time("create_time")
	for range o.Get("children").Elements() {
		n.inner = true
	}
	return n
}

// branch is the way from the root to a node. Without one the newest leaf is taken.
func branch(nodes map[string]node, last string) []string {
	if _, ok := nodes[last]; !ok {
		last = ""
		for id, n := range nodes {
			if old := nodes[last]; !n.inner && (last == "" || n.at.After(old.at) || n.at.Equal(old.at) && id > last) {
				last = id
			}
		}
	}
	var way []string
	seen := make(map[string]bool)
	for id := last; id != "" && !seen[id]; id = nodes[id].parent {
		if _, ok := nodes[id]; !ok {
			break
		}
		seen[id] = true
		way = append(way, id)
	}
	slices.Reverse(way)
	return way
}

// savedMemory reads what is no conversation: one of the memories that the program
// kept of the person.
func (rd *reader) savedMemory(o object) error {
	text := o.Text("content", "memory", "text", "value")
	if text == "" {
		return errNoConversation
	}
	c, err := rd.saved(text, o.Time("created_at", "create_time", "created_timestamp", "updated_at"))
	if err == nil {
		rd.give(Entry{Candidates: []Candidate{c}})
	}
	return err
}

func (rd *reader) saved(text string, at time.Time) (Candidate, error) {
	c := Candidate{Line: rd.at.Line, Why: rd.why(at, "a saved memory")}
	c.Record.Content, c.Record.Kind = text, memory.KindFact
	if pageKind(text) == memory.KindPref {
		c.Record.Kind = memory.KindPref
	}
	return rd.made(c)
}

// claude reads one conversation or project of an export, or what the program kept
// of the person.
func (rd *reader) claude(p piece) error {
	o, err := Parse(p.Bytes)
	if err != nil {
		if p.Name != "" && jsonl.Value(p.Bytes).Type() != "object" {
			return nil
		}
		return err
	}
	switch {
	case o.Has("chat_messages"):
		t := rd.talk(Claude, o.Text("uuid"), o.Text("name"), o.Text("created_at"))
		t.title = o.Text("name")
		for e := range o.Get("chat_messages").Elements() {
			m, err := Parse(e)
			if err != nil {
				rd.bad(err)
				continue
			}
			role, ok := speaker(m.Text("sender", "role"))
			if !ok {
				continue
			}
			text := prose(m.Get("content"), "text")
			if strings.TrimSpace(text) == "" {
				text = m.Text("text")
			}
			for a := range m.Get("attachments").Elements() {
				if file, err := Parse(a); err == nil && file.Text("extracted_content") != "" {
					text += "\n\n" + file.Text("file_name") + "\n" + file.Text("extracted_content")
				}
			}
			t.add(role, m.Text("uuid"), "", m.Time("created_at"), text)
		}
		t.give()
	case o.Has("docs") || o.Has("prompt_template"):
		t := rd.talk(Claude+"-project", o.Text("uuid"), o.Text("name"), o.Text("created_at"))
		t.title = o.Text("name")
		at := o.Time("updated_at", "created_at")
		t.add(session.RoleUser, "description", "", at, o.Text("description"))
		t.add(session.RoleUser, "instructions", "", at, o.Text("prompt_template"))
		for e := range o.Get("docs").Elements() {
			if doc, err := Parse(e); err == nil {
				t.add(session.RoleUser, doc.Text("uuid"), doc.Text("filename"), doc.Time("created_at"), doc.Text("content"))
			}
		}
		t.give()
	case o.Has("conversations_memory") || o.Has("project_memories"):
		return rd.claudeMemory(o)
	default:
		return rd.savedMemory(o)
	}
	return nil
}

// claudeMemory reads the pages that the program wrote about the person and their
// projects.
func (rd *reader) claudeMemory(o object) error {
	pages := []string{o.Text("conversations_memory")}
	for _, f := range o.In("project_memories") {
		pages = append(pages, Words(f.Value))
	}
	var list []Candidate
	for _, text := range pages {
		for _, c := range rd.points(text, true) {
			c.Line = rd.at.Line
			if c, err := rd.made(c); err == nil {
				list = append(list, c)
			}
		}
	}
	rd.give(Entry{Candidates: list})
	return nil
}

// speaker is the role of one who speaks in another program.
func speaker(name string) (session.Role, bool) {
	switch strings.ToLower(name) {
	case "human", "user":
		return session.RoleUser, true
	case "assistant", "model", "gemini", "agent":
		return session.RoleAssistant, true
	}
	return "", false
}
