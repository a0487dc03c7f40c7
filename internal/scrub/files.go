package scrub

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ken/internal/config"
	"ken/internal/jsonl"
	"ken/internal/regular"
	"ken/internal/review"
	"ken/internal/session"
	"ken/internal/working"
)

// lockWait is how long to wait for others that write.
const lockWait = 5 * time.Second

// files takes the texts out of all that is not a log.
func (e *Eraser) files(ctx context.Context, p *Plan) error {
	for _, step := range []func(context.Context, *Plan) error{
		e.scrubDaily, e.scrubSessions, e.scrubQueue, e.scrubTyped, e.scrubTests, e.scrubSkills,
		e.scrubGranted, e.scrubDerived, e.scrubRemains, e.syncNames,
	} {
		if err := step(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// locked runs do under the lock of dir.
func locked(ctx context.Context, dir string, do func() error) error {
	lock, err := jsonl.LockDir(ctx, dir, lockWait)
	if err != nil {
		return err
	}
	return errors.Join(do(), lock.Unlock())
}

// scrubSessions takes the turns out of conversations and imports, one file at a
// time: others that write wait for one file, and memory holds one.
func (e *Eraser) scrubSessions(ctx context.Context, p *Plan) error {
	if p.want.KeepSessions {
		return nil
	}
	if err := e.dropOutputs(p); err != nil {
		return err
	}
	paths, err := e.sessionFiles()
	if err != nil {
		return err
	}
	for _, path := range paths {
		if err := ctx.Err(); err != nil {
			return err
		}
		concerned, err := p.concerns(path)
		if err != nil {
			return err
		}
		if !concerned {
			continue
		}
		err = locked(ctx, e.Sessions.Lock, func() error {
			_, err := File(ctx, e.FS, path, stem(path), p.rule())
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// dropOutputs removes what tools printed for turns that go, before these are gone and cannot be told any more.
func (e *Eraser) dropOutputs(p *Plan) error {
	for _, t := range p.Turns {
		ref, err := session.ParseRef(t.Ref)
		if err != nil {
			continue // it has no number, and no output
		}
		if err := e.Sessions.OutputsOf(ref.Session).Drop(ref.Turn); err != nil {
			return fmt.Errorf("erase: %w", err)
		}
	}
	return nil
}

// concerns reports whether a session file may have something that goes, without
// reading its lines one by one.
func (p *Plan) concerns(path string) (bool, error) {
	if p.want.Scope != nil || len(p.short) > 0 {
		return true, nil
	}
	if has, err := p.inFile(path); err != nil || has {
		return has, err
	}
	f, err := regular.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer func() { _ = f.Close() }() // it was only read
	first, err := bufio.NewReader(io.LimitReader(f, session.MaxLine)).ReadBytes('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	t, err := session.Read(bytes.NewReader(first), stem(path))
	if err != nil {
		return false, err
	}
	of := func(id string) bool {
		for turn := range p.taught {
			if turn.Session == id {
				return true
			}
		}
		for _, turn := range p.want.Turns {
			if turn.Session == id {
				return true
			}
		}
		return false
	}
	return of(t.Header.Session) || of(t.Header.CopiedFrom), nil
}

// scrubDaily takes the entries out of the daily log that hold a text, or are of turns that go: a side may be cut off there in the
// middle of a text. It comes before the conversations, of which the turns are known only as long as they are there.
func (e *Eraser) scrubDaily(ctx context.Context, p *Plan) error {
	turns := make(map[string][]int)
	for _, t := range p.Turns {
		if ref, err := session.ParseRef(t.Ref); err == nil {
			turns[ref.Session] = append(turns[ref.Session], ref.Turn)
		}
	}
	return e.dropDaily(ctx, p, func(id string, from, to int) bool {
		return slices.ContainsFunc(turns[id], func(n int) bool { return from <= n && n <= to })
	})
}

// dropDaily takes the entries out of the daily log that hold a text, or are of turns that of accepts.
func (e *Eraser) dropDaily(ctx context.Context, p *Plan, of func(session string, from, to int) bool) error {
	if _, err := os.Lstat(config.DailyIn(e.Paths)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return locked(ctx, e.Paths.Data, func() error {
		if err := (session.Dir{Lock: e.Paths.Data, FS: e.FS}).DropDays(ctx, func(text []byte, session string, from, to int) bool {
			return p.holds(text) || session != "" && of(session, from, to)
		}); err != nil {
			return err
		}
		return e.dropDays(p) // a text may stand across entries
	})
}

// dropDays takes the days of the daily log away that hold a text.
func (e *Eraser) dropDays(p *Plan) error {
	paths, err := filepath.Glob(filepath.Join(config.DailyIn(e.Paths), "*.md"))
	for _, path := range paths {
		err = errors.Join(err, e.removeIf(p, path))
	}
	return err
}

// scrubQueue takes the proposals out of the review queue.
func (e *Eraser) scrubQueue(ctx context.Context, p *Plan) error {
	if _, err := os.Lstat(e.Queue.Path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return locked(ctx, e.Queue.Dir, func() error {
		_, err := e.Queue.Erase(ctx, func(q *review.Proposal) bool { return e.proposal(p, q) }, p.holds)
		return err
	})
}

// scrubTests takes the tests of the memory that say a text out of their files, whole: half a
// test would fail ever after.
func (e *Eraser) scrubTests(ctx context.Context, p *Plan) error {
	paths, err := filepath.Glob(filepath.Join(config.TestsIn(e.Paths), "*.toml"))
	if err != nil || len(paths) == 0 {
		return err
	}
	return locked(ctx, e.Paths.Data, func() error {
		for _, path := range paths {
			holds, err := p.inFile(path)
			if err != nil {
				return err
			}
			if !holds {
				continue
			}
			edit := jsonl.Edit{Path: path, FS: e.FS, Most: mostRead}
			if _, err := edit.Bytes(ctx, func(old []byte) ([]byte, error) { return withoutTests(old, p.holds), nil }); err != nil {
				return err
			}
			if err := e.removeIf(p, path); err != nil { // it stands across tests
				return err
			}
		}
		return nil
	})
}

// scrubSkills takes the lines of skills that say a text out of their files: ken may have drafted them. One in which a
// text stands across lines goes whole. Drafts go whole in any case.
func (e *Eraser) scrubSkills(ctx context.Context, p *Plan) error {
	dir := e.Paths.Skills()
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	drafts := filepath.Join(dir, "drafts") + string(filepath.Separator)
	return locked(ctx, e.Paths.Data, func() error {
		return e.walk(dir, func(path string) error {
			if strings.HasPrefix(path, drafts) {
				return nil
			}
			holds, err := p.inFile(path)
			if err != nil || !holds {
				return err
			}
			edit := jsonl.Edit{Path: path, FS: e.FS, Most: mostRead}
			if _, err := edit.Bytes(ctx, func(old []byte) ([]byte, error) { return withoutLines(old, p.holds), nil }); err != nil {
				return err
			}
			return e.removeIf(p, path)
		})
	})
}

// withoutLines is a text without the lines that hold a text.
func withoutLines(text []byte, holds func([]byte) bool) []byte {
	kept := []byte{}
	for line := range bytes.Lines(text) {
		if !holds(line) {
			kept = append(kept, line...)
		}
	}
	return kept
}

// withoutTests is a file of tests without those that hold a text. A test begins with its
// line [[test]]; what stands before the first one is a piece like them.
func withoutTests(text []byte, holds func([]byte) bool) []byte {
	kept, piece := []byte{}, []byte{}
	keep := func() {
		if !holds(piece) {
			kept = append(kept, piece...)
		}
		piece = piece[:0]
	}
	for line := range bytes.Lines(text) {
		if bytes.HasPrefix(bytes.TrimSpace(line), []byte("[[test]]")) {
			keep()
		}
		piece = append(piece, line...)
	}
	keep()
	return kept
}

// scrubGranted takes the texts out of the lists of what the person allowed. A line goes, and what it allowed is asked about
// again; only what a server said of a tool is left out of its line, so that the tool is still known to be another when it is.
func (e *Eraser) scrubGranted(ctx context.Context, p *Plan) error {
	without := func(line jsonl.Line, within *io.SectionReader) (now []byte, changed bool, err error) {
		if line.Bytes == nil && line.Len > 0 {
			changed, err = p.within(within)
			return nil, changed, err
		}
		if !p.holds(line.Bytes) {
			return nil, false, nil
		}
		now = holds(p.holds).object(line.Bytes, func(name string, v jsonl.Value) ([]byte, bool) {
			if name == "said" && p.holds(v) {
				return []byte(`""`), true
			}
			return v, true
		})
		for _, err := range jsonl.Object(line.Bytes) {
			if err != nil {
				now = nil // half a line may say something else than the whole
			}
		}
		if p.holds(now) || bytes.Equal(now, line.Bytes) {
			now = nil
		}
		return now, true, nil
	}
	for _, f := range e.Paths.Files() {
		if !f.Grants || !f.Lines || !f.Text || f.By != config.ByKen {
			continue
		}
		if _, err := os.Lstat(f.Path); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		edit := jsonl.Edit{Path: f.Path, Lock: f.Lock, Wait: lockWait, FS: e.FS, Max: maxTyped}
		if _, err := edit.Lines(ctx, without); err != nil {
			return err
		}
	}
	return nil
}

// scrubDerived takes away what is made of the memory and can be made again, what a
// shell last ran, and the lines of the recent context.
func (e *Eraser) scrubDerived(ctx context.Context, p *Plan) error {
	err := locked(ctx, e.Paths.Data, func() error {
		if err := e.removeIf(p, e.Paths.Page()); err != nil {
			return err
		}
		if e.Project != "" {
			if err := e.removeIf(p, filepath.Join(e.Project, "MEMORY.md")); err != nil {
				return err
			}
		}
		if err := e.dropAccount(ctx, p); err != nil {
			return err
		}
		if err := e.dropLines(ctx, p, e.Paths.Working(), func(line jsonl.Line) bool { return p.holds(line.Bytes) }); err != nil {
			return err
		}
		return e.removeIf(p, e.Paths.Working()) // it stands across lines
	})
	if err != nil {
		return err
	}
	// An index holds words in a form of its own, which no search for the text
	// would find.
	if err := errors.Join(e.scrubVectors(ctx), e.scrubIndex(ctx)); err != nil {
		return err
	}
	kinds := e.Paths.Files()
	for i, f := range kinds {
		if !f.Derived || !f.Text || f.Names == "" {
			continue
		}
		err := e.each(f, func(path string) error {
			if filepath.Base(path) == jsonl.LockName || slices.ContainsFunc(kinds[:i], func(before config.File) bool { return before.Is(path) }) {
				return nil
			}
			return e.removeIf(p, path)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// scrubVectors takes away what texts mean in numbers: much of a text can be read
// from those. Whoever adds to the file meanwhile adds to one that is gone, and
// whoever puts it in order does so under this lock.
func (e *Eraser) scrubVectors(ctx context.Context) error {
	dir := filepath.Dir(e.Paths.Vectors())
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return locked(ctx, e.Paths.Data, func() error {
		return e.walk(dir, func(path string) error {
			if filepath.Base(path) == ".lock" {
				return nil // whoever holds it holds that file
			}
			return e.remove(path)
		})
	})
}

// scrubIndex takes the index away. Whoever makes one meanwhile gives it its name
// under this lock, and only if nothing that it was made of has changed.
func (e *Eraser) scrubIndex(ctx context.Context) error {
	dir := filepath.Dir(e.Paths.Index())
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return locked(ctx, e.Paths.Data, func() error { return e.walk(dir, e.remove) })
}

// scrubRemains removes what was cut off, what an editor has that holds a text, and what goes as a
// whole.
func (e *Eraser) scrubRemains(ctx context.Context, p *Plan) error {
	drafts := config.File{Path: config.DraftsIn(e.Paths), Names: "*", Deep: true}
	err := e.each(drafts, func(path string) error { return e.removeIf(p, path) })
	for _, f := range e.Paths.Files() {
		if !f.Whole {
			continue
		}
		if _, there := os.Lstat(f.Path); errors.Is(there, fs.ErrNotExist) {
			continue
		}
		err = errors.Join(err, locked(ctx, f.Lock, func() error {
			return e.each(f, func(path string) error { return e.removeIf(p, path) })
		}))
	}
	return errors.Join(err, e.removeRemains(ctx))
}

// removeRemains removes what a rewriting that was cut off left behind, of whatever file:
// a new content that never got its name.
func (e *Eraser) removeRemains(ctx context.Context) error {
	for _, d := range e.dirs() {
		left, err := filepath.Glob(filepath.Join(globSafe(d.path), ".*.new"))
		if err != nil {
			return err
		}
		if len(left) == 0 {
			continue
		}
		err = locked(ctx, d.lock, func() error {
			for _, path := range left {
				if err := e.remove(path); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// A keptDir is a directory of files, and that whose lock is held while they change.
type keptDir struct{ path, lock string }

// dirs are the directories of the files that ken keeps, those of derived files left out,
// each once.
func (e *Eraser) dirs() []keptDir {
	var list []keptDir
	for _, f := range e.Paths.Files() {
		dir := f.Path
		if f.Names == "" {
			dir = filepath.Dir(f.Path)
		}
		if f.Deep || slices.ContainsFunc(list, func(d keptDir) bool { return d.path == dir }) {
			continue
		}
		list = append(list, keptDir{dir, cmp.Or(f.Lock, e.Paths.State)})
	}
	return list
}

// syncNames has on the disk that files were removed and replaced, also by an
// erasing before this one that was cut off: what it did is not done again.
func (e *Eraser) syncNames(_ context.Context, _ *Plan) error {
	var dirs []string
	for _, d := range e.dirs() {
		dirs = append(dirs, d.path)
	}
	err := filepath.WalkDir(e.Paths.Cache, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			dirs = append(dirs, path)
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("erase: %w", err)
	}
	slices.Sort(dirs)
	for _, dir := range slices.Compact(dirs) {
		if err := jsonl.SyncDir(e.fs(), dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("erase: sync %s: %w", dir, err)
		}
	}
	return nil
}

// globSafe is a path as a pattern that only it matches.
func globSafe(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// maxTyped is more than a line of what was typed has; a longer one is looked into whole.
const maxTyped = 1 << 20

// dropAccount takes out of the recent context what a model wrote of a conversation of which a turn goes: it may say the same in
// other words. The caller holds the lock.
func (e *Eraser) dropAccount(ctx context.Context, p *Plan) error {
	f := working.File{Path: e.Paths.Working(), FS: e.FS, Now: func() time.Time { return time.Time{} }} // when nothing has expired yet
	m, err := f.Read()
	if err != nil {
		return nil //nolint:nilerr // what it says goes line by line
	}
	of := strings.Fields(m.Account.Session)
	goes := slices.ContainsFunc(p.Turns, func(t Turn) bool {
		ref, err := session.ParseRef(t.Ref)
		return err == nil && slices.Contains(of, ref.Session)
	})
	for t := range p.taught {
		goes = goes || slices.Contains(of, t.Session)
	}
	if !goes {
		return nil
	}
	return f.DropAccount(ctx)
}

// dropLines rewrites a file of lines without those that are to go: those that gone
// names, and longer ones that hold a text. The caller holds the lock of the file.
func (e *Eraser) dropLines(ctx context.Context, p *Plan, path string, gone func(jsonl.Line) bool) error {
	edit := jsonl.Edit{Path: path, FS: e.FS, Max: maxTyped}
	_, err := edit.Lines(ctx, func(line jsonl.Line, within *io.SectionReader) (_ []byte, drop bool, err error) {
		if line.Bytes == nil && line.Len > 0 {
			drop, err = p.within(within)
		} else {
			drop = gone(line)
		}
		return nil, drop, err
	})
	return err
}

// removeIf removes the file at path if it holds a text.
func (e *Eraser) removeIf(p *Plan, path string) error {
	holds, err := p.inFile(path)
	if err != nil || !holds {
		return err
	}
	return e.remove(path)
}

func (e *Eraser) remove(path string) error {
	if err := e.fs().Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("erase: %w", err)
	}
	return nil
}

// walk calls do for the regular files below dir, which need not exist.
func (e *Eraser) walk(dir string, do func(path string) error) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		return do(path)
	})
}
