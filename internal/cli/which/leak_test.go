//ken:slow

package which

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ken/internal/agent"
	"ken/internal/app"
	"ken/internal/cli/term"
	"ken/internal/engine"
	"ken/internal/index"
	"ken/internal/llm"
	"ken/internal/llm/llmtest"
	"ken/internal/memory"
	"ken/internal/models"
	"ken/internal/proctest"
	"ken/internal/session"
	"ken/internal/trust"
)

// A wood is directories, some of which are repositories, below one home, and
// what is known of them without asking package place.
type wood struct {
	home string
	git  string // git itself, to make real repositories with; "" makes them by hand
	dirs []glade
}

// A glade is one directory of a wood.
type glade struct {
	path   string
	parent int // its index; -1 for the home
	repo   int // the repository whose top it is: an index of the first worktree; -1 if it is none
	ids    []string
	urls   []string // of the remotes, origin first
}

// top is the innermost top around dir; -1 if there is none.
func (w *wood) top(dir int) int {
	for dir >= 0 && w.dirs[dir].repo < 0 {
		dir = w.dirs[dir].parent
	}
	return dir
}

// ids are the names of the repository around dir; none if there is no
// repository, or none that can be known again.
func (w *wood) ids(dir int) []string {
	if top := w.top(dir); top >= 0 {
		return w.dirs[w.dirs[top].repo].ids
	}
	return nil
}

// below reports whether dir is above or below it.
func (w *wood) below(dir, above int) bool {
	for dir != above && dir >= 0 {
		dir = w.dirs[dir].parent
	}
	return dir == above
}

func genWood(t *rapid.T, home, git string) *wood {
	w := &wood{home: home, git: git}
	n := rapid.IntRange(3, 12).Draw(t, "directories")
	for i := range n {
		g := glade{parent: rapid.IntRange(-1, i-1).Draw(t, "parent"), repo: -1}
		up := home
		if g.parent >= 0 {
			up = w.dirs[g.parent].path
		}
		g.path = filepath.Join(up, fmt.Sprintf("d%d", i))
		switch rapid.SampledFrom([]string{"plain", "plain", "repo", "repo", "bare of remotes", "worktree"}).Draw(t, "sort") {
		case "repo":
			g.repo = i
			for range rapid.IntRange(1, 2).Draw(t, "remotes") {
				id := rapid.SampledFrom([]string{"h.example/a", "h.example/b", "h.example/c", "h.example/d/a"}).Draw(t, "identity")
				if !slices.Contains(g.ids, id) {
					g.ids = append(g.ids, id)
					g.urls = append(g.urls, fmt.Sprintf(rapid.SampledFrom([]string{"https://%s.git", "ssh://git@%s", "https://u:p@%s/"}).Draw(t, "address"), strings.ToUpper(id)))
				}
			}
		case "bare of remotes":
			g.repo = i
			if git != "" {
				g.ids = []string{fmt.Sprintf("root of %d", i)}
			}
		case "worktree":
			var mains []int
			for j, d := range w.dirs {
				if d.repo == j {
					mains = append(mains, j)
				}
			}
			if len(mains) > 0 {
				g.repo = rapid.SampledFrom(mains).Draw(t, "of")
			}
		}
		w.dirs = append(w.dirs, g)
	}
	for i := range w.dirs {
		w.plant(t, i)
	}
	return w
}

