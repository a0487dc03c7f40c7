package ignore

import (
	"bufio"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/regular"
)

// longest is the most bytes of a file of rules that are read.
const longest = 64 << 10

// Rules are the lines that hold at a place. The zero Rules leave nothing out. They do not change.
type Rules struct{ list []rule }

// A rule is one line.
type rule struct {
	dir     string // of the file, below the top; "" for the top
	glob    string // below dir, with slashes
	keeps   bool   // it begins with "!"
	dirs    bool   // it means directories alone
	anyDeep bool   // it has no slash: it means a name at any depth
}

// Top is the top of the repository that dir is in; dir itself if it is in none.
func Top(dir string) string {
	for at := dir; ; {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		up := filepath.Dir(at)
		if up == at {
			return dir
		}
		at = up
	}
}

// Above are the rules that hold for the directory rel below top, with slashes, but for its own.
func Above(top, rel string) Rules {
	r := Rules{list: read(exclude(top), "")}
	at := ""
	for part := range strings.SplitSeq(rel, "/") {
		if rel == "." || part == "" {
			break
		}
		r = r.With(filepath.Join(top, filepath.FromSlash(at)), at)
		at = path.Join(at, part)
	}
	return r
}

// exclude is the file of rules that a repository keeps for itself. In a worktree and a submodule .git is a file
// that says where that is.
func exclude(top string) string {
	at := filepath.Join(top, ".git")
	follow := func(file, prefix string) {
		b, err := regular.Read(file, longest)
		to, ok := strings.CutPrefix(strings.TrimSpace(string(b)), prefix)
		if to = strings.TrimSpace(to); err != nil || !ok || to == "" {
			return
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(file), to)
		}
		at = to
	}
	follow(at, "gitdir:")
	follow(filepath.Join(at, "commondir"), "")
	return filepath.Join(at, "info", "exclude")
}

// With are the rules and those of the directory dir, which is at below the top. A file that
// cannot be read says nothing. Of a repository of its own there, a submodule, its own rules hold alone.
func (r Rules) With(dir, at string) Rules {
	if at == "." {
		at = ""
	}
	if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil && at != "" {
		r = Rules{list: read(exclude(dir), at)}
	}
	more := read(filepath.Join(dir, ".gitignore"), at)
	if len(more) == 0 {
		return r
	}
	return Rules{list: append(slices.Clip(r.list), more...)}
}

func read(file, at string) (rules []rule) {
	b, err := regular.Read(file, longest)
	if err != nil {
		return nil
	}
	for s := bufio.NewScanner(strings.NewReader(string(b))); s.Scan(); {
		if g, ok := parse(s.Text(), at); ok {
			rules = append(rules, g)
		}
	}
	return rules
}

func parse(line, at string) (g rule, ok bool) {
	line = strings.TrimSuffix(line, "\r")
	bare := strings.TrimRight(line, " \t")
	if strings.HasSuffix(bare, `\`) && len(bare) < len(line) {
		bare = line[:len(bare)+1] // a blank that is meant
	}
	line = bare
	g.dir = at
	if line == "" || line[0] == '#' {
		return g, false
	}
	line, g.keeps = strings.CutPrefix(line, "!")
	line, g.dirs = strings.CutSuffix(line, "/")
	g.anyDeep = !strings.Contains(line, "/")
	g.glob = strings.TrimPrefix(line, "/")
	return g, g.glob != ""
}

// Ignore reports whether the file or directory name below the top, with slashes, is left out:
// the last line that means it decides.
func (r Rules) Ignore(name string, isDir bool) bool {
	for _, g := range slices.Backward(r.list) {
		if g.dirs && !isDir {
			continue
		}
		below := name
		if g.dir != "" {
			var ok bool
			if below, ok = strings.CutPrefix(name, g.dir+"/"); !ok {
				continue
			}
		}
		if g.anyDeep {
			below = path.Base(below)
		}
		if Match(g.glob, below) {
			return !g.keeps
		}
	}
	return false
}

// Match reports whether a path is of the form of a pattern, both with slashes: "*", "?" and
// "[...]" stand for characters of one part, "**" for any number of parts. A pattern that is no
// good matches nothing.
func Match(pattern, name string) bool {
	return match(strings.Split(strings.ReplaceAll(pattern, "[!", "[^"), "/"), strings.Split(name, "/"))
}

// match goes back to the last "**" alone: what an earlier one stands for need not change, so
// it takes no more than the product of the lengths.
func match(glob, parts []string) bool {
	g, star, from := 0, -1, 0
	for p := 0; p < len(parts); {
		if g < len(glob) && glob[g] == "**" {
			star, from = g, p
			g++
			continue
		}
		if g < len(glob) {
			if ok, err := path.Match(glob[g], parts[p]); err == nil && ok {
				g, p = g+1, p+1
				continue
			}
		} else if star == len(glob)-1 && star >= 0 {
			return true
		}
		if star < 0 {
			return false
		}
		from++
		p, g = from, star+1
	}
	return g == len(glob)
}
