package rename

import (
	"bytes"
	"slices"
	"time"

	"ken/internal/jsonl"
	"ken/internal/memory"
	"ken/internal/session/scrub"
)

// A Change is what is to be done to a log, and what is known of the others.
type Change struct {
	// To gives the text of a line, which is line itself if it stays.
	To func(e memory.Entry, line []byte) []byte
	// Before and After are all logs, this one first, as they count before and after
	// the change; the entries of this one are not looked at.
	Before, After []memory.Lines
	Now           time.Time
}

// Do gives the bytes of the log with the change done, and how many lines it
// changed. data itself comes back if there are none.
func (c Change) Do(data []byte) (out []byte, changed int, err error) {
	names := make(map[memory.ID]memory.ID)
	to := func(line []byte) []byte {
		e := parse(line)
		now := c.To(e, line)
		if id := e.Record.ID; e.Bad == nil && id.N == 0 && id.Hash != "" && !bytes.Equal(now, line) {
			names[id] = parse(now).Record.ID
		}
		return now
	}
	if out, changed, err = scrub.MapLines(data, to); err != nil || changed == 0 {
		return data, 0, err
	}
	for n := 0; len(names) > n; { // a line that follows may get another name by that
		n = len(names)
		out, _, err = scrub.MapLines(out, func(line []byte) []byte {
			now := c.follow(line, names)
			if e := parse(line); e.Bad == nil && e.Record.ID.N == 0 && e.Record.ID.Hash != "" && !bytes.Equal(now, line) {
				names[e.Record.ID] = parse(now).Record.ID
			}
			return now
		})
		if err != nil {
			return nil, 0, err
		}
	}
	return c.hide(data, out, names), changed, nil
}

// parse reads a line of a file.
func parse(line []byte) memory.Entry {
	return memory.ParseLine(bytes.TrimPrefix(line, []byte("\ufeff")))
}

// entries are the lines of a log.
func entries(data []byte) []memory.Entry {
	var list []memory.Entry
	n := 0
	for line := range bytes.Lines(data) {
		n++
		e := parse(bytes.TrimSuffix(line, []byte("\n")))
		if e.Line = n; e.Bad != nil {
			e.Bad.Line = n
		}
		list = append(list, e)
	}
	return list
}

// fold is the state in which the first of the logs has these lines.
func fold(logs []memory.Lines, data []byte) *memory.State {
	logs = slices.Clone(logs)
	logs[0].Entries = entries(data)
	return memory.Fold(logs...)
}

// follow is a line that names others by the names that they have now.
func (c Change) follow(line []byte, names map[memory.ID]memory.ID) []byte {
	body := bytes.TrimSuffix(bytes.TrimPrefix(line, []byte("\ufeff")), []byte("\r"))
	out := []byte{'{'}
	changed := false
	for f, err := range jsonl.Object(body) {
		if err != nil {
			return line
		}
		value := f.Value
		if slices.Contains([]string{"target", "targets", "cites", "supersedes"}, string(f.Name)) {
			value = c.named(f.Value, names)
		}
		changed = changed || !bytes.Equal(value, f.Value)
		out = append(jsonl.AppendName(out, string(f.Name)), value...)
	}
	if !changed {
		return line
	}
	at := bytes.Index(line, body)
	return slices.Concat(line[:at], append(out, '}'), line[at+len(body):])
}

// named is a reference, or a list of them, by the new names.
func (c Change) named(v jsonl.Value, names map[memory.ID]memory.ID) jsonl.Value {
	switch v.Type() {
	case "string":
		text, _ := v.Text()
		id, err := memory.ParseID(text)
		if err != nil {
			return v
		}
		if now, ok := names[id.From(c.Before[0].Log)]; ok {
			return jsonl.AppendString(nil, now.String())
		}
	case "array":
		out, changed := []byte{'['}, false
		for el := range v.Elements() {
			if len(out) > 1 {
				out = append(out, ',')
			}
			now := c.named(el, names)
			changed = changed || !bytes.Equal(now, el)
			out = append(out, now...)
		}
		if changed {
			return append(out, ']')
		}
	}
	return v
}

// hide appends a line that forgets what would be in force by the change.
func (c Change) hide(before, after []byte, names map[memory.ID]memory.ID) []byte {
	was := make(map[memory.ID]bool)
	for _, it := range fold(c.Before, before).Items() {
		was[it.ID] = true
		if now, ok := names[it.ID]; ok {
			was[now] = true
		}
	}
	state := fold(c.After, after)
	var list []memory.ID
	for _, it := range state.Items() {
		if !was[it.ID] {
			list = append(list, it.ID)
		}
	}
	if len(list) == 0 {
		return after
	}
	rec := memory.Record{
		ID: memory.Num(state.MaxID("") + 1), Time: c.Now.UTC().Truncate(time.Second), Kind: memory.KindForget,
		Detail: &memory.Detail{Targets: list},
	}
	if !bytes.HasSuffix(after, []byte("\n")) {
		after = append(after, '\n')
	}
	return append(rec.AppendJSON(after), '\n')
}
