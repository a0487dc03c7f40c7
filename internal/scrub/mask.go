package scrub

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/config"
	"ken/internal/jsonl"
	"ken/internal/memory"
	"ken/internal/redact/literals"
	"ken/internal/regular"
	"ken/internal/secret"
)

// A MaskWant says what else is to be masked of what stays by itself.
type MaskWant struct {
	IDs    []memory.ID // memories that the person forced, and wants masked now
	Forced bool        // all of those
}

// Why a secret stays.
const (
	KeptForced  = "kept by --force"
	KeptReplica = "a replica, which its own device writes"
	KeptRepo    = "the repository's, which others write too"
	KeptYours   = "not ken's to write"
)

// A MaskPlan is what masking would do. It is made of the files as they are.
type MaskPlan struct {
	Places []Occurrence // that would be masked
	Kept   []Occurrence // that would stay, and why
	// Words counts secrets that could be ordinary words: they are masked where
	// something says that they are secrets, and not looked for elsewhere.
	Words int
	// Lines is how many lines were changed, by the masking.
	Lines int

	want    MaskWant
	own     string // the log's name
	secrets []literals.Secret
	plain   secret.Mask // knows nothing
	mask    secret.Mask // knows the secrets of the plan
	set     *literals.Set
	files   []string // that will be replaced
}

// Nothing reports whether the plan would change no file.
func (p *MaskPlan) Nothing() bool { return len(p.Places) == 0 }

// A holder is a file that may hold secrets.
type holder struct {
	path  string
	lines bool   // of JSON; else one text
	log   string // the log that it is, if it is one
	kept  string // why nothing of it may be written
	gone  bool   // it is derived, and goes
	whole bool   // its name says what it holds, and it goes if there is a secret in it
	lock  string // the directory whose lock is held while it is changed
}

