package logs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"

	"ken/internal/attach"
	"ken/internal/config"
	"ken/internal/fault"
	"ken/internal/trust"
)

// Docs finds the docs of the repository where the person stands (AGENTS.md and the like), the
// nearest first, as they are now, with what was decided about each. Nothing is looked for
// where the settings want none.
func (r *Repo) Docs(context.Context) ([]trust.Brought, error) {
	if r.Dir() == "" || r.DocBytes() == 0 {
		return nil, nil
	}
	here := r.Place()
	if here.Repo == nil {
		return nil, nil
	}
	files, err := trust.ReadDocs(here.Repo.Top, here.Abs)
	if err != nil || len(files) == 0 {
		return nil, err
	}
	book, err := trust.Load(r.Own.Paths().Trust())
	if err != nil {
		return nil, err
	}
	for _, bad := range book.Bad {
		r.Warn(fault.Once(bad))
	}
	return book.Docs(files, func(scope string) bool { return here.Same(scope, here.RepoScope()) }), nil
}

// All is what the repository brings: its logs, then its docs, then its skills.
func (r *Repo) All(ctx context.Context) ([]trust.Brought, error) {
	all, err := r.Read(ctx)
	if err != nil {
		return nil, err
	}
	docs, err := r.Docs(ctx)
	all = append(all, docs...)
	if err != nil || r.Skills == nil {
		return all, err
	}
	skills, err := r.Skills.Brought()
	return append(all, skills...), err
}

// UsedDocs returns those of Docs that the person let in. What becomes of each doc is reported
// when it is first met, and when it, or what was decided about it, has changed.
func (r *Repo) UsedDocs(ctx context.Context) []Doc {
	all, err := r.Docs(ctx)
	if err != nil {
		r.Warn(fault.Once(fmt.Errorf("this repository's docs are not read: %w", err)))
		return nil
	}
	var used []Doc
	left := r.DocBytes()
	for _, b := range all {
		d := Doc{File: b}
		if b.Used() {
			d.Bytes = min(left, len(b.Text))
			left -= d.Bytes
			used = append(used, d)
		}
		key := fmt.Sprintf("%s\n%s\n%s\n%s\n%v", r.Place().RepoScope(), b.Path, b.SHA256, b.Verdict, b.Refused)
		if r.told[key] {
			continue
		}
		if r.told == nil {
			r.told = make(map[string]bool)
		}
		r.told[key] = true
		if b.Refused == nil && (b.Verdict == trust.Ignore || b.Verdict == trust.Never) || b.Undecided() && !r.news(b) {
			r.Note(fault.Aside(d)) // as the person wants it, or knows it
		} else {
			r.Note(d)
		}
	}
	return used
}

// news reports whether it was never said on this machine that a file of this repository waits for the person, and takes
// note that it is. Where that cannot be kept it is news each time.
func (r *Repo) news(b trust.Brought) bool {
	key := r.Place().RepoScope() + "\n" + b.Path
	if b.Changed { // what they decided is void
		key += "\n" + b.SHA256
	}
	sum := sha256.Sum256([]byte(key))
	path := filepath.Join(config.ToldIn(r.Own.Paths()), hex.EncodeToString(sum[:16]))
	if _, err := os.Stat(path); err == nil {
		return false
	}
	if r.Own.OnlyRead() || os.MkdirAll(filepath.Dir(path), 0o700) != nil {
		return true
	}
	_ = os.WriteFile(path, nil, 0o600) // else it is said again
	return true
}

// saying says how the person lets a file in, and how they are never told of it again.
func saying(b trust.Brought, verb func(fault.Command) string) string {
	use, never := fault.Command("memory trust use "+b.Log), fault.Command("memory trust never "+b.Log)
	return fault.Textf("see and use it: %s; never: %s", use, never).In(verb)
}

// A Doc is a doc of the repository, and the event that it goes with the questions from now
// on, or does not.
type Doc struct {
	File  trust.Brought
	Bytes int // of its beginning that go; 0 if it does not
}

// Usual reports whether the event is what the person decided, and no news to who knows.
func (d Doc) Usual() bool { return d.File.Used() && d.Bytes == len(d.File.Text) }

// In implements fault.Note.
func (d Doc) In(verb func(fault.Command) string) string {
	f := d.File
	name := f.Path + " of this repository"
	see := " (" + saying(f, verb) + ")"
	switch {
	case f.Refused != nil:
		return name + " is not read: " + f.Refused.Error()
	case f.Used() && d.Bytes == 0:
		return name + " is not read: no room is left for it (tools.project_doc_bytes)"
	case f.Used() && d.Bytes < len(f.Text):
		all, part := attach.Size(int64(len(f.Text))), attach.Size(int64(d.Bytes))
		return fmt.Sprintf("%s: %s, the first %s read (tools.project_doc_bytes)", name, all, part)
	case f.Used():
		return fmt.Sprintf("%s: %s, read", name, attach.Size(int64(len(f.Text))))
	case f.Verdict != "":
		return fmt.Sprintf("%s is not read: %s", name, f.Unused())
	case f.Changed:
		return name + " has changed, and is not read" + see
	}
	return name + " is not read" + see
}
