package review

import (
	"errors"
	"fmt"
	"time"

	"ken/internal/jsonl"
	"ken/internal/memory"
)

// MaxLine is the longest line that is read, in bytes without its line end: that
// of the memory, whose records stand in it.
const MaxLine = memory.MaxLine

// An entry is what one line of the file says; one of its pointers or erased is set, or
// none for a line of a later version.
type entry struct {
	proposal *Proposal
	decision *Decision
	undo     *Undo
	erased   int64 // the number that an erased line keeps
	most     int64 // the largest number on it
}

// appendLine appends an entry as a line without its end.
func appendLine(dst []byte, e entry) []byte {
	switch {
	case e.proposal != nil:
		return e.proposal.appendLine(dst)
	case e.decision != nil:
		return e.decision.appendLine(dst)
	case e.undo != nil:
		return e.undo.appendLine(dst)
	}
	kind := kindErased
	dst = jsonl.AppendField(append(dst, '{'), "id", &e.erased)
	return append(jsonl.AppendField(dst, "kind", &kind), '}')
}

func (p *Proposal) appendLine(dst []byte) []byte {
	kind, of, origin := kindProposal, string(p.Of), string(p.Origin())
	if origin == "" {
		origin = string(memory.OriginUser)
	}
	dst = appendHead(dst, p.ID, p.Time, kind)
	dst = jsonl.AppendField(dst, "of", &of)
	rec := p.Record
	rec.ID, rec.Time, rec.Origin, rec.Source = memory.ID{}, time.Time{}, "", nil
	dst = rec.AppendJSON(jsonl.AppendName(dst, "record"))
	dst = jsonl.AppendField(dst, "origin", &origin)
	if s := p.Source; s != nil && *s != (memory.Source{}) {
		dst = append(jsonl.AppendName(dst, "source"), '{')
		dst = jsonl.AppendField(dst, "session", &s.Session)
		dst = jsonl.AppendField(dst, "turn", &s.Turn)
		dst = jsonl.AppendField(dst, "agent", &s.Agent)
		dst = jsonl.AppendField(dst, "channel", &s.Channel)
		dst = jsonl.AppendField(dst, "file", &s.File)
		dst = append(jsonl.AppendField(dst, "digest", &s.Digest), '}')
	}
	dst = jsonl.AppendField(dst, "why", &p.Why)
	dst = jsonl.AppendField(dst, "hash", &p.Hash)
	return append(dst, '}')
}

func (d *Decision) appendLine(dst []byte) []byte {
	verdict := string(d.Verdict)
	dst = appendHead(dst, d.ID, d.Time, kindDecision)
	dst = jsonl.AppendField(dst, "target", &d.Target)
	dst = jsonl.AppendField(dst, "verdict", &verdict)
	dst = jsonl.AppendField(dst, "by", &d.By)
	dst = jsonl.AppendField(dst, "wrote", &d.Wrote)
	return append(dst, '}')
}

func (u *Undo) appendLine(dst []byte) []byte {
	dst = appendHead(dst, u.ID, u.Time, kindUndo)
	dst = jsonl.AppendField(dst, "target", &u.Target)
	return append(dst, '}')
}

func appendHead(dst []byte, id int64, at time.Time, kind string) []byte {
	dst = jsonl.AppendField(append(dst, '{'), "id", &id)
	dst = jsonl.AppendField(dst, "ts", &at)
	return jsonl.AppendField(dst, "kind", &kind)
}

// parseLine reads one line that is not blank. Of one that cannot be read it gives the
// largest number that it seems to have.
func parseLine(line []byte) (entry, error) {
	e := entry{}
	fields, _, err := jsonl.Fields(line, nil)
	if err == nil {
		err = e.read(fields)
	}
	if err != nil {
		return entry{most: jsonl.LargestNumber(line, "id", "target")}, err
	}
	return e, nil
}

func (e *entry) read(fields []jsonl.Field) error {
	f := reader{fields: fields}
	id, kind := f.number("id"), f.text("kind")
	at, _ := time.Parse(time.RFC3339Nano, f.text("ts"))
	at = at.UTC()
	target := f.number("target")
	if id < 1 {
		return errors.New("no id")
	}
	e.most = max(id, target)
	switch kind {
	case kindProposal:
		p := &Proposal{ID: id, Time: at, Of: Of(f.text("of")), Why: f.text("why"), Hash: f.text("hash"), Source: f.source()}
		rec, _, err := memory.ParseLine(f.value("record")).AsRecord()
		if err != nil {
			return fmt.Errorf("record: %w", err)
		}
		if !Suggested(rec.Kind) {
			return fmt.Errorf("record: %s is nothing that can be suggested", rec.Kind)
		}
		rec.ID, rec.Origin = memory.ID{}, memory.Origin(f.text("origin"))
		if rec.Origin == memory.OriginUser {
			rec.Origin = ""
		}
		if p.Record = rec; p.Hash == "" {
			p.Hash = Hash(&rec)
		}
		e.proposal = p
	case kindDecision:
		e.decision = &Decision{ID: id, Time: at, Target: target, Verdict: Verdict(f.text("verdict")), By: f.text("by"), Wrote: f.list("wrote")}
	case kindUndo:
		e.undo = &Undo{ID: id, Time: at, Target: target}
	case kindErased:
		e.erased = id
	case "":
		return errors.New("no kind")
	}
	return nil
}

// A reader reads fields of a line by name; what is missing or of another type
// reads as nothing.
type reader struct{ fields []jsonl.Field }

func (r reader) value(name string) jsonl.Value {
	for _, f := range r.fields {
		if string(f.Name) == name {
			return f.Value
		}
	}
	return nil
}

func (r reader) text(name string) string {
	s, _ := r.value(name).Text()
	return s
}

func (r reader) number(name string) int64 {
	n, _ := r.value(name).Int()
	return n
}

func (r reader) list(name string) []string {
	var list []string
	for v := range r.value(name).Elements() {
		if s, ok := v.Text(); ok {
			list = append(list, s)
		}
	}
	return list
}

func (r reader) source() *memory.Source {
	v := r.value("source")
	if v == nil {
		return nil
	}
	fields, _, err := jsonl.Fields(v, nil)
	if err != nil {
		return nil
	}
	s := reader{fields}
	return &memory.Source{
		Session: s.text("session"), Turn: int(s.number("turn")), Agent: s.text("agent"), Channel: s.text("channel"),
		File: s.text("file"), Digest: s.text("digest"),
	}
}
