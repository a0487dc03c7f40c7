package lifecmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"ken/internal/cli/app"
	"ken/internal/fault"
	"ken/internal/jsonl"
	"ken/internal/lifecycle"
	"ken/internal/memory"
	"ken/internal/memory/asof"
	"ken/internal/regular"
)

// A written is what became of a page.
type written struct {
	Path    string `json:"path"`
	Items   int    `json:"items"`
	Hot     int    `json:"hot"`
	Archive int    `json:"archive"`
	Changed bool   `json:"changed"` // it was not the same before
}

func pageCommand(a *app.App) *cobra.Command {
	var project, asJSON bool
	cmd := &cobra.Command{
		Use:     "page",
		Aliases: []string{"index"},
		Short:   "write MEMORY.md: all memories on one page, to read",
		Long: `Page writes MEMORY.md into the data directory, or with --project into .ken of this
repository, where it has the memories of this repository alone. It is made from the memory
and never read: changing or deleting it changes nothing. From then on it follows the
memory, until you delete it.`,
		Args:        cobra.NoArgs,
		Annotations: app.Writes{Own: "the page", Person: "puts memories into a repository", When: []string{"--project"}}.Note(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if _, err := a.Settings(); err != nil {
				return err
			}
			s, err := a.State(cmd.Context())
			if err != nil {
				return err
			}
			a.TellProblems(s)
			w, err := writePage(cmd.Context(), a, s, project)
			switch {
			case err != nil:
				return err
			case asJSON:
				return a.PrintJSON(w)
			}
			return a.Println(fmt.Sprintf("%s: %s, %d hot, %d archived", a.Short(w.Path), memories(w.Items), w.Hot, w.Archive))
		},
	}
	cmd.Flags().BoolVar(&project, "project", false, "the page of this repository, in .ken")
	cmd.Flags().BoolVar(&asJSON, "json", false, "as a JSON object")
	return cmd
}

// maxPage is the longest page that is compared, in bytes.
const maxPage = 64 << 20

// A page is a file and what is to stand in it.
type page struct {
	path    string
	project bool
	lifecycle.Page
}

// pageOf makes a page of what holds now. What came with a repository is on none: it
// is not the person's.
func pageOf(a *app.App, s *memory.State, project bool) (page, error) {
	p := page{path: a.Paths().Page(), project: project, Page: lifecycle.Page{
		Title: "Memory", Line: func(text string) string { return clean(a, text) },
	}}
	here := a.Place()
	if project {
		if here.Repo == nil {
			return p, fault.Failuref("no repository here").WithHint("all memories on one page: %s", fault.Command("memory page"))
		}
		p.path, p.Title = filepath.Join(here.Repo.Top, ".ken", "MEMORY.md"), "Memory of this repository"
	}
	foreign := make(map[string]bool)
	for _, l := range s.Logs() {
		foreign[l.Log] = l.Ceiling.Rank() > 0
	}
	now := a.Env.Now()
	for _, it := range asof.Items(s, now) {
		if foreign[it.Log] || project && !here.Same(string(it.Record.Scope), here.RepoScope()) {
			continue
		}
		p.Items = append(p.Items, it)
	}
	return p, nil
}

// write puts the page into its file, in one piece, unless it stands there already.
func (p page) write(ctx context.Context, a *app.App) (written, error) {
	w := written{Path: p.path, Items: len(p.Items)}
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
	e := jsonl.Edit{Path: p.path, Lock: a.Paths().Data, Wait: patience, Most: maxPage}
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

// renew writes the pages that are there anew; all is set if the person's own is to be
// there from now on.
func renew(ctx context.Context, a *app.App, all bool) error {
	var projects []bool
	if ours(a.Paths().Page()) {
		all = true
	}
	if repo := a.Place().Repo; repo != nil && ours(filepath.Join(repo.Top, ".ken", "MEMORY.md")) {
		projects = append(projects, true)
	}
	if all {
		projects = append(projects, false)
	}
	if len(projects) == 0 {
		return nil
	}
	s, err := a.State(ctx)
	if err != nil {
		return err
	}
	var faults []error
	for _, project := range projects {
		p, err := pageOf(a, s, project)
		if err == nil && len(p.Items) == 0 && !ours(p.path) {
			continue // there is nothing to show
		}
		if err == nil {
			_, err = writePage(ctx, a, s, project)
		}
		faults = append(faults, err)
	}
	return errors.Join(faults...)
}

// writePage writes a page of s, and once more if the memory was changed meanwhile: or
// else what another process has just forgotten could stand on it.
func writePage(ctx context.Context, a *app.App, s *memory.State, project bool) (written, error) {
	const tries = 4
	changed := false
	for n := 1; ; n++ {
		p, err := pageOf(a, s, project)
		if err != nil {
			return written{}, err
		}
		w, err := p.write(ctx, a)
		if err != nil {
			return w, err
		}
		changed = changed || w.Changed
		w.Changed = changed
		now, err := a.State(ctx)
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

// Follow has the pages that are there say what the memory says, after it was changed.
// A fault is told and stops nothing.
func Follow(ctx context.Context, a *app.App) {
	if _, err := a.Settings(); err != nil || a.InLane() {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	if err := renew(ctx, a, false); err != nil {
		a.WarnOnce(fmt.Errorf("the page does not follow the memory: %w", err))
	}
}
