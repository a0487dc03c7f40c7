package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"ken/internal/cli/term"
	"ken/internal/trust"
)

// A said is a line that states something, as the model of these tests knows it.
type said struct {
	log, word  string // of the log; the word that nothing else has
	n          int
	ts         time.Time
	scope      string
	key        string
	expires    time.Time
	from, to   time.Time
	supersedes int // of the same log; 0: none
	archived   bool
	pinned     bool
	forgotten  bool
	took       bool // what it replaced along when it was forgotten: it was valid by then
	waits      bool // of a model, and nobody said yes
}

func (s said) ref() string {
	if s.log == "own-0001" {
		return fmt.Sprint(s.n)
	}
	return fmt.Sprintf("%s/%d", s.log, s.n)
}

// here reports whether it holds in the repository that the tests stand in.
func (s said) here() bool { return s.scope == "" || s.scope == "repo:example.org/me/tea" }

func (s said) line() string {
	m := map[string]any{
		"id": s.n, "ts": s.ts.Format(time.RFC3339), "kind": "fact",
		"content": "the " + s.word + " is in the cellar",
	}
	for name, at := range map[string]time.Time{"expires": s.expires, "valid_from": s.from, "valid_to": s.to} {
		if !at.IsZero() {
			m[name] = at.Format(time.RFC3339)
		}
	}
	for name, text := range map[string]string{"scope": s.scope, "key": s.key} {
		if text != "" {
			m[name] = text
		}
	}
	if s.supersedes > 0 {
		m["supersedes"] = s.supersedes
	}
	if s.waits {
		m["origin"] = "model"
	}
	text, _ := json.Marshal(m)
	return string(text)
}

// A crowd is logs as bad clocks leave them, with what a person would say of them.
type crowd struct {
	files map[string][]string // lines, by the name of the log
	said  []said
}

// drawCrowd draws logs. Times lie around now by anything from seconds to a century:
// a clock ahead, one set back, one that stood at its epoch.
func drawCrowd(t *rapid.T, now time.Time) crowd {
	c := crowd{files: make(map[string][]string)}
	off := func(name string) time.Duration {
		return rapid.SampledFrom([]time.Duration{
			-50 * 365 * 24 * time.Hour, -400 * 24 * time.Hour, -24 * time.Hour, -time.Hour, -3 * time.Second,
			time.Minute, 10 * time.Minute, 36 * time.Hour, 4 * 365 * 24 * time.Hour, 100 * 365 * 24 * time.Hour,
		}).Draw(t, name)
	}
	for _, log := range []string{"own-0001", "desk-0002", "team"} {
		var lines []string
		id := 0
		var refs []int      // places in c.said
		var clock time.Time // the latest so far
		later := func(at time.Time) time.Time {
			if at.After(clock) {
				clock = at
			}
			return at
		}
		for range rapid.IntRange(0, 5).Draw(t, log) {
			id++
			s := said{log: log, n: id, word: fmt.Sprintf("%s%cq%c", strings.ReplaceAll(log[:3], "-", ""), 'a'+id%26, 'a'+id/26), ts: now.Add(off("ts"))}
			switch rapid.IntRange(0, 9).Draw(t, "what") {
			case 0:
				s.expires = now.Add(off("expires"))
			case 1:
				s.from = now.Add(off("from"))
			case 2:
				s.to = now.Add(off("to"))
			case 3:
				s.key = "k" + log[:1]
			case 4:
				s.key, s.from = "k"+log[:1], now.Add(off("from"))
			case 5:
				if len(refs) > 0 {
					s.supersedes = c.said[rapid.SampledFrom(refs).Draw(t, "replaces")].n
					if rapid.Bool().Draw(t, "later") {
						s.from = now.Add(off("from"))
					}
				}
			case 6:
				s.waits = log == "own-0001"
			case 7:
				s.scope = rapid.SampledFrom([]string{"repo:example.org/me/tea", "repo:example.org/me/other"}).Draw(t, "scope")
			}
			later(s.ts)
			lines = append(lines, s.line())
			refs = append(refs, len(c.said))
			c.said = append(c.said, s)
			if rapid.IntRange(0, 3).Draw(t, "change") == 0 {
				id++
				target := &c.said[rapid.SampledFrom(refs).Draw(t, "target")]
				kind := rapid.SampledFrom([]string{"forget", "tier", "phase", "pin"}).Draw(t, "kind")
				more := map[string]string{"tier": `,"tier":"archive"`, "phase": `,"phase":"stabilized"`}[kind]
				ts := later(now.Add(off("ts"))).Format(time.RFC3339)
				lines = append(lines, fmt.Sprintf(`{"id":%d,"ts":%q,"kind":%q,"target":%d%s}`, id, ts, kind, target.n, more))
				target.forgotten = target.forgotten || kind == "forget"
				target.took = target.took || kind == "forget" && !clock.Before(target.from)
				target.archived = target.archived || kind == "tier"
				target.pinned = target.pinned || kind == "pin"
			}
		}
		c.files[log] = lines
	}
	return c
}

