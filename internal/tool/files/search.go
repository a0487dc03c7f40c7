package files

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"ken/internal/attach"
	"ken/internal/ignore"
	"ken/internal/regular"
	"ken/internal/risk"
	"ken/internal/termsafe"
	"ken/internal/tool/swap"
)

const (
	// mostHits is how many lines a search shows, and mostNames how many names.
	mostHits  = 50
	mostNames = 200
	// widestHit is how many bytes of a line are shown.
	widestHit = 200
	// mostLooked is how many names a search looks at.
	mostLooked = 200_000
	// longestSearched is how many bytes a file has that is searched.
	longestSearched = 4 << 20
)

// A Search is what to look for.
type Search struct {
	Pattern string // a regular expression (RE2) for lines; "" lists names
	Glob    string // of names: "*.go", "**/*_test.go"; "" for all
}

// sought is a search that goes on.
type sought struct {
	p       Place
	at      Target
	under   string         // what is searched, as files in it are judged: below the project, or by its whole path
	re      *regexp.Regexp // nil: names are sought
	glob    string
	out     strings.Builder
	hits    int
	looked  int
	full    bool // there are more
	secrets []string
	long    int
	own     []fs.FileInfo // ken's directories and files; none if one of them is searched
}

// Search looks in a directory and below it, or in one file, but for what git leaves out, links, and
// files that may hold keys. Hits are "path:line: text", paths below the project or absolute.
func (p Place) Search(ctx context.Context, at Target, want Search) (string, error) {
	s := &sought{p: p, at: at, glob: want.Glob, under: p.below(at.Path)}
	if s.under == "" { // elsewhere, or the project itself
		if s.under = "."; !p.is(at.Path, p.Project) {
			s.under = strings.TrimPrefix(filepath.ToSlash(at.Path), "/")
		}
	}
	if !p.isOwn(at.Path) {
		s.own = p.owned()
	}
	switch {
	case !at.There:
		return "", refuse("no such directory: %s", at.Name)
	case want.Pattern == "" && want.Glob == "":
		return "", refuse("nothing to look for: give a pattern, a glob, or both")
	}
	if want.Pattern != "" {
		re, err := regexp.Compile("(?m)" + want.Pattern)
		if err != nil {
			return "", refuse("the pattern is no regular expression (RE2, without lookaround and backreferences): %v", err)
		}
		s.re = re
	}
	if s.glob != "" && !strings.Contains(s.glob, "/") {
		s.glob = "**/" + s.glob
	}
	s.glob = strings.TrimPrefix(strings.TrimPrefix(s.glob, "./"), "/")
	var err error
	if at.Dir {
		top := ignore.Top(at.Path)
		rel, relErr := filepath.Rel(top, at.Path)
		if relErr != nil {
			return "", p.failed(at.Name, relErr)
		}
		err = s.walk(ctx, at.Path, "", filepath.ToSlash(rel), ignore.Above(top, filepath.ToSlash(rel)))
	} else {
		s.file(at.Path, filepath.Base(at.Path), true)
	}
	if err != nil {
		return "", err
	}
	return s.answer(), nil
}

// walk goes through the directory dir, which is rel below the one that is searched and inRepo below
// the top of the repository.
func (s *sought) walk(ctx context.Context, dir, rel, inRepo string, rules ignore.Rules) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // what may not be read holds no hit
	}
	rules = rules.With(dir, inRepo)
	for _, e := range entries {
		if s.full {
			return nil
		}
		if s.looked++; s.looked > mostLooked {
			s.full = true
			return nil
		}
		name := path.Join(rel, e.Name())
		at := path.Join(inRepo, e.Name())
		if e.Name() == ".git" || rules.Ignore(at, e.IsDir()) {
			continue
		}
		full := filepath.Join(dir, e.Name())
		switch {
		case e.IsDir() && keepsRepository(full): // .git by another name
		case e.IsDir() && s.isOwn(e):
			s.secrets = append(s.secrets, name+"/")
		case e.IsDir():
			if err := s.walk(ctx, full, name, at, rules); err != nil {
				return err
			}
		case e.Type().IsRegular() || e.Type()&fs.ModeSymlink != 0 && s.re == nil:
			s.file(full, name, false)
		}
	}
	return nil
}

