package doctor

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ken/internal/app/logs"
	"ken/internal/jsonl"
	"ken/internal/memory"
	"ken/internal/memory/filelog"
	"ken/internal/memory/tombstone"
	"ken/internal/redact"
	"ken/internal/regular"
	"ken/internal/review"
	"ken/internal/session"
	"ken/internal/trust"
	"ken/internal/view"
)

// options says how a log is looked at: the end of a file that somebody is just
// writing to looks torn, so where there is a lock it is taken for a moment.
func (c *checker) options(path string) filelog.Options {
	_, err := os.Stat(filepath.Join(filepath.Dir(path), jsonl.LockName))
	return filelog.Options{ReadOnly: err != nil, Wait: time.Second}
}

// memory checks the log of this device and the replicas of others, each by
// itself and all of them as one memory.
func (c *checker) memory(ctx context.Context) error {
	path := c.paths.Memory()
	name := c.identity(path)
	files := map[string]string{} // by the name of the log
	var union []memory.Lines
	found := map[string][]view.Finding{} // by file
	read := func(path, name string, own bool) error {
		if !c.file(path) {
			return nil
		}
		entries, findings, err := filelog.Open(path, c.options(path)).Check(ctx)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			c.tell(view.LevelError, path, 0, causeOf(err), "")
		}
		c.Lines += len(entries)
		for _, f := range findings {
			level := [...]string{filelog.Note: view.LevelNote, filelog.Doubt: view.LevelWarning, filelog.Damage: view.LevelError}[f.Weight]
			found[path] = append(found[path], view.Finding{Level: level, File: path, Line: f.Line, What: f.What})
		}
		found[path] = append(found[path], c.ahead(path, entries)...)
		if !own {
			found[path] = append(found[path], peerFindings(path, name, entries)...)
		}
		lines := memory.Lines{Log: name, Own: own, Entries: entries}
		if _, twice := files[name]; twice {
			c.problems(found, memory.Fold(lines), map[string]string{name: path}, unknownKinds([]memory.Lines{lines}))
			return nil
		}
		files[name] = path
		union = append(union, lines)
		return nil
	}
	if err := read(path, name, true); err != nil {
		return err
	}
	if gone := (*filelog.MissingError)(nil); errors.As(filelog.LookMissing(context.Background(), logs.MemoryFiles(c.paths)), &gone) {
		found[path] = append(found[path], view.Finding{Level: view.LevelError, File: path, What: gone.Error(), Hint: gone.Hint()})
	}
	paths := []string{path}
	peers, strays, _ := logs.Peers(c.paths) // the directory was reported before
	for _, peer := range peers {
		paths = append(paths, filepath.Join(c.paths.Peers(), peer+".jsonl"))
		if err := read(paths[len(paths)-1], peer, false); err != nil {
			return err
		}
	}
	for _, s := range strays {
		c.file(s.Path)
		c.tell(view.LevelWarning, s.Path, 0, "no replica, and nothing in it counts: "+s.Why,
			"to have what is in it suggested: "+c.person.Verb("import "+c.mask(s.Path))+"; else move it away")
	}
	folded := memory.Fold(union...)
	c.problems(found, folded, files, unknownKinds(union))
	for _, d := range tombstone.Owed(folded) {
		for _, log := range d.In {
			found[files[log]] = append(found[files[log]], view.Finding{
				Level: view.LevelWarning, File: files[log], What: "erased on another device, and its text still stands here: #" + d.ID.String(),
				Hint: "carry it out: " + c.person.Verb("forget --for-good "+d.ID.String()),
			})
		}
	}
	for _, path := range paths {
		list := found[path]
		slices.SortStableFunc(list, func(a, b view.Finding) int { return cmp.Compare(a.Line, b.Line) })
		for _, f := range list {
			f.What = c.mask(f.What)
			c.Add(f)
		}
	}
	if stale := filelog.Open(path, filelog.Options{Head: c.paths.Head()}).CheckHead(); stale != "" {
		c.tell(view.LevelNote, c.paths.Head(), 0, "derived, and not believed: "+stale, "")
	}
	return nil
}

// identity checks that this device may write to the log, and returns its name.
func (c *checker) identity(path string) string {
	host, _ := os.Hostname() // a host without a name is filelog's business
	c.file(c.paths.Device())
	name, adopts, err := filelog.Open(path, filelog.Options{DeviceFile: c.paths.Device(), Host: host, ReadOnly: true}).Identity()
	switch {
	case errors.Is(err, memory.ErrForeign):
		c.tell(view.LevelError, path, 0, err.Error(), "this device cannot write there: set memory.path, or move the file to peers/ under the name of its log")
	case err != nil && readable(path) == nil && readable(c.paths.Device()) == nil:
		c.tell(view.LevelError, c.paths.Device(), 0, err.Error(), "")
	case adopts:
		c.tell(view.LevelNote, c.paths.Device(), 0, "missing; the next write makes it, with the name "+name+" from the memory file", "")
	}
	return name
}