// active are the references of what holds now, by what the lines say and no clock
// but the present one.
func (c crowd) active(now time.Time) map[string]said {
	c.said = slices.Clone(c.said)
	for i, o := range slices.Backward(c.said) { // what replaces is behind what it replaces
		if !o.took || o.waits {
			continue
		}
		for j := range c.said[:i] {
			s := &c.said[j]
			if s.log == o.log && (o.supersedes == s.n || o.key != "" && o.key == s.key && o.scope == s.scope) {
				s.forgotten, s.took = true, true
			}
		}
	}
	valid := func(s said) bool { return !s.forgotten && !s.waits && !s.from.After(now) }
	list := map[string]said{}
	for i, s := range c.said {
		hidden := slices.ContainsFunc(c.said, func(o said) bool {
			return valid(o) && o.log == s.log && o.supersedes == s.n
		})
		if s.key != "" {
			hidden = hidden || slices.ContainsFunc(c.said[i+1:], func(o said) bool {
				return valid(o) && o.log == s.log && o.key == s.key && o.scope == s.scope
			})
		}
		ended := func(at time.Time) bool { return !at.IsZero() && !now.Before(at) }
		if valid(s) && !hidden && !ended(s.expires) && !ended(s.to) {
			list[s.ref()] = s
		}
	}
	return list
}

