package logtest

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"sync"
	"time"

	"ken/internal/jsonl"
	"ken/internal/memory"
)

// Memory is a memory.Log that is gone when the test ends. It holds lines, not
// records, so that what is read has been written and parsed, and damaged lines
// are possible. It is safe for concurrent use, reads no clock and makes no
// random choice.
type Memory struct {
	mu     sync.Mutex
	name   string
	lines  []string
	ends   []jsonl.Mark // behind each line
	broken error
}

var (
	_ memory.Log    = (*Memory)(nil)
	_ memory.Tipper = (*Memory)(nil)
)

// NewMemory returns an empty log of that name, without a meta line.
func NewMemory(name string) *Memory { return &Memory{name: name} }

// Insert puts a line at the end as a person would: whatever it is.
func (m *Memory) Insert(line string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.put(append(m.lines, line))
}

// Lines returns the lines of the log.
func (m *Memory) Lines() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]string(nil), m.lines...)
}

// Edit replaces all lines by what change makes of them, as a person would in an
// editor.
func (m *Memory) Edit(change func(lines []string) []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.put(change(append([]string(nil), m.lines...)))
}

// Break has every call from now on fail with err and do nothing; nil mends the
// log.
func (m *Memory) Break(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.broken = err
}

// put sets the lines.
func (m *Memory) put(lines []string) {
	m.lines, m.ends = lines, nil
	var at jsonl.Mark
	for _, line := range lines {
		at = at.Add([]byte(line + "\n"))
		m.ends = append(m.ends, at)
	}
}

// end is the position behind the last line.
func (m *Memory) end() memory.Cursor {
	if len(m.ends) == 0 {
		return ""
	}
	return memory.Cursor(m.ends[len(m.ends)-1].String())
}

// after returns the entries behind the cursor.
func (m *Memory) after(ctx context.Context, at memory.Cursor) ([]memory.Placed, error) {
	if m.broken != nil {
		return nil, m.broken
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	from := 0
	if at != "" {
		mark, err := jsonl.ParseMark(string(at))
		if err != nil || mark.Lines < 1 || mark.Lines > len(m.ends) || m.ends[mark.Lines-1] != mark {
			return nil, memory.ErrStale
		}
		from = mark.Lines
	}
	var list []memory.Placed
	for i := from; i < len(m.lines); i++ {
		e := memory.Placed{Entry: memory.ParseLine([]byte(m.lines[i])), At: memory.Cursor(m.ends[i].String())}
		if e.Record.Kind == "" && e.Meta == nil && e.Bad == nil {
			continue // blank
		}
		e.Line = i + 1
		if e.Bad != nil {
			e.Bad.Log, e.Bad.Line = m.name, i+1
			e.Bad.Offset, e.Bad.Len = m.ends[i].Offset-int64(len(m.lines[i]))-1, int64(len(m.lines[i]))
		}
		list = append(list, e)
	}
	return list, nil
}

// Records implements memory.Log.
func (m *Memory) Records(ctx context.Context, after memory.Cursor) iter.Seq2[memory.Placed, error] {
	return func(yield func(memory.Placed, error) bool) {
		m.mu.Lock()
		list, err := m.after(ctx, after)
		m.mu.Unlock()
		if err != nil {
			yield(memory.Placed{}, err)
			return
		}
		for _, e := range list {
			var err error
			if e.Bad != nil {
				err = e.Bad
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

// Append implements memory.Log.
func (m *Memory) Append(ctx context.Context, at memory.Cursor, plan func(later []memory.Entry) ([]memory.Record, error)) (memory.Cursor, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	later, err := m.after(ctx, at)
	if err != nil {
		return "", err
	}
	entries := make([]memory.Entry, len(later))
	for i := range later {
		entries[i] = later[i].Entry
	}
	recs, err := plan(entries)
	if err != nil {
		return "", err
	}
	lines := m.lines
	for _, rec := range recs {
		if n := m.maxID(lines); rec.ID.N <= n {
			return "", fmt.Errorf("a record has the id %q, and %d is named already", rec.ID, n)
		}
		lines = append(lines, string(rec.AppendJSON(nil)))
	}
	m.put(lines)
	return m.end(), nil
}

// maxID is the largest number that lines name.
func (m *Memory) maxID(lines []string) int64 {
	var n int64
	for _, line := range lines {
		n = max(n, memory.ParseLine([]byte(line)).MaxID())
	}
	return n
}

// Tip implements memory.Tipper.
func (m *Memory) Tip(ctx context.Context) (memory.Tip, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, err := m.after(ctx, ""); err != nil {
		return memory.Tip{}, err
	}
	return memory.Tip{At: m.end(), MaxID: m.maxID(m.lines), Name: m.name}, nil
}

// Erase implements memory.Log.
func (m *Memory) Erase(ctx context.Context, ids ...memory.ID) (memory.Cursor, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, err := m.after(ctx, ""); err != nil {
		return "", err
	}
	lines := append([]string(nil), m.lines...)
	for _, id := range ids {
		lines = m.eraseOne(lines, id.From(m.name))
	}
	m.put(lines)
	return m.end(), nil
}

// eraseOne removes what one item said from lines.
func (m *Memory) eraseOne(lines []string, id memory.ID) []string {
	most := m.maxID(lines)
	var texts []string
	edits := map[memory.ID]bool{}
	marked := false
	for i, line := range lines {
		rec := memory.ParseLine([]byte(line)).Record
		states := rec.Kind != "" && !rec.Kind.Changes() && rec.ID == id
		edits[rec.ID] = rec.Kind == memory.KindEdit && rec.Target.From(m.name) == id
		marked = marked || rec.Kind == memory.KindErased && rec.Target.From(m.name) == id
		if states || edits[rec.ID] {
			texts = append(texts, strings.ToLower(rec.Content))
			lines[i] = erasedLine(rec.ID)
		}
	}
	for i, line := range lines {
		e := memory.ParseLine([]byte(line))
		switch {
		case e.Bad != nil && containsAny(strings.ToLower(line), texts):
			lines[i] = erasedLine(id)
			if n := e.Bad.MaxID; n == most {
				lines[i] = erasedLine(memory.Num(n))
			}
		case e.Record.Details().Reason != "" && (e.Record.Target.From(m.name) == id || edits[e.Record.Target]):
			e.Record.Detail.Reason = ""
			lines[i] = string(e.Record.AppendJSON(nil))
		}
	}
	if id.Log != "" && !marked {
		rec := memory.Record{ID: memory.Num(most + 1), Time: time.Unix(0, 0).UTC(), Kind: memory.KindErased, Target: id}
		lines = append(lines, string(rec.AppendJSON(nil)))
	}
	return lines
}

// erasedLine is what stands in the place of the line id.
func erasedLine(id memory.ID) string {
	rec := memory.Record{ID: id, Kind: memory.KindErased}
	if id.N == 0 || id.Log != "" {
		rec = memory.Record{Kind: memory.KindErased, Target: id}
	}
	return string(rec.AppendJSON(nil))
}

func containsAny(s string, texts []string) bool {
	for _, t := range texts {
		if t != "" && strings.Contains(s, t) {
			return true
		}
	}
	return false
}
