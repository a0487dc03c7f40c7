package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"ken/internal/config"
	"ken/internal/redact"
	"ken/internal/regular"
	"ken/internal/view"
)

// Files checks the files at paths for damage: settings, memory, replicas, sessions and what lies beside them. It changes nothing.
// settings is what reading the settings said; nil: they could be read. Errors: ctx is done.
func Files(ctx context.Context, person Person, paths config.Paths, settings error, now time.Time) (view.Report, error) {
	c := &checker{paths: paths, mask: masker(paths), now: now, person: person, Report: view.Report{Findings: []view.Finding{}}}
	err := c.all(ctx, settings)
	return c.Report, err
}

// masker masks with the person's key if there is one. None is made: a check
// writes nothing.
func masker(paths config.Paths) func(string) string {
	var key []byte
	if _, err := os.Stat(paths.MaskKey()); err == nil {
		key, _ = redact.LoadKey(paths.MaskKey()) // a damaged one is reported elsewhere
	}
	m := redact.New(key)
	return func(s string) string {
		s, _ = m.Mask(s)
		return s
	}
}

// A checker looks at files and writes down what it finds.
type checker struct {
	view.Report
	paths  config.Paths
	mask   func(string) string
	now    time.Time
	person Person
}

// tell adds a finding about a file.
func (c *checker) tell(level, file string, line int, what, hint string) {
	c.Add(view.Finding{Level: level, File: file, Line: line, What: c.mask(what), Hint: hint})
}

// Next steps that several findings have.
const (
	mendLine = "mend the line in an editor, or delete it; ken leaves it as it is"
	narrow   = "let nobody else in: chmod 600 for a file, chmod 700 for a directory"
	putFile  = "put the file where it belongs, or restore it from a backup"
)

// all checks everything. settings is what reading the settings said.
func (c *checker) all(ctx context.Context, settings error) error {
	for _, dir := range c.dirs() {
		c.dir(dir, true)
	}
	for _, file := range []string{c.paths.Memory(), c.paths.ConfigFile()} {
		if dir := filepath.Dir(file); !slices.Contains(c.dirs(), dir) {
			c.dir(dir, false)
		}
	}
	c.settings(settings)
	if err := c.memory(ctx); err != nil {
		return err
	}
	if err := c.sessions(ctx); err != nil {
		return err
	}
	c.small()
	return nil
}

// dirs are the directories that are ken's own, each once.
func (c *checker) dirs() []string {
	p := c.paths
	var dirs []string
	for _, dir := range []string{p.Config, p.Data, p.State, p.Cache, p.Policies(), p.Peers(), p.Sessions(), p.Imports(), p.Skills(), p.Run()} {
		if !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// dir checks a directory, and looks for what crashes and programs that sync leave
// behind. Only what ken made itself is in question: people keep other things there.
// A directory that is not ken's own holds the memory or the settings alone.
func (c *checker) dir(dir string, own bool) {
	fi, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Lstat(dir); err == nil && own {
			c.tell(view.LevelError, dir, 0, "a link to something that is not there", putFile)
		}
		return
	case err != nil:
		c.tell(view.LevelError, dir, 0, causeOf(err), "")
		return
	case !fi.IsDir():
		c.tell(view.LevelError, dir, 0, "not a directory", putFile)
		return
	}
	if own {
		c.mode(dir, fi)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		c.tell(view.LevelError, dir, 0, causeOf(err), "")
	}
	for _, e := range entries {
		name, path := e.Name(), filepath.Join(dir, e.Name())
		ours := own || strings.Contains(name, filepath.Base(c.paths.Memory())) || isCopy(name, c.paths.Memory()) || strings.Contains(name, filepath.Base(c.paths.ConfigFile()))
		switch {
		case !ours:
		case strings.HasPrefix(name, ".") && strings.HasSuffix(name, ".new"):
			c.tell(view.LevelWarning, path, 0, "left behind by a change that was cut off", "delete what was left behind; the files themselves are whole")
		case strings.HasPrefix(name, ".") && strings.HasSuffix(name, ".moved"):
			c.tell(view.LevelNote, path, 0, "a change was cut off just before its end; the next write finishes it", "")
		case strings.HasPrefix(name, "mask.key."):
			c.tell(view.LevelNote, path, 0, "left behind by a start that was cut off", "delete what was left behind; the files themselves are whole")
		case dir == filepath.Dir(c.paths.Memory()) && isCopy(name, c.paths.Memory()):
			c.tell(view.LevelWarning, path, 0, "looks like a copy of the memory; its lines are not read",
				"what the copy has and the memory lacks is suggested by: ken import FILE; then move the copy away")
		case dir == c.paths.Data && isCopy(name, c.paths.Review()):
			c.tell(view.LevelWarning, path, 0, "looks like a copy of the review queue; its lines are not read", "look into the copy, then move it away")
		}
	}
}

// mode warns of what others than the owner can do with a file or directory.
func (c *checker) mode(path string, fi fs.FileInfo) {
	if perm := fi.Mode().Perm(); perm&0o077 != 0 && runtime.GOOS != "windows" {
		do := "look into it"
		switch {
		case perm&0o022 != 0:
			do = "change it"
		case perm&0o044 != 0:
			do = "read it"
		}
		c.tell(view.LevelWarning, path, 0, fmt.Sprintf("others may %s: mode %04o", do, perm), narrow)
	}
}

// file checks what stands at path and counts it. It reports whether there is a
// file that can be read.
func (c *checker) file(path string) bool {
	fi, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(path); err == nil {
			c.Files++
			c.tell(view.LevelError, path, 0, "a link to something that is not there", putFile)
		}
		return false
	}
	c.Files++
	if err == nil {
		c.mode(path, fi)
		err = readable(path)
	}
	if err != nil {
		hint := putFile
		if errors.Is(err, fs.ErrPermission) {
			hint = "make it yours: check the owner and the mode of the file and of its directory"
		}
		c.tell(view.LevelError, path, 0, causeOf(err), hint)
	}
	return err == nil
}