// holders are the files that may hold what the person said: those of config.Paths.Files,
// and beside them the logs of the repository.
func (e *Eraser) holders() ([]holder, error) {
	var list []holder
	kinds := e.Paths.Files()
	for i, f := range kinds {
		if !f.Text {
			continue
		}
		err := e.each(f, func(path string) error {
			if slices.ContainsFunc(kinds[:i], func(before config.File) bool { return before.Is(path) }) {
				return nil
			}
			h := holder{path: path, lines: f.Lines, gone: f.Derived && f.Names != "", whole: f.Whole, lock: f.Lock}
			switch {
			case path == e.Paths.Memory():
				h.log = "own"
			case f.By == config.ByDevice:
				h.log, h.kept = stem(path), KeptReplica
			}
			list = append(list, h)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if e.Project == "" {
		return list, nil
	}
	logs := config.File{Path: filepath.Join(e.Project, "memory"), Names: "*.jsonl"}
	err := e.each(logs, func(path string) error {
		list = append(list, holder{path: path, lines: true, log: stem(path), kept: KeptRepo})
		return nil
	})
	return list, err
}

// each calls do for the files of a kind that are there.
func (e *Eraser) each(f config.File, do func(path string) error) error {
	if f.Names == "" {
		return do(f.Path)
	}
	if f.Deep {
		return e.walk(f.Path, func(path string) error {
			if !f.Is(path) {
				return nil
			}
			return do(path)
		})
	}
	names, err := os.ReadDir(f.Path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, d := range names {
		if path := filepath.Join(f.Path, d.Name()); !d.IsDir() && f.Is(path) {
			if err := do(path); err != nil {
				return err
			}
		}
	}
	return nil
}

// PlanMask returns what masking would do. knowing is the mask of the person that also masks
// the secrets that it is given. Nothing is changed.
func (e *Eraser) PlanMask(ctx context.Context, knowing func([]literals.Secret) secret.Mask, want MaskWant) (*MaskPlan, error) {
	s, _ := e.Engine.State(ctx) // a replica that cannot be read is reported by whoever reads it
	if s == nil {
		s = memory.Fold()
	}
	p := &MaskPlan{want: want, own: s.OwnLog(), plain: knowing(nil)}
	p.mask = p.plain
	list, err := e.holders()
	if err != nil {
		return nil, err
	}
	seen := make(map[string]bool)
	for _, h := range list {
		err := p.each(ctx, h, func(_ Occurrence, f secret.Found) {
			for _, found := range f.Secrets {
				if seen[found.Text] {
					continue
				}
				if seen[found.Text] = true; !literals.Telling(found.Text) {
					p.Words++
				}
				p.secrets = append(p.secrets, found)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	p.mask, p.set = knowing(p.secrets), literals.NewSet(p.secrets)
	for _, h := range list {
		err := p.each(ctx, h, func(at Occurrence, _ secret.Found) {
			if at.Kept != "" {
				p.Kept = append(p.Kept, at)
				return
			}
			p.Places = append(p.Places, at)
			if !h.gone && !h.whole && !slices.Contains(p.files, h.path) {
				p.files = append(p.files, h.path)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return p, nil
}

// each calls do for each place of h with a secret, those of what a person forced
// among them, without what it is.
func (p *MaskPlan) each(ctx context.Context, h holder, do func(Occurrence, secret.Found)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	_, err := p.look(h, do, func([]byte) {})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// look calls do for each place of h with a secret, and all for what h holds, in its order: a file of lines is read a line at a
// time. size is that of the file in bytes.
func (p *MaskPlan) look(h holder, do func(Occurrence, secret.Found), all func(text []byte)) (size int64, err error) {
	if !h.lines {
		data, err := readWhole(h.path)
		if err != nil {
			return 0, err
		}
		_, f := secret.Text(data, p.mask)
		at := Occurrence{}
		if _, hits := p.mask(string(data)); len(hits) > 0 && !h.gone {
			at.Line = 1 + bytes.Count(data[:hits[0].Start], []byte("\n"))
			f.Text = lineAt(f.Text, at.Line)
		}
		h.found(at, f, do)
		all(data)
		return int64(len(data)), nil
	}
	file, err := regular.Open(h.path)
	if err != nil {
		return 0, err
	}
	defer func() { _ = file.Close() }() // it was only read
	for l, err := range jsonl.Lines(file, math.MaxInt) {
		if err != nil {
			return size, err
		}
		line, at := l.Bytes, Occurrence{Line: l.Number}
		_, f := secret.Line(line, p.mask)
		if f.Any() && h.log != "" {
			at.Ref = p.ref(h, line)
			if h.log == "own" && p.stays(line) {
				at.Kept = KeptForced
			}
		}
		h.found(at, f, do)
		all(line)
		if size = l.End.Offset; l.Ended {
			all([]byte{'\n'})
		}
	}
	return size, nil
}

// found calls do for a place of h, if a secret is there.
func (h holder) found(at Occurrence, f secret.Found, do func(Occurrence, secret.Found)) {
	if !f.Any() {
		return
	}
	at.Path, at.Kinds, at.Text = h.path, f.Kinds, f.Text
	if at.Kept == KeptForced {
		f.Secrets = nil // it is a secret there, and nowhere by that
	} else if h.kept != "" {
		at.Kept = h.kept
	}
	do(at, f)
}

// lineAt is a line of a text, by its number.
func lineAt(text string, n int) string {
	for line := range strings.Lines(text) {
		if n--; n == 0 {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// ref is the reference of the memory that a line of a log states or edits.
func (p *MaskPlan) ref(h holder, line []byte) string {
	id := itemOf(line)
	if id.IsZero() {
		return ""
	}
	if h.log != "own" {
		id = id.In(h.log)
	}
	return id.From(p.own).String()
}

// itemOf is the item that a line of a log states or changes; zero if it is none.
func itemOf(line []byte) memory.ID {
	entry := memory.ParseLine(bytes.TrimPrefix(line, []byte("\ufeff")))
	switch {
	case entry.Bad != nil || entry.Meta != nil:
		return memory.ID{}
	case entry.Record.Kind.Changes():
		return entry.Record.Target
	}
	return entry.Record.ID
}

// stays reports whether a line of the own log is the person's own exception.
func (p *MaskPlan) stays(line []byte) bool {
	id := itemOf(line).From(p.own)
	return !p.want.Forced && secret.Forced(line) &&
		!slices.ContainsFunc(p.want.IDs, func(want memory.ID) bool { return want.From(p.own) == id })
}

// RunMask masks what the plan names, and whatever of these secrets came since. What
// is known by its surroundings alone goes last, so that a masking that was cut off is
// finished by the next: until then something still says that it is a secret.
func (e *Eraser) RunMask(ctx context.Context, p *MaskPlan) error {
	if err := e.replaceable(p.files); err != nil {
		return err
	}
	line := func(b []byte) []byte { masked, _ := secret.Line(b, p.mask); return masked }
	text := func(b []byte) []byte { masked, _ := secret.Text(b, p.mask); return masked }
	untold := func(b []byte) []byte {
		if _, f := secret.Line(b, p.plain); f.Any() {
			return b
		}
		return line(b)
	}
	untoldText := func(b []byte) []byte {
		if _, f := secret.Text(b, p.plain); f.Any() {
			return b
		}
		return text(b)
	}
	for _, pass := range []struct{ line, text func([]byte) []byte }{{untold, untoldText}, {line, text}} {
		list, err := e.holders()
		if err != nil {
			return err
		}
		slices.SortStableFunc(list, func(a, b holder) int { return strings.Compare(a.log, b.log) }) // the log last
		for _, h := range list {
			if err := ctx.Err(); err != nil {
				return err
			}
			changed, err := e.maskFile(ctx, p, h, pass.line, pass.text)
			if err != nil {
				return err
			}
			p.Lines += changed
		}
	}
	if err := e.removeRemains(ctx); err != nil {
		return err
	}
	return e.syncNames(ctx, nil)
}

// maskFile masks one file, under its lock.
func (e *Eraser) maskFile(ctx context.Context, p *MaskPlan, h holder, line, text func([]byte) []byte) (changed int, err error) {
	edit := jsonl.Edit{Path: h.path, FS: e.FS, KeepTime: true}
	do := func() error {
		changed, err = edit.Lines(ctx, func(l jsonl.Line, _ *io.SectionReader) ([]byte, bool, error) {
			now := line(l.Bytes)
			return now, !bytes.Equal(now, l.Bytes), nil
		})
		return err
	}
	switch {
	case h.kept != "":
		return 0, nil
	case h.log != "":
		changed, err = e.Engine.Mask(ctx, func(_ memory.Entry, b []byte) []byte {
			if p.stays(b) {
				return b
			}
			return line(b)
		})
		return changed, err
	case h.path == e.Queue.Path:
		do = func() error {
			changed, err = e.Queue.Mask(ctx, line)
			return err
		}
	case h.gone:
		do = func() error { return e.remove(h.path) } // an index holds words in a form of its own
	case h.whole:
		do = func() error {
			b, err := regular.Read(h.path, mostRead)
			if err != nil || bytes.Equal(text(b), b) {
				return err
			}
			changed = 1
			return e.remove(h.path)
		}
	case !h.lines:
		do = func() error {
			masked, err := edit.Bytes(ctx, func(old []byte) ([]byte, error) {
				if old == nil {
					return nil, nil
				}
				return text(old), nil
			})
			if masked {
				changed = 1
			}
			return err
		}
	}
	if _, err := os.Lstat(h.path); os.IsNotExist(err) {
		return 0, nil
	}
	err = locked(ctx, h.lock, do)
	return changed, err
}

// mostRead is how large a file may be that is looked into, in bytes.
const mostRead = 1 << 30

// VerifyMask reads every file as Verify does, and reports where a secret stands that the
// plan knows, or that is found now.
func (e *Eraser) VerifyMask(ctx context.Context, p *MaskPlan) (MaskProof, error) {
	proof := MaskProof{At: []Occurrence{}, Kept: []Occurrence{}}
	list, err := e.holders()
	if err != nil {
		return proof, err
	}
	l := look{proof: Proof{}, seen: make(map[string]bool)}
	l.each = func(path string) {
		if path == e.Paths.MaskKey() || filepath.Base(path) == jsonl.LockName {
			return // of random digits, or of nothing
		}
		h := e.holderOf(path, list)
		note := func(at Occurrence) {
			if at.Kept != "" {
				proof.Kept = append(proof.Kept, at)
				return
			}
			proof.Left++
			proof.At = append(proof.At, at)
		}
		told := false
		var names []string // kinds of secrets in a place that names something, and where no mask goes
		var open []byte    // what may go on as a secret
		find := func() {
			p.set.Find(string(open), func(kind string, _, _ int) { names = append(names, kind) })
			open = open[:0]
		}
		size, err := p.look(h, func(at Occurrence, _ secret.Found) { told = true; note(at) }, func(text []byte) {
			open = append(open, text...)
			if bytes.HasSuffix(text, []byte("\n")) && p.set.Open(string(open)) == len(open) {
				find()
			}
		})
		if err != nil {
			l.unread(path, err)
			return
		}
		find()
		proof.Files++
		proof.Bytes += size
		if !told {
			for _, kind := range names {
				note(Occurrence{Path: path, Kinds: []string{kind}, Kept: h.kept})
			}
		}
		if _, f := secret.Text([]byte(strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))), p.mask); f.Any() {
			note(Occurrence{Path: path, Kinds: f.Kinds, Kept: h.kept})
		}
	}
	err = e.everywhere(ctx, &l)
	proof.Unread, proof.Beyond = l.proof.Unread, l.proof.Beyond
	return proof, err
}

// holderOf is what is known of the file at path.
func (e *Eraser) holderOf(path string, list []holder) holder {
	if i := slices.IndexFunc(list, func(h holder) bool { return h.path == path }); i >= 0 {
		return list[i]
	}
	h := holder{path: path, lines: strings.HasSuffix(path, ".jsonl")}
	if path == e.Paths.ConfigFile() || strings.HasPrefix(path, e.Paths.Policies()+string(filepath.Separator)) ||
		e.Project != "" && strings.HasPrefix(path, e.Project+string(filepath.Separator)) {
		h.kept = KeptYours
	}
	return h
}

func readWhole(path string) ([]byte, error) {
	data, err := regular.Read(path, mostRead)
	if errors.Is(err, regular.ErrTooLong) {
		return nil, &fs.PathError{Op: "look into", Path: path, Err: fmt.Errorf("more than the %d bytes that are read", int64(mostRead))}
	}
	return data, err
}