// put writes the logs into a home, in which the repository's is let in.
func (c crowd) put(t *rapid.T, home, project string, now time.Time) {
	meta := func(log string) string {
		return fmt.Sprintf(`{"meta":{"format":1,"log":%q,"created":"2026-01-01T00:00:00Z"}}`, log)
	}
	for path, text := range map[string]string{
		filepath.Join(home, "memory.jsonl"):                              meta("own-0001") + "\n" + strings.Join(c.files["own-0001"], "\n") + "\n",
		filepath.Join(home, "device.json"):                               `{"log":"own-0001"}`,
		filepath.Join(home, "config.toml"):                               "[memory]\ninject_max_tokens = 100000\n",
		filepath.Join(home, "peers", "desk-0002.jsonl"):                  meta("desk-0002") + "\n" + strings.Join(c.files["desk-0002"], "\n") + "\n",
		filepath.Join(project, ".git", "HEAD"):                           "ref: refs/heads/main\n",
		filepath.Join(project, ".git", "config"):                         "[remote \"origin\"]\n\turl = git@example.org:me/tea\n",
		filepath.Join(project, filepath.FromSlash(trust.PathOf("team"))): strings.Join(c.files["team"], "\n") + "\n",
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files, err := trust.Read(project)
	if err != nil || len(files) != 1 {
		t.Fatalf("the logs of the repository: %v, %v", files, err)
	}
	if err := trust.Decide(t.Context(), filepath.Join(home, "trust.jsonl"), files[0].Decide("repo:example.org/me/tea", trust.Use, now)); err != nil {
		t.Fatal(err)
	}
}

// A stand is a place to run commands in, with a clock that goes on.
type stand struct {
	t             *rapid.T
	home, project string
	clock         func() time.Time
}

func (s stand) env(in *os.File, out, errs *bytes.Buffer, args ...string) Env {
	return Env{
		Args: args, Stdin: in, Stdout: out, Stderr: errs, Dir: s.project, Now: s.clock, Clock: time.Now, Local: []string{},
		Getenv: func(name string) string { return map[string]string{"KEN_HOME": s.home, "HOME": s.home}[name] },
	}
}

// run runs one command, with input on its standard input.
func (s stand) run(input string, args ...string) string {
	s.t.Helper()
	in, err := os.CreateTemp(s.home, "stdin")
	if err != nil {
		s.t.Fatal(err)
	}
	defer os.Remove(in.Name())
	defer in.Close()
	if _, err := in.WriteString(input); err != nil {
		s.t.Fatal(err)
	}
	if _, err := in.Seek(0, 0); err != nil {
		s.t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if code := Main(s.t.Context(), s.env(in, &out, &errs, args...)); code != 0 && args[0] != "doctor" {
		s.t.Fatalf("ken %s: exit code %d: %s", strings.Join(args, " "), code, errs.String())
	}
	return out.String()
}

func (s stand) decode(text string, to any) {
	s.t.Helper()
	if err := json.Unmarshal([]byte(text), to); err != nil {
		s.t.Fatalf("%v: %s", err, text)
	}
}

// refsIn are the references of the items that count in a JSON array, or in the one of
// an object.
func (s stand) refsIn(text string) (refs []string) {
	s.t.Helper()
	type row struct{ Ref, Status string }
	var x struct{ Items []row }
	if strings.HasPrefix(text, "[") {
		s.decode(text, &x.Items)
	} else {
		s.decode(text, &x)
	}
	for _, it := range x.Items {
		if it.Status == "" || it.Status == "active" {
			refs = append(refs, it.Ref)
		}
	}
	return refs
}

// A shown is one view: what it shows and what it should, references but for texts
// that have none.
type shown struct {
	name string
	look func() (got, want []string)
}

// views are all views of a memory of which active holds. What a view leaves out by a
// rule of its own is said here.
func (s stand) views(active map[string]said) []shown {
	all := slices.Collect(maps.Keys(active))
	where := func(keep func(said) bool) (refs []string) {
		for ref, it := range active {
			if keep(it) {
				refs = append(refs, ref)
			}
		}
		return refs
	}
	here := where(func(it said) bool { return it.here() })
	text := func(want []string, args ...string) shown {
		return shown{strings.Join(args, " "), func() ([]string, []string) { return wordsIn(s.run("", args...), active), want }}
	}
	array := func(want []string, args ...string) shown {
		return shown{strings.Join(args, " "), func() ([]string, []string) { return s.refsIn(s.run("", args...)), want }}
	}
	return []shown{
		text(all, "memory", "list"),
		array(all, "memory", "list", "--json"),
		array(all, "memory", "list", "--all", "--json"),
		text(all, "export"),
		text(all, "export", "--format", "jsonl"),
		array(all, "export", "--json"),
		array(here, "port", "export"),
		array(here, "port", "recall-preferences", "--limit", "999"),
		{"memory page", func() ([]string, []string) {
			s.run("", "memory", "page")
			page, err := os.ReadFile(filepath.Join(s.home, "MEMORY.md"))
			if err != nil {
				s.t.Fatal(err)
			}
			// What came with a repository is not the person's, and on no page.
			return wordsIn(string(page), active), where(func(it said) bool { return it.log != "team" })
		}},
		{"memory stats", func() ([]string, []string) {
			var x struct {
				Total  int
				NotNow int `json:"not_now"`
			}
			s.decode(s.run("", "memory", "stats", "--json"), &x)
			return []string{fmt.Sprint(x.Total - x.NotNow)}, []string{fmt.Sprint(len(all))}
		}},
		{"recall", func() ([]string, []string) { return s.recalled(active), all }},
		{"the start-up block", func() ([]string, []string) {
			var out, errs bytes.Buffer
			a := term.New(s.env(os.Stdin, &out, &errs))
			_, err := a.Home.Settings.Read()
			if err != nil {
				s.t.Fatal(err)
			}
			choice, err := a.Home.Moment().Background(s.t.Context())
			if err != nil {
				s.t.Fatal(err)
			}
			return wordsIn(choice.Block(), active), where(func(it said) bool { return it.here() && (!it.archived || it.pinned) })
		}},
		{"doctor", func() ([]string, []string) {
			var signs []struct{ What, Says string }
			s.decode(s.run("", "doctor", "--offline", "--json"), &signs)
			i := slices.IndexFunc(signs, func(x struct{ What, Says string }) bool { return x.What == "memory" })
			n, _, _ := strings.Cut(signs[i].Says, " ")
			return []string{n}, []string{fmt.Sprint(len(all))}
		}},
	}
}

// wordsIn are the references of the active items whose text is in a text, and how many
// texts there are if there are others.
func wordsIn(text string, active map[string]said) (refs []string) {
	for ref, it := range active {
		if strings.Contains(text, "the "+it.word+" is") {
			refs = append(refs, ref)
		}
	}
	if n := strings.Count(text, "is in the cellar"); n != len(refs) {
		refs = append(refs, fmt.Sprintf("%d texts", n))
	}
	return refs
}

// recalled are the references that are found by the words of the active items.
func (s stand) recalled(active map[string]said) []string {
	var asked strings.Builder
	for ref, it := range active {
		fmt.Fprintf(&asked, "{\"id\":%q,\"query\":%q}\n", ref, it.word)
	}
	found := map[string]bool{}
	for line := range strings.Lines(s.run(asked.String(), "recall", "--jsonl")) {
		var a struct{ Hits []struct{ Ref string } }
		s.decode(line, &a)
		for _, h := range a.Hits {
			found[h.Ref] = true
		}
	}
	return slices.Collect(maps.Keys(found))
}

// TestF1OneViewOfMemory: whatever the clocks of the writers said, every view shows the
// same memories, but for what it says that it leaves out. The clock goes on between two
// readings of it, as clocks do.
//
//ken:indexed
func TestF1OneViewOfMemory(t *testing.T) {
	t.Parallel()
	temp := t.TempDir
	rapid.Check(t, func(t *rapid.T) {
		dir := temp()
		defer os.RemoveAll(dir) // there are a hundred of them
		now := time.Now().UTC().Truncate(time.Second)
		c := drawCrowd(t, now)
		s := stand{t: t, home: filepath.Join(dir, "ken"), project: filepath.Join(dir, "tea"), clock: func() time.Time {
			now = now.Add(time.Millisecond)
			return now
		}}
		c.put(t, s.home, s.project, now)
		views := s.views(c.active(now))
		for range 4 { // of all, or it would take half a minute
			v := views[rapid.IntRange(0, len(views)-1).Draw(t, "view")]
			got, want := v.look()
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q", v.name, got, want)
			}
		}
	})
}