// aheadMost is by how much the clocks of two devices may differ without a word.
const aheadMost = 10 * time.Minute

// ahead finds the first line of a log whose time has not come yet. It hides nothing,
// but until then the log's changes count as later than those of other devices.
func (c *checker) ahead(path string, entries []memory.Entry) []view.Finding {
	for _, e := range entries {
		if e.Meta == nil && e.Bad == nil && e.Record.Time.After(c.now.Add(aheadMost)) {
			return []view.Finding{{
				Level: view.LevelWarning, File: path, Line: e.Line,
				What: "written under a clock that was ahead: " + view.When(e.Record.Time),
				Hint: "until then changes of this log count as later than those of other devices: mend the time in an editor",
			}}
		}
	}
	return nil
}

// peerFindings compares a replica with the name of its file.
func peerFindings(path, name string, entries []memory.Entry) []view.Finding {
	warn := func(line int, what string) view.Finding {
		return view.Finding{Level: view.LevelWarning, File: path, Line: line, What: what}
	}
	var list []view.Finding
	for _, e := range entries {
		if e.Meta != nil && e.Meta.Log != "" && e.Meta.Log != name {
			return append(list, warn(e.Line, fmt.Sprintf("a line says that this is the log %s; its lines are named after the file", e.Meta.Log)))
		}
	}
	return list
}

// A lineOf is a line of a log.
type lineOf struct {
	log  string
	line int
}

// unknownKinds finds the lines whose kind this version does not know: what the
// fold says of their kind is no fault.
func unknownKinds(logs []memory.Lines) map[lineOf]bool {
	lines := map[lineOf]bool{}
	for _, l := range logs {
		for _, e := range l.Entries {
			if k := e.Record.Kind; k != "" && !k.Known() {
				lines[lineOf{l.Log, e.Line}] = true
			}
		}
	}
	return lines
}

// problems takes over what a fold reports.
func (c *checker) problems(found map[string][]view.Finding, s *memory.State, files map[string]string, kinds map[lineOf]bool) {
	for _, p := range s.Problems() {
		f := view.Finding{Level: view.LevelWarning, File: files[p.Log], Line: p.Line, What: p.What}
		switch {
		case p.Unreadable:
			f.Level, f.Hint = view.LevelError, mendLine
		case p.Remark, kinds[lineOf{p.Log, p.Line}] && strings.HasPrefix(p.What, "kind: "):
			f.Level = view.LevelNote
		}
		found[f.File] = append(found[f.File], f)
	}
}

// sessions checks the recorded conversations and the imported transcripts.
func (c *checker) sessions(ctx context.Context) error {
	ids := map[string]string{} // the files by session
	for _, path := range []string{c.paths.Sessions(), c.paths.Imports()} {
		dir := session.Dir{Path: path, Lock: c.paths.Data, Wait: time.Second}
		load := session.Load
		if _, err := os.Stat(c.paths.Lock()); err == nil {
			load = dir.Load
		}
		entries, _ := os.ReadDir(path) // reported before
		for _, e := range entries {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			file := filepath.Join(path, e.Name())
			if strings.HasPrefix(e.Name(), ".") || !strings.HasSuffix(e.Name(), ".jsonl") || !c.file(file) {
				continue
			}
			t, err := load(file)
			if err != nil {
				c.tell(view.LevelError, file, 0, causeOf(err), "")
				continue
			}
			c.session(t, ids)
		}
	}
	return nil
}

// session checks one conversation.
func (c *checker) session(t *session.Transcript, ids map[string]string) {
	before := len(c.Findings)
	defer func() {
		slices.SortStableFunc(c.Findings[before:], func(a, b view.Finding) int { return cmp.Compare(a.Line, b.Line) })
	}()
	c.Lines += len(t.Entries)
	if t.Headed {
		c.Lines++
	}
	for _, p := range t.Problems {
		if p.Partly {
			c.tell(view.LevelWarning, t.Path, p.Line, p.Cause.Error(), "")
			continue
		}
		c.badLine(t.Path, p.Line, p.Torn, p.Cause)
		c.Lines++
	}
	switch {
	case len(t.Entries) == 0 && len(t.Problems) == 0 && !t.Headed:
		c.tell(view.LevelNote, t.Path, 0, "empty", "")
		return
	case !t.Headed:
		c.tell(view.LevelWarning, t.Path, 0, "no header in its first line: the session goes by the name of the file", "")
	case isSessionID(t.Name) && t.Name != t.Header.Session:
		c.tell(view.LevelWarning, t.Path, 1, "its header says that it is the session "+t.Header.Session, "")
	}
	if other, twice := ids[t.Header.Session]; twice {
		c.tell(view.LevelWarning, t.Path, 0, "the same session as "+filepath.Base(other)+": "+t.Header.Session, "a copy of a session needs a name of its own: move one of the files away")
	}
	ids[t.Header.Session] = t.Path
	lines := map[int]int{} // by turn
	for _, e := range t.Entries {
		if e.Turn == nil {
			continue
		}
		if first, twice := lines[e.Turn.N]; twice {
			c.tell(view.LevelWarning, t.Path, e.Line, fmt.Sprintf("turn %d stands on line %d as well", e.Turn.N, first), "")
		}
		lines[e.Turn.N] = e.Line
	}
}

