package engine

import (
	"bytes"
	"slices"
	"time"

	"ken/internal/jsonl"
	"ken/internal/memory"
)

// A renaming changes the text of lines of a log so that nothing else comes to mean
// anything else. A line without a number is named by its bytes: with other bytes it
// has another name, and whatever names it has to follow.
//
//   - A line that is not changed, and names none that gets another name, keeps its
//     bytes; no line is taken away or moved.
//   - What was not in force before is not afterwards. Where a name cannot follow, in
//     a log that is not ours to write, a line that forgets is added.
type renaming struct {
	// to gives the text of a line, which is line itself if it stays.
	to func(e memory.Entry, line []byte) []byte
	// before and after are all logs, this one first, as they count before and after
	// the change; the entries of this one are not looked at.
	before, after []memory.Lines
	now           time.Time
}

// do gives the bytes of the log with the change done, and how many lines it
// changed. data itself comes back if there are none.
func (c renaming) do(data []byte) (out []byte, changed int) {
	names := make(map[memory.ID]memory.ID)
	to := func(line []byte) []byte {
		e := parseOwn(line)
		now := c.to(e, line)
		if id := e.Record.ID; e.Bad == nil && id.N == 0 && id.Hash != 0 && !bytes.Equal(now, line) {
			names[id] = parseOwn(now).Record.ID
		}
		return now
	}
	if out, changed = mapLines(data, to); changed == 0 {
		return data, 0
	}
	for n := 0; len(names) > n; { // a line that follows may get another name by that
		n = len(names)
		out, _ = mapLines(out, func(line []byte) []byte {
			now := c.follow(line, names)
			if e := parseOwn(line); e.Bad == nil && e.Record.ID.N == 0 && e.Record.ID.Hash != 0 && !bytes.Equal(now, line) {
				names[e.Record.ID] = parseOwn(now).Record.ID
			}
			return now
		})
	}
	return c.hide(data, out, names), changed
}

// parseOwn reads a line of a file.
func parseOwn(line []byte) memory.Entry {
	return memory.ParseLine(bytes.TrimPrefix(line, []byte("\ufeff")))
}

// entriesOf are the lines of a log.
func entriesOf(data []byte) []memory.Entry {
	var list []memory.Entry
	n := 0
	for line := range bytes.Lines(data) {
		n++
		e := parseOwn(bytes.TrimSuffix(line, []byte("\n")))
		if e.Line = n; e.Bad != nil {
			e.Bad.Line = n
		}
		list = append(list, e)
	}
	return list
}

// foldWith is the state in which the first of the logs has these lines.
func foldWith(logs []memory.Lines, data []byte) *memory.State {
	logs = slices.Clone(logs)
	logs[0].Entries = entriesOf(data)
	return memory.Fold(logs...)
}

// follow is a line that names others by the names that they have now.
func (c renaming) follow(line []byte, names map[memory.ID]memory.ID) []byte {
	body := bytes.TrimSuffix(bytes.TrimPrefix(line, []byte("\ufeff")), []byte("\r"))
	changed := false
	out, err := jsonl.MapFields(body, func(name string, v jsonl.Value) jsonl.Value {
		if !slices.Contains([]string{"target", "targets", "cites", "supersedes"}, name) {
			return v
		}
		now := c.named(v, names)
		changed = changed || !bytes.Equal(now, v)
		return now
	})
	if err != nil {
		return line
	}
	if !changed {
		return line
	}
	at := bytes.Index(line, body)
	return slices.Concat(line[:at], out, line[at+len(body):])
}

// named is a reference, or a list of them, by the new names.
func (c renaming) named(v jsonl.Value, names map[memory.ID]memory.ID) jsonl.Value {
	switch v.Type() {
	case "string":
		text, _ := v.Text()
		id, err := memory.ParseID(text)
		if err != nil {
			return v
		}
		if now, ok := names[id.From(c.before[0].Log)]; ok {
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
func (c renaming) hide(before, after []byte, names map[memory.ID]memory.ID) []byte {
	was := make(map[memory.ID]bool)
	for _, it := range foldWith(c.before, before).Items() {
		was[it.ID] = true
		if now, ok := names[it.ID]; ok {
			was[now] = true
		}
	}
	state := foldWith(c.after, after)
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
		ID: memory.Num(state.MaxID("") + 1), Time: c.now.UTC().Truncate(time.Second), Kind: memory.KindForget,
		Detail: &memory.Detail{Targets: list},
	}
	if !bytes.HasSuffix(after, []byte("\n")) {
		after = append(after, '\n')
	}
	return append(rec.AppendJSON(after), '\n')
}

// mapLines puts to(line) in the place of each line, line ends left out, and returns how
// many it changed.
func mapLines(data []byte, to func(line []byte) []byte) (out []byte, changed int) {
	for line := range bytes.Lines(data) {
		text, ended := bytes.CutSuffix(line, []byte("\n"))
		now := to(text)
		if !bytes.Equal(text, now) {
			changed++
		}
		if out = append(out, now...); ended {
			out = append(out, '\n')
		}
	}
	return out, changed
}