// file looks at one file. named says that the path of the search names it.
func (s *sought) file(full, rel string, named bool) {
	if s.glob != "" && !ignore.Match(s.glob, rel) {
		return
	}
	shown := termsafe.Line(rel)
	if !named && s.at.Name != "." {
		shown = path.Join(filepath.ToSlash(s.at.Name), shown)
	} else if named {
		shown = s.at.Name
	}
	if s.re == nil {
		if s.hits++; s.hits > mostNames {
			s.full = true
			return
		}
		s.out.WriteString(shown + "\n")
		return
	}
	fi, err := regular.Stat(full)
	if err != nil || fi == nil {
		return
	}
	if fi.Size() > longestSearched {
		s.long++
		return
	}
	if !named && s.mayHoldKeys(full, rel, fi) || s.isOwned(fi) {
		s.secrets = append(s.secrets, shown)
		return
	}
	b, err := regular.Read(full, longestSearched)
	if err != nil {
		return
	}
	if what, text := attach.Sniff(b); !text || what != "" {
		return
	}
	s.lines(shown, b)
}

// isOwn says that a directory is one of ken's.
func (s *sought) isOwn(e fs.DirEntry) bool {
	if len(s.own) == 0 {
		return false
	}
	fi, err := e.Info()
	return err != nil || s.isOwned(fi)
}

func (s *sought) isOwned(fi fs.FileInfo) bool {
	return slices.ContainsFunc(s.own, func(own fs.FileInfo) bool { return os.SameFile(own, fi) })
}

// mayHoldKeys says that a file would have to be asked about if it were read by itself, but for where it lies, which was judged
// when the search was.
func (s *sought) mayHoldKeys(full, rel string, fi fs.FileInfo) bool {
	if s.under != "." {
		rel = path.Join(s.under, rel)
	}
	v := risk.JudgeFile(risk.File{
		Path: full, Rel: rel, Project: "/project", Home: s.p.Home, Names: swap.Names(full, fi),
	})
	return slices.ContainsFunc(v.Reasons, func(r risk.Reason) bool { return r.Why != risk.WhyGit })
}

// lines writes the lines of b that have a hit.
func (s *sought) lines(shown string, b []byte) {
	number, counted := 1, 0
	for at := 0; at <= len(b); {
		loc := s.re.FindIndex(b[at:])
		if loc == nil {
			return
		}
		hit := at + loc[0]
		begin := bytes.LastIndexByte(b[:hit], '\n') + 1
		end := len(b)
		if i := bytes.IndexByte(b[hit:], '\n'); i >= 0 {
			end = hit + i
		}
		number += bytes.Count(b[counted:begin], []byte("\n"))
		counted = begin
		if begin == len(b) {
			return // behind the last line
		}
		if s.hits++; s.hits > mostHits {
			s.full = true
			return
		}
		fmt.Fprintf(&s.out, "%s:%d: %s\n", shown, number, around(b[begin:end], hit-begin))
		at = end + 1
	}
}

// around is a line, or what stands around at in a long one.
func around(line []byte, at int) string {
	text := strings.ToValidUTF8(strings.TrimSuffix(string(line), "\r"), "\ufffd")
	if len(text) <= widestHit {
		return text
	}
	from := max(min(at-widestHit/2, len(text)-widestHit), 0)
	piece := strings.ToValidUTF8(text[from:min(from+widestHit, len(text))], "")
	if from > 0 {
		piece = "..." + piece
	}
	if from+widestHit < len(text) {
		piece += "..."
	}
	return piece
}

func (s *sought) answer() string {
	var notes []string
	switch {
	case s.hits == 0:
		notes = append(notes, "no hit")
	case s.full:
		notes = append(notes, "there are more: narrow the pattern, the glob or the path")
	}
	if s.hits == 0 && s.full {
		notes = []string{"no hit in the first names, and there are more: narrow the path"}
	}
	if len(s.secrets) > 0 {
		slices.Sort(s.secrets)
		list := strings.Join(s.secrets[:min(3, len(s.secrets))], ", ")
		if len(s.secrets) > 3 {
			list += ", ..."
		}
		notes = append(notes, fmt.Sprintf("not searched, they may hold keys or have other names: %s", list))
	}
	if s.long > 0 {
		notes = append(notes, fmt.Sprintf("%d files over %s not searched", s.long, attach.Size(longestSearched)))
	}
	if len(notes) == 0 {
		return s.out.String()
	}
	return s.out.String() + "[" + strings.Join(notes, "; ") + "]"
}
