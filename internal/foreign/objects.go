package foreign

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"ken/internal/jsonl"
	"ken/internal/memory"
)

// maxWindow is how many objects are held back until what they supersede is found:
// so many are proposed at once.
const maxWindow = 20_000

// A window holds objects until their relations are known.
type window struct {
	rd   *reader
	held []held
	byID map[string]int
	dirs map[string]string // of the sessions of Engram, by their ids
}

// A held object, with what it supersedes by the other program's ids.
type held struct {
	Candidate
	title string
	old   []string
}

// object reads one value: an object, or one that has objects by their ids.
func (w *window) object(p piece) error {
	if p.Name != "" && (jsonl.Value(p.Bytes).Type() != "object" || oneOf(p.Name, "prompts", "relations")) {
		return nil // beside the list: Engram keeps when it was asked, and what
	}
	o, err := Parse(p.Bytes)
	if err != nil || o.Text("deleted_at") != "" {
		return err
	}
	if p.Name == "sessions" {
		w.dirs[Words(o.Get("id"))] = o.Text("directory")
		return nil
	}
	if o.Text("content", "memory", "text", "title", "body", "description") != "" {
		return w.add(o, "")
	}
	if oneOf(p.Name, "memories", "items", "objects", "results", "observations") {
		return errNoText
	}
	n := 0
	for _, f := range o {
		inner, err := Parse(f.Value)
		if f.Value.Type() != "object" || err != nil {
			continue
		}
		n++
		if err := w.add(inner, string(f.Name)); err != nil {
			w.rd.bad(err)
		}
	}
	if n == 0 && p.Name == "" {
		return errNoText
	}
	return nil
}

func (w *window) add(o object, id string) error {
	title := strings.TrimSpace(o.Text("title", "name", "summary"))
	text := strings.TrimSpace(o.Text("content", "memory", "text", "body", "description"))
	switch {
	case title == "" || strings.EqualFold(title, text) || strings.HasPrefix(text, title+": "):
		title, text = "", cmp.Or(text, title)
	case text == "":
		title, text = "", title
	default:
		text = title + ": " + text
	}
	h := held{title: clip(cmp.Or(title, text), 60), old: append(o.List("supersedes"), o.List("replaces")...)}
	r := &h.Record
	r.Content = text
	kinded(r, o.Text("type", "kind", "category"))
	sourced(r, o)
	w.rd.scoped(r, o.Text("scope"))
	if dir := w.dirs[Words(o.Get("session_id"))]; dir != "" && oneOf(o.Text("scope"), "", "project") {
		r.Scope = memory.Scope(w.rd.dirScope(dir))
	}
	r.Tags = append(append(r.Tags, o.List("tags")...), o.List("categories")...)
	r.Key = o.Text("topic_key") // of Engram: a later one takes the place of an earlier
	if project := o.Text("project"); project != "" {
		r.Tags = append(r.Tags, "project:"+project)
	}
	if profile := o.Text("profile"); profile != "" {
		r.Tags = append(r.Tags, ProfileTag(profile))
	}
	r.Detail = &memory.Detail{Expires: o.Time("expires", "expires_at")}
	if tier := memory.Tier(strings.ToLower(o.Text("tier"))); tier == memory.TierArchive || slices.Contains(r.Tags, "tier:archive") {
		r.Detail.Tier = memory.TierArchive
	}
	used := ""
	if at := o.Time("last_used_at"); !at.IsZero() {
		used = "last used " + at.Format(time.DateOnly)
	}
	h.Why = w.rd.why(o.Time("confirmed_at", "updated_at", "created_at", "ts"), used)
	h.Line = w.rd.at.Line
	made, err := w.rd.made(h.Candidate)
	if err != nil {
		return err
	}
	h.Candidate = made
	if id = cmp.Or(Words(o.Get("id")), id); id != "" {
		w.byID[id] = len(w.held)
	}
	if w.held = append(w.held, h); len(w.held) >= maxWindow {
		w.flush()
	}
	return nil
}

// flush hands over what is held. What supersedes comes after what it supersedes,
// and both have one key: once a person has said yes to both, the later one counts.
func (w *window) flush() {
	depth := make([]int, len(w.held))
	for i := range w.held {
		h := &w.held[i]
		for _, id := range h.old {
			j, known := w.byID[id]
			if !known || j == i {
				h.Why += fmt.Sprintf(", takes the place of %s, which is not there", clip(id, 40))
				continue
			}
			h.Why += fmt.Sprintf(", takes the place of %q", w.held[j].title)
		}
		root, n := w.root(i)
		if depth[i] = n; n > 0 {
			key := keyOf(w.held[root].Record.Content)
			h.Record.Key, w.held[root].Record.Key = key, key
		}
	}
	order := make([]int, len(w.held))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(depth[a], depth[b]) })
	for _, i := range order {
		w.rd.give(Entry{Candidates: []Candidate{w.held[i].Candidate}})
	}
	w.held, w.byID = nil, make(map[string]int)
}

// root is what an object supersedes in the end, over so many steps; none if the
// way there is a circle, or leads where another scope holds.
func (w *window) root(i int) (root, steps int) {
	for root = i; steps <= len(w.held); steps++ {
		next := -1
		for _, id := range w.held[root].old {
			if j, known := w.byID[id]; known && j != root && w.held[j].Record.Scope == w.held[i].Record.Scope {
				next = j
				break
			}
		}
		if next < 0 {
			return root, steps
		}
		root = next
	}
	return i, 0
}

func keyOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "was-" + hex.EncodeToString(sum[:4])
}

// graph reads one line or element of a knowledge graph. An observation is a
// candidate of its own, and so is a relation.
func (rd *reader) graph(p piece) error {
	o, err := Parse(p.Bytes)
	if err != nil {
		return err
	}
	var list []Candidate
	add := func(text, tag, why string) {
		c := Candidate{Line: p.Line, Why: rd.why(o.Time("createdAt", "created_at", "ts"), why)}
		c.Record.Content = text
		kinded(&c.Record, "fact")
		sourced(&c.Record, o)
		if tag != "" {
			c.Record.Tags = []string{tag}
		}
		c, err := rd.made(c)
		if err != nil {
			rd.bad(err)
			return
		}
		list = append(list, c)
	}
	name, from, to := o.Text("name"), o.Text("from"), o.Text("to")
	switch {
	case name != "":
		for e := range o.Get("observations").Elements() {
			text := Words(e)
			if e.Type() == "object" {
				if inner, err := Parse(e); err == nil {
					text = inner.Text("content", "text", "observation")
				}
			}
			if strings.TrimSpace(text) == "" {
				continue
			}
			if !strings.HasPrefix(text, name+": ") {
				text = name + ": " + text
			}
			add(text, o.Text("entityType"), "of "+clip(name, 60))
		}
	case from != "" && to != "":
		add(from+" "+cmp.Or(o.Text("relationType"), "is related to")+" "+to, "", "a relation")
	default:
		return errNoEntity
	}
	rd.give(Entry{Candidates: list})
	return nil
}

var errNoEntity = errors.New("neither an entity with a name nor a relation from and to")
