package memory

import (
	"bytes"
	"slices"
	"strconv"
	"time"

	"ken/internal/jsonl"
)

// AppendJSON appends r as the shortest line that says it, without a line end:
// defaults are left out, fields stand in one order (id, ts, kind, target,
// content, then the rest), and Extra follows as it was read. It is one line,
// whatever the texts hold. ParseRecord reads it back as the same record in
// normal form; a line without id is then named by its new bytes.
//
// A number in r.ID is written without its log: a line stands in its own log.
func (r Record) AppendJSON(dst []byte) []byte {
	l := liner{dst: append(dst, '{')}
	edits := r.Kind.Changes() // a default on a changing line says something
	if r.ID.N != 0 {
		l.number("id", r.ID.N)
	}
	l.time("ts", r.Time)
	l.text("kind", string(r.Kind))
	if !r.Target.IsZero() {
		l.name("target")
		l.dst = r.Target.AppendJSON(l.dst)
	}
	l.ids("targets", r.Targets, false)
	l.text("content", r.Content)
	l.text("key", r.Key)
	if r.Scope != ScopeUser || edits {
		l.text("scope", string(r.Scope))
	}
	l.texts("tags", r.Tags)
	l.source(r.Source)
	if r.Origin != OriginUser {
		l.text("origin", string(r.Origin))
	}
	l.text("by", r.By)
	l.number("review", r.Review)
	if edits || r.Phase != r.Kind.DefaultPhase() {
		l.text("phase", string(r.Phase))
	}
	if edits || r.Tier != TierHot {
		l.text("tier", string(r.Tier))
	}
	if edits || r.Importance != DefaultImportance {
		l.number("importance", int64(r.Importance))
	}
	if r.Pinned {
		l.raw("pinned", "true")
	}
	l.time("expires", r.Expires)
	l.time("valid_from", r.ValidFrom)
	l.time("valid_to", r.ValidTo)
	l.ids("supersedes", r.Supersedes, true)
	l.ids("cites", r.Cites, false)
	l.text("subtype", r.Subtype)
	l.texts("match", r.Match)
	l.text("unless", r.Unless)
	l.text("raise", r.Raise)
	l.text("reason", r.Reason)
	l.texts("sessions", r.Sessions)
	if r.Kind == KindEdit {
		for _, name := range r.Clear {
			l.raw(name, "null")
		}
	}
	for _, f := range r.Extra {
		if fieldOf(f.Name) == fieldUnknown {
			l.raw(f.Name, oneLine(f.Value))
		}
	}
	return append(l.dst, '}')
}

// AppendJSON appends m as a line, without a line end.
func (m Meta) AppendJSON(dst []byte) []byte {
	l := liner{dst: append(dst, `{"meta":{`...)}
	l.number("format", int64(m.Format))
	l.text("log", m.Log)
	l.time("created", m.Created)
	return append(l.dst, "}}"...)
}

// A liner writes the fields of one object. Each method leaves a field out that
// has its zero value.
type liner struct {
	dst    []byte
	behind bool // a field has been written: the next one needs a comma
}

func (l *liner) name(name string) {
	if l.behind {
		l.dst = append(l.dst, ',')
	}
	l.behind = true
	l.dst = append(jsonl.AppendString(l.dst, name), ':')
}

func (l *liner) raw(name, value string) {
	l.name(name)
	l.dst = append(l.dst, value...)
}

func (l *liner) text(name, value string) {
	if value != "" {
		l.name(name)
		l.dst = jsonl.AppendString(l.dst, value)
	}
}

func (l *liner) number(name string, n int64) {
	if n != 0 {
		l.name(name)
		l.dst = strconv.AppendInt(l.dst, n, 10)
	}
}

func (l *liner) time(name string, t time.Time) {
	if !t.IsZero() {
		l.name(name)
		l.dst = append(l.dst, '"')
		l.dst = t.UTC().AppendFormat(l.dst, time.RFC3339Nano)
		l.dst = append(l.dst, '"')
	}
}

func (l *liner) texts(name string, list []string) {
	if len(list) == 0 {
		return
	}
	l.name(name)
	for i, s := range list {
		l.dst = append(l.dst, "[,"[min(i, 1)])
		l.dst = jsonl.AppendString(l.dst, s)
	}
	l.dst = append(l.dst, ']')
}

// ids writes a list of references; a single one bare, if bare is set.
func (l *liner) ids(name string, list []ID, bare bool) {
	if len(list) == 0 {
		return
	}
	l.name(name)
	if bare && len(list) == 1 {
		l.dst = list[0].AppendJSON(l.dst)
		return
	}
	for i, id := range list {
		l.dst = append(l.dst, "[,"[min(i, 1)])
		l.dst = id.AppendJSON(l.dst)
	}
	l.dst = append(l.dst, ']')
}

func (l *liner) source(s *Source) {
	if s == nil || *s == (Source{}) {
		return
	}
	l.name("source")
	in := liner{dst: append(l.dst, '{')}
	in.text("session", s.Session)
	in.number("turn", int64(s.Turn))
	in.text("agent", s.Agent)
	in.text("channel", s.Channel)
	l.dst = append(in.dst, '}')
}

// oneLine returns the JSON value v on one line. Between the tokens of JSON a
// line end is white space, and inside a string it cannot stand.
func oneLine(v []byte) string {
	if bytes.ContainsAny(v, "\r\n") {
		v = slices.Clone(v)
		for i, c := range v {
			if c == '\r' || c == '\n' {
				v[i] = ' '
			}
		}
	}
	return string(v)
}
