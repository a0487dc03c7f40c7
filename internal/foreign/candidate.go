package foreign

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"ken/internal/jsonl"
	"ken/internal/memory"
	"ken/internal/termsafe"
	"ken/internal/text"
)

// A Candidate is a memory of another program, as it may be proposed here: a
// person decides.
type Candidate struct {
	// Record has kind, content, key, scope, tags, tier and expiry, and its origin:
	// import, or external where the text came from the web or a tool.
	Record memory.Record
	Why    string // for the person who decides: where it comes from
	Line   int    // of the file, from 1
}

var errNoText = errors.New("no text")

// Limits of what is taken along of another program's labels.
const (
	maxTags  = 20
	maxLabel = 120 // bytes of a key or tag
)

// made cleans and checks a candidate.
func (o Options) made(c Candidate) (Candidate, error) {
	r := &c.Record
	r.Content = strings.TrimSpace(termsafe.Clean(r.Content))
	if r.Content == "" {
		return c, errNoText
	}
	// A mask is longer than a short secret: what is near the limit is masked
	// here, to know.
	n := len(r.Content)
	if n > memory.MaxContent/4 && n <= memory.MaxContent {
		n = max(n, len(o.Mask(r.Content)))
	}
	if n > memory.MaxContent {
		return c, fmt.Errorf("the text has %d bytes: a memory holds %d at most", n, memory.MaxContent)
	}
	if r.Kind == "" {
		r.Kind = memory.KindFact
	}
	if r.Origin == "" {
		r.Origin = memory.OriginImport
	}
	if r.Scope == "" {
		r.Scope = memory.Scope(o.Scope)
	}
	if r.Scope == memory.ScopeUser {
		r.Scope = ""
	}
	if len(r.Key) > maxLabel || termsafe.Line(r.Key) != r.Key {
		r.Key = ""
	}
	var tags []string
	for _, t := range r.Tags {
		if t = strings.TrimSpace(termsafe.Line(t)); t != "" && len(t) <= maxLabel && len(tags) < maxTags {
			tags = append(tags, t)
		}
	}
	r.Tags = tags
	if c.Why == "" {
		c.Why = "from " + o.from()
	}
	return c, nil
}

// kindOf is the kind that another program's word stands for, an alias as it is;
// "" if it is none that is known.
func kindOf(word string) memory.Kind {
	word = strings.ToLower(strings.TrimSpace(word))
	if k, _ := memory.ParseKind(word); k.Known() && !k.Changes() {
		return memory.Kind(word)
	}
	switch word {
	case "preferences", "feedback", "setting", "settings":
		return memory.KindPref
	case "conventions", "style", "standard":
		return memory.KindConvention
	case "bug", "bugfix", "pitfall", "warning", "error", "gotchas":
		return memory.KindGotcha
	case "architecture", "design", "decisions":
		return memory.KindDecision
	case "howto", "how-to", "procedure", "command", "workflows":
		return memory.KindWorkflow
	case "todo", "task", "goals", "plan":
		return memory.KindGoal
	case "learning", "insight", "lessons":
		return memory.KindLesson
	case "synthesis", "patterns":
		return memory.KindPattern
	case "project", "state":
		return memory.KindSetting
	case "reference", "link", "url":
		return memory.KindSource
	case "rules":
		return memory.KindRule
	case "", "note", "notes", "observation", "memory", "user", "facts", "knowledge", "info":
		return memory.KindFact
	}
	return ""
}

// kinded gives a record the kind of a word; a word that says nothing here becomes
// a tag of a fact.
func kinded(r *memory.Record, word string) {
	if r.Kind = kindOf(word); r.Kind == "" {
		r.Kind, r.Tags = memory.KindFact, append(r.Tags, word)
	}
	if r.Kind == memory.KindSource {
		r.Origin = memory.OriginExternal
	}
}

// sourced lowers the origin of a record that says that it comes from the web or a
// tool.
func sourced(r *memory.Record, o object) {
	for _, name := range []string{"origin", "source", "source_type", "channel"} {
		s := o.Text(name)
		if oneOf(s, "web", "external", "tool", "url", "browser", "fetch", "search", "page", "mcp", "http") ||
			strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://") {
			r.Origin = memory.OriginExternal
		}
	}
}

// scoped puts a record where another program says that it holds. What is of the
// directory where one works is of Options.Scope; so is what has a name that says
// nothing here, and the name becomes a tag.
func (o Options) scoped(r *memory.Record, name string) {
	kind, place, _ := strings.Cut(name, ":")
	switch {
	case oneOf(name, "", "cwd", "here", "project", "local", "repo", "workspace", "dir"):
		r.Scope = memory.Scope(o.Scope)
	case oneOf(name, "user", "global", "personal"):
		r.Scope = memory.ScopeUser
	case (kind == "repo" || kind == "dir") && place != "" && !o.unsafe(name):
		r.Scope = memory.Scope(name)
	case (strings.HasPrefix(name, "/") || strings.HasPrefix(name, "~/")) && !o.unsafe(name):
		r.Scope = memory.Scope("dir:" + name)
	default:
		r.Scope = memory.Scope(o.Scope)
		r.Tags = append(r.Tags, "scope:"+name)
	}
}

// why is where something comes from, and since when it stands there.
func (o Options) why(at time.Time, more ...string) string {
	parts := []string{"from " + o.from()}
	if !at.IsZero() {
		parts = append(parts, "of "+at.UTC().Format(time.DateOnly))
	}
	for _, m := range more {
		if m = strings.TrimSpace(m); m != "" {
			parts = append(parts, m)
		}
	}
	return strings.Join(parts, ", ")
}

// Stated returns the text of a memory that says value of key: the value alone where it
// is a sentence by itself. Without the key and its colon it is the
// value again.
func Stated(key, value string) string {
	if key == "" || len(strings.Fields(value)) > 3 && !strings.HasPrefix(value, key+": ") {
		return value
	}
	return key + ": " + value
}

// entries are the records of a list, or of an object by their keys.
func entries(v jsonl.Value, yield func(key string, v jsonl.Value)) {
	for e := range v.Elements() {
		yield("", e)
	}
	if v.Type() != "object" {
		return
	}
	if o, err := Parse(v); err == nil {
		for _, f := range o {
			yield(string(f.Name), f.Value)
		}
	}
}

// clip is a text of at most n bytes, and a sign if there was more.
func clip(s string, n int) string {
	if cut := text.CutBytes(s, n); cut != s {
		return cut + "..."
	}
	return s
}