// readable reports why the file at path cannot be read; nil if it is not there.
func readable(path string) error {
	f, err := regular.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// causeOf is an error without the path that stands in front of it anyway.
func causeOf(err error) string {
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
		return pe.Err.Error()
	}
	if errors.Is(err, regular.ErrNotFile) {
		return regular.ErrNotFile.Error()
	}
	return err.Error()
}

// settings checks the file of settings and the keys that it names.
func (c *checker) settings(err error) {
	path := c.paths.ConfigFile()
	readable := c.file(path)
	problems := config.ProblemsOf(err)
	for _, p := range problems {
		what := p.What
		if p.Key != "" {
			what = p.Key + ": " + what
		}
		c.Add(view.Finding{
			Level: view.LevelError, File: path, Line: p.Row, Column: p.Col, What: c.mask(what),
			Hint: "mend the settings: " + c.person.Verb("config edit"),
		})
	}
	if err != nil {
		if problems == nil && (readable || errors.Is(err, fs.ErrNotExist)) {
			if u := errors.Unwrap(err); u != nil {
				err = u // without the path
			}
			c.tell(view.LevelError, path, 0, causeOf(err), "name another file of settings, or write this one: ken config init")
		}
		c.tell(view.LevelNote, path, 0, "not in force, so the other files are looked for in their usual places", "")
		return
	}
	text, err := regular.Read(path, config.MaxFile)
	if err != nil {
		return // there is none
	}
	c.Lines += strings.Count(string(text), "\n")
	cfg, err := config.Parse(text, path)
	if err != nil {
		return // changed meanwhile
	}
	for _, key := range cfg.Unused() {
		c.tell(view.LevelNote, path, 0, key+": nothing reads it yet", "")
	}
	for _, p := range cfg.Missing() {
		c.tell(view.LevelNote, path, p.Row, p.Key+": "+p.What, "")
	}
	for _, name := range slices.Sorted(maps.Keys(cfg.Models)) {
		m := cfg.Models[name]
		if m.APIKeyFile == "" {
			continue
		}
		m.APIKeyEnv = ""
		if _, _, err := m.Key(c.person.Getenv); err != nil {
			hint := ""
			if h := (interface{ Hint() string })(nil); errors.As(err, &h) {
				hint = h.Hint()
			}
			c.tell(view.LevelError, path, 0, "preset "+name+": "+err.Error(), hint)
		}
	}
}