// plant makes a directory.
func (w *wood) plant(t *rapid.T, i int) {
	g := w.dirs[i]
	if g.repo == i || g.repo < 0 || w.git == "" {
		if err := os.MkdirAll(g.path, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	switch {
	case g.repo < 0:
	case g.repo != i && w.git != "":
		w.run(t, w.dirs[g.repo].path, "worktree", "add", "-q", "--detach", g.path)
	case g.repo != i:
		common := filepath.Join(w.dirs[g.repo].path, ".git")
		own := filepath.Join(common, "worktrees", filepath.Base(g.path))
		write(t, filepath.Join(own, "HEAD"), "ref: refs/heads/x\n")
		write(t, filepath.Join(own, "commondir"), "../..\n")
		write(t, filepath.Join(g.path, ".git"), "gitdir: "+own+"\n")
	case w.git != "":
		w.run(t, g.path, "init", "-q")
		w.run(t, g.path, "commit", "-q", "--allow-empty", "-m", fmt.Sprintf("first of %d", i))
		for j, u := range g.urls {
			w.run(t, g.path, "remote", "add", []string{"origin", "upstream"}[j], u)
		}
	default:
		config := ""
		for j, u := range g.urls {
			config += fmt.Sprintf("[remote %q]\n\turl = %s\n", []string{"origin", "upstream"}[j], u)
		}
		write(t, filepath.Join(g.path, ".git", "HEAD"), "ref: refs/heads/main\n")
		write(t, filepath.Join(g.path, ".git", "config"), config)
	}
}

func (w *wood) run(t *rapid.T, dir string, args ...string) {
	cmd := proctest.Command(t, w.git, append([]string{"-c", "user.name=me", "-c", "user.email=me@example.com", "-c", "commit.gpgsign=false"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Env, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v in %s: %v\n%s", args, dir, err, out)
	}
}

func write(t *rapid.T, path, text string) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A leaf is one memory, and where it holds, as the wood knows it.
type leaf struct {
	word  string
	user  bool
	ids   []string // of the repository that it holds in
	dir   int      // that it holds below; -1 if it holds in none
	guest int      // the top of the worktree whose log it stands in; -1: in the own log
	off   bool
}

func (w *wood) holds(l leaf, dir int) bool {
	if l.guest >= 0 && w.top(dir) != l.guest {
		return false
	}
	if l.user || l.dir >= 0 && w.below(dir, l.dir) {
		return true
	}
	return slices.ContainsFunc(l.ids, func(id string) bool { return slices.Contains(w.ids(dir), id) })
}

// run is a run of the program with what it printed.
type run struct {
	*term.Run
	out, err bytes.Buffer
}

// at is a run of the program in a directory of the wood.
func (w *wood) at(t *rapid.T, dir int, url string) *run {
	r := &run{}
	r.Run = term.New(term.Env{
		Stdout: &r.out, Stderr: &r.err, Dir: w.dirs[dir].path,
		Now:   func() time.Time { return time.Date(2026, 5, 10, 12, 0, 0, 0, time.UTC) },
		Clock: time.Now, Index: os.Getenv("KEN_INDEX"),
		Getenv: func(name string) string {
			return map[string]string{
				"HOME": w.home, "KEN_HOME": filepath.Join(w.home, "ken"), "OPENAI_BASE_URL": url, "KEN_MODEL": "test",
			}[name]
		},
	})
	if _, err := r.Home.Settings.Read(); err != nil {
		t.Fatal(err)
	}
	return r
}

// remember plants memories: with the scopes that people give, in directories of
// the wood.
func (w *wood) remember(t *rapid.T) []leaf {
	var leaves []leaf
	for i := range rapid.IntRange(1, 25).Draw(t, "memories") {
		dir := rapid.IntRange(0, len(w.dirs)-1).Draw(t, "said in")
		l := leaf{word: fmt.Sprintf("zq%dx", i), dir: -1, guest: -1}
		arg := rapid.SampledFrom([]string{"user", "here", "repo", "dir", "repo:a", "repo:h.example/d/a", "repo:h.example/none"}).Draw(t, "scope")
		r := w.at(t, dir, "")
		ids := w.ids(dir)
		switch {
		case arg == "user":
			l.user = true
		case arg == "dir", arg == "here" && len(ids) == 0:
			l.dir = dir
		case arg == "here", arg == "repo" && len(ids) > 0:
			l.ids = ids[:1]
		case strings.HasPrefix(arg, "repo:h."):
			l.ids = []string{strings.TrimPrefix(arg, "repo:")}
		default:
			continue // it depends on what is known, or names nothing
		}
		full, err := r.Home.Memory.FullScope(t.Context(), arg)
		if err != nil {
			t.Fatalf("--scope %s in %s: %v", arg, w.dirs[dir].path, err)
		}
		e, err := r.Home.Memory.Writer()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Remember(t.Context(), engine.Draft{Content: "the note " + l.word, Scope: memory.Scope(full)}); err != nil {
			t.Fatal(err)
		}
		leaves = append(leaves, l)
	}
	return leaves
}

// bring puts logs into some repositories, some of which are let in.
func (w *wood) bring(t *rapid.T) (leaves []leaf) {
	for i, g := range w.dirs {
		if g.repo < 0 || !rapid.Bool().Draw(t, "brings memory") {
			continue
		}
		in := leaf{word: fmt.Sprintf("zqg%dx", i), dir: -1, guest: i, ids: w.ids(i)}
		if len(in.ids) == 0 {
			in.dir = i
		}
		away := leaf{word: fmt.Sprintf("zqh%dx", i), dir: -1, guest: i, ids: []string{"h.example/none"}}
		write(t, filepath.Join(g.path, ".ken", "memory", fmt.Sprintf("log-%d.jsonl", i)),
			`{"id":1,"content":"the note `+in.word+`"}`+"\n"+`{"id":2,"content":"the note `+away.word+`","scope":"repo:h.example/none"}`+"\n")
		r := w.at(t, i, "")
		logs, err := r.Home.RepoLogs.Read(t.Context())
		if err != nil || len(logs) != 1 || !logs[0].Undecided() {
			t.Fatalf("%s brings %+v, %v", g.path, logs, err)
		}
		verdict := rapid.SampledFrom([]trust.Verdict{trust.Use, trust.Use, trust.Ignore, trust.Never, ""}).Draw(t, "verdict")
		if verdict != "" {
			if err := r.Home.RepoLogs.Decide(t.Context(), verdict, logs[0]); err != nil {
				t.Fatal(err)
			}
		}
		if verdict == trust.Use {
			leaves = append(leaves, in, away)
		}
	}
	return leaves
}

// switchOff writes settings that switch some scopes off.
func (w *wood) switchOff(t *rapid.T, leaves []leaf) {
	off := rapid.SampledFrom([]string{"", "user", "repo:h.example/b", "repo:d/a", "dir"}).Draw(t, "switched off")
	named := func(id string) bool { return "repo:"+id == off || off == "repo:d/a" && id == "h.example/d/a" }
	config := "[memory]\ninject_max_tokens = 1000000\n"
	dir := -1
	if off == "dir" {
		dir = rapid.IntRange(0, len(w.dirs)-1).Draw(t, "which")
		off = "dir:" + filepath.ToSlash(w.dirs[dir].path)
	}
	if off != "" {
		config += fmt.Sprintf("disabled_scopes = [%q]\n", off)
	}
	write(t, filepath.Join(w.home, "ken", "config.toml"), config)
	for i := range leaves {
		l := &leaves[i]
		l.off = l.user && off == "user" || l.dir >= 0 && dir >= 0 && w.below(l.dir, dir) || slices.ContainsFunc(l.ids, named)
	}
}

// words are the notes in a text, each once, in order.
func words(text string) []string {
	list := regexp.MustCompile(`zq[gh]?[0-9]+x`).FindAllString(text, -1)
	slices.Sort(list)
	return slices.Compact(list)
}

// expect are the notes that may be seen from dir.
func (w *wood) expect(leaves []leaf, dir int, which func(leaf) bool) []string {
	var list []string
	for _, l := range leaves {
		if which(l) {
			list = append(list, l.word)
		}
	}
	slices.Sort(list)
	return list
}

func (w *wood) check(t *rapid.T, dir int, leaves []leaf, server *llmtest.Server) {
	r := w.at(t, dir, server.URL)
	ctx := t.Context()
	// A name of the repository here that is switched off under another name is
	// switched off as well.
	offHere := func(l leaf) bool {
		return l.off || slices.ContainsFunc(l.ids, func(id string) bool {
			return slices.Contains(w.ids(dir), id) && slices.ContainsFunc(w.ids(dir), func(id string) bool {
				return r.Home.Here.ScopeOff("repo:" + id)
			})
		})
	}
	here := w.expect(leaves, dir, func(l leaf) bool { return w.holds(l, dir) && !offHere(l) })
	where := fmt.Sprintf("in %s (%v)", w.dirs[dir].path, w.ids(dir))

	c, err := r.Home.Moment().Background(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(here, words(c.Block())); diff != "" {
		t.Errorf("%s: the start-up block (-want +got)\n%s", where, diff)
	}

	model, name, err := r.Home.Models().Ask(ctx, "", models.QuestionAlone)
	if err != nil {
		t.Fatal(err)
	}
	conv, rec, err := agent.Begin(ctx, r.Run.Home, agent.SessionOptions{Recording: app.Recording{Channel: session.ChannelAsk, Preset: name}})
	if err != nil {
		t.Fatal(err)
	}
	asked := len(server.Requests())
	if _, err := conv.Ask(ctx, agent.Question{Text: "note?", Model: model, Name: name, Scope: r.Home.Here.Place().Scope()},
		func(llm.Delta) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if err := rec.Close(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(here, words(string(server.Requests()[asked].Body))); diff != "" {
		t.Errorf("%s: the request (-want +got)\n%s", where, diff)
	}

	// The answer without a model stands for the model's.
	l, err := app.OpenLibrary(ctx, r.Run.Home, index.Memory)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []struct {
		what string
		app.Query
		want []string
	}{
		{"the answer without a model", app.Query{Here: true}, here},
		{"recall", app.Query{}, w.expect(leaves, dir, func(l leaf) bool { return (l.guest < 0 || l.guest == w.top(dir)) && !offHere(l) })},
		{"recall --scope here", app.Query{Scope: l.Scope("here")}, w.expect(leaves, dir, func(l leaf) bool {
			if ids := w.ids(dir); len(ids) > 0 {
				return len(l.ids) > 0 && w.holds(l, dir)
			}
			return l.dir == dir && (l.guest < 0 || l.guest == w.top(dir))
		})},
	} {
		s.Text, s.K = "note", 0
		found, err := l.Find(ctx, s.Query)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(s.want, words(app.AnswerText(found, false))); diff != "" {
			t.Errorf("%s: %s (-want +got)\n%s", where, s.what, diff)
		}
	}
	if r.err.Len() > 0 {
		t.Errorf("%s: told: %s", where, r.err.String())
	}
}

// leaks checks woods: nothing that was said about one place is seen from
// another, and everything that holds in a place is seen there.
func leaks(t *testing.T, git string, places int) {
	t.Helper()
	woods, failed := 0, false
	server := llmtest.New(t)
	server.Always(llmtest.Text("ok"))
	rapid.Check(t, func(rt *rapid.T) {
		if woods++; git != "" && woods > realWoods && !failed {
			return // git takes its time
		}
		defer func() { failed = failed || rt.Failed() }()
		home, err := os.MkdirTemp("", "ken-wood-*") //nolint:usetesting // one for each of many woods, which would pile up
		if err != nil {
			rt.Fatal(err)
		}
		defer func() { _ = os.RemoveAll(home) }()
		if home, err = filepath.EvalSymlinks(home); err != nil {
			rt.Fatal(err)
		}
		w := genWood(rt, home, git)
		leaves := append(w.remember(rt), w.bring(rt)...)
		w.switchOff(rt, leaves)
		for range places {
			w.check(rt, rapid.IntRange(0, len(w.dirs)-1).Draw(rt, "asked in"), leaves, server)
		}
	})
}

// realWoods is how many woods are made by git itself.
const realWoods = 4

// TestR240NoLeakRealGit: the same where git made the repositories, those
// without remotes included.
func TestR240NoLeakRealGit(t *testing.T) {
	t.Parallel()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed")
	}
	leaks(t, git, 10)
}

// TestR240NoLeak: a thousand questions from anywhere.
//
//ken:unraced
func TestR240NoLeak(t *testing.T) {
	t.Setenv("PATH", "") // git need not be there
	leaks(t, "", 10)
}