// isSessionID reports whether a name is one that ken gives to a session:
// 20260510T190001Z-7f3a.
func isSessionID(name string) bool {
	at, digits, _ := strings.Cut(name, "-")
	_, err := time.Parse("20060102T150405Z", at)
	_, herr := hex.DecodeString(digits)
	return err == nil && herr == nil && len(digits) == 4
}

// small checks the files beside memory and sessions.
func (c *checker) small() {
	p := c.paths
	for _, f := range p.Files() {
		if f.Names != "" || f.Path == p.Memory() || !f.Lines && !f.Text || !c.file(f.Path) {
			continue
		}
		switch {
		case f.Path == p.Review():
			if queue, err := (&review.Log{Path: f.Path}).Read(); err != nil {
				c.unreadable(f.Path, err)
			} else {
				c.badLines(f.Path, queue.Problems())
			}
		case f.Path == p.Trust():
			if decisions, err := trust.Load(f.Path); err != nil {
				c.unreadable(f.Path, err)
			} else {
				c.badLines(f.Path, decisions.Bad)
			}
		case f.Lines:
			c.each(f.Path, func(line jsonl.Line) { c.object(f.Path, line) })
		default:
			c.text(f.Path)
		}
	}
	if c.file(p.MaskKey()) {
		if _, err := redact.LoadKey(p.MaskKey()); err != nil {
			c.tell(view.LevelError, p.MaskKey(), 0, redact.ErrBadKey.Error(), "restore it from a backup; without it secrets get other marks than before: then delete it")
		}
	}
}

// unreadable reports why a file cannot be read.
func (c *checker) unreadable(path string, err error) {
	c.tell(view.LevelError, path, 0, causeOf(err), "")
}

// badLines reports the lines of a file that its own reader cannot read.
func (c *checker) badLines(path string, list []jsonl.Problem) {
	c.each(path, func(jsonl.Line) {}) // which counts them
	for _, bad := range list {
		c.badLine(path, bad.Line, bad.Torn, bad.Err)
	}
}

// badLine reports why a line cannot be read.
func (c *checker) badLine(path string, n int, torn bool, err error) {
	what := err.Error()
	if syntax := (*jsonl.SyntaxError)(nil); errors.As(err, &syntax) && !strings.HasPrefix(what, "not JSON") {
		what = "not JSON: " + what
	}
	if torn {
		what = "cut off at the end of the file: " + what
	}
	c.tell(view.LevelError, path, n, what, mendLine)
}

// object checks that a line is a JSON object.
func (c *checker) object(path string, line jsonl.Line) {
	if line.Bytes == nil {
		c.badLine(path, line.Number, false, fmt.Errorf("%d bytes, more than the %d that a line may have", line.Len, memory.MaxLine))
		return
	}
	for _, err := range jsonl.Object(line.Bytes) {
		if err != nil {
			c.badLine(path, line.Number, !line.Ended, jsonl.Damage(line.Bytes, err))
		}
	}
}

// text checks that a file is text.
func (c *checker) text(path string) {
	c.each(path, func(line jsonl.Line) {
		if i := bytes.IndexByte(line.Bytes, 0); i >= 0 {
			c.tell(view.LevelError, path, line.Number, fmt.Sprintf("NUL bytes, from byte %d on", i), mendLine)
		}
	})
}

// each yields the lines of a file that hold something, and counts them.
func (c *checker) each(path string, do func(jsonl.Line)) {
	f, err := regular.Open(path)
	if err != nil {
		c.tell(view.LevelError, path, 0, causeOf(err), "")
		return
	}
	defer f.Close()
	for line, err := range jsonl.Lines(f, memory.MaxLine) {
		if err != nil {
			c.tell(view.LevelError, path, 0, causeOf(err), "")
			return
		}
		if line.Bytes == nil || len(bytes.TrimSpace(line.Bytes)) > 0 {
			c.Lines++
			do(line)
		}
	}
}
