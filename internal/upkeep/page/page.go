package page

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"ken/internal/app"
	"ken/internal/fault"
	"ken/internal/jsonl"
	"ken/internal/lifecycle"
	"ken/internal/memory"
	"ken/internal/memory/asof"
	"ken/internal/regular"
	"ken/internal/termsafe"
	"ken/internal/view"
	"ken/internal/view/ageing"
)

// Patience is how long what happens by itself waits for a lock: nobody who leaves
// should have to wait for it.
const Patience = 2 * time.Second

// maxPage is the longest page that is compared, in bytes.
const maxPage = 64 << 20

// A file is a page and what is to stand in it.
type file struct {
	path    string
	project bool
	lifecycle.Page
}

// pageOf makes a page of what holds now. What came with a repository is on none: it
// is not the person's.
func pageOf(h *app.View, s *memory.State, project bool) (file, error) {
	p := file{path: h.Settings.Paths().Page(), project: project, Page: lifecycle.Page{
		Title: "Memory", Line: func(text string) string { return termsafe.Line(h.Keys.MaskText(text)) },
	}}
	here := h.Here.Place()
	if project {
		if here.Repo == nil {
			return p, fault.Failuref("no repository here").WithHint("all memories on one page: %s", fault.Command("memory page"))
		}
		p.path, p.Title = filepath.Join(here.Repo.Top, ".ken", "MEMORY.md"), "Memory of this repository"
	}
	p.Since = view.CitesOf(s, h.Keys.Seal).Text
	if !project { // what others read does not say when the person used it
		last, _ := h.Uses.Counts()
		p.Used = func(it memory.Item) time.Time { return last(it.Ref()) }
	}
	foreign := make(map[string]bool)
	for _, l := range s.Logs() {
		foreign[l.Log] = l.Ceiling.Rank() > 0
	}
	now := h.Now()
	for _, it := range asof.Items(s, now) {
		if foreign[it.Log] || project && !here.Same(string(it.Record.Scope), here.RepoScope()) {
			continue
		}
		p.Items = append(p.Items, it)
	}
	return p, nil
}

// write puts the page into its file, in one piece, unless it stands there already.
func (p file) write(ctx context.Context, h *app.View) (ageing.Page, error) {
	w := ageing.Page{Path: p.path, Items: len(p.Items)}
	for _, it := range p.Items {
		if it.Tier == memory.TierArchive && !it.Pinned {
			w.Archive++
		} else {
			w.Hot++
		}
	}
	text := p.Markdown()
	if p.project {
		if err := plainFile(p.path); err != nil {
			return w, err
		}
	}
	e := jsonl.Edit{Path: p.path, Lock: h.Settings.Paths().Data, Wait: Patience, Most: maxPage}
	changed, err := e.Bytes(ctx, func(there []byte) ([]byte, error) {
		if there != nil && p.project && !bytes.Equal(there, text) && !bytes.HasPrefix(there, []byte(lifecycle.PageMark)) {
			return nil, fault.Failuref("%s was not made by ken, and is left as it is", p.path).WithHint("move it away first")
		}
		return text, nil
	})
	w.Changed = changed
	return w, err
}

// plainFile refuses a page of a repository that would be written elsewhere: what a
// repository brings may be a link to anything.
func plainFile(path string) error {
	for _, name := range []string{filepath.Dir(path), path} {
		fi, err := os.Lstat(name)
		if err == nil && fi.Mode()&fs.ModeSymlink != 0 {
			return fault.Refusedf("%s is a link, and is not followed", name)
		}
	}
	return nil
}

// Renew writes the pages that are there anew; all is set if the person's own is to be
// there from now on.
func Renew(ctx context.Context, h *app.View, all bool) error {
	var projects []bool
	if ours(h.Settings.Paths().Page()) {
		all = true
	}
	if repo := h.Here.Place().Repo; repo != nil && ours(filepath.Join(repo.Top, ".ken", "MEMORY.md")) {
		projects = append(projects, true)
	}
	if all {
		projects = append(projects, false)
	}
	if len(projects) == 0 {
		return nil
	}
	s, err := h.Memory.State(ctx)
	if err != nil {
		return err
	}
	var faults []error
	for _, project := range projects {
		p, err := pageOf(h, s, project)
		if err == nil && len(p.Items) == 0 && !ours(p.path) {
			continue // there is nothing to show
		}
		if err == nil {
			_, err = Write(ctx, h, s, project)
		}
		faults = append(faults, err)
	}
	return errors.Join(faults...)
}

// Write writes the page of s, with project that of this repository, and once more if
// the memory was changed meanwhile: or else what another process has just forgotten
// could stand on it.
func Write(ctx context.Context, h *app.View, s *memory.State, project bool) (ageing.Page, error) {
	const tries = 4
	changed := false
	for n := 1; ; n++ {
		p, err := pageOf(h, s, project)
		if err != nil {
			return ageing.Page{}, err
		}
		w, err := p.write(ctx, h)
		if err != nil {
			return w, err
		}
		changed = changed || w.Changed
		w.Changed = changed
		now, err := h.Memory.State(ctx)
		if err != nil || now == s || n == tries {
			return w, err
		}
		s = now
	}
}

// ours reports whether a page of ken stands there.
func ours(path string) bool {
	f, err := regular.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }() // it is only read
	head := make([]byte, len(lifecycle.PageMark))
	_, err = io.ReadFull(f, head)
	return err == nil && string(head) == lifecycle.PageMark
}
