package web_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"ken/internal/app"
	"ken/internal/web"
)

// at has the clock of a bed stand there, for what is stated and shown from now on.
func (b *bed) at(now time.Time) {
	b.t.Helper()
	clock := func() time.Time { return now }
	env := map[string]string{"KEN_HOME": b.dir, "HOME": b.dir}
	a := app.Open(app.Options{Getenv: func(n string) string { return env[n] }, Now: clock})
	err := a.Check()
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = a.Close() })
	b.app, b.own = a, web.OwnerOf(a)
	if b.page, err = web.New(web.Options{Owner: b.own, Now: clock, Warn: func(err error) { b.t.Errorf("a warning: %v", err) }}); err != nil {
		b.t.Fatal(err)
	}
}

// TestTimeline: every dot has a place of its own, the days are said once, and what is too much to draw is in the table.
func TestTimeline(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 3, 2, 10, 0, 0, 0, time.Local)
	ticks := regexp.MustCompile(`<text x="[0-9.]+%" y="\d+" text-anchor="\w+">([^<]*)</text>`)
	circles := regexp.MustCompile(`<circle cx="[0-9.]+%" cy="\d+"`)
	for name, c := range map[string]struct {
		memories int
		every    time.Duration
		later    time.Duration // that it is shown
		ticks    []string
		dots     int
	}{
		"of one moment": {4, 0, time.Minute, []string{"2026-03-02 10:00", "10:00", "10:01"}, 4},
		"a day":         {4, 2 * time.Hour, 0, []string{"2026-03-02 10:00", "13:00", "16:00"}, 4},
		"two days":      {3, 20 * time.Hour, 0, []string{"03-02 10:00", "03-03 06:00", "03-04 02:00"}, 3},
		"months":        {3, 30 * 24 * time.Hour, 0, []string{"2026-03-02", "2026-04-01", "2026-05-01"}, 3},
		"too many":      {9, 0, time.Hour, []string{"2026-03-02 10:00", "10:30", "11:00"}, 6},
		"one, just now": {1, 0, 0, []string{"2026-03-02 09:00", "09:30", "10:00"}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBed(t)
			now := start
			for i := range c.memories {
				if i > 0 {
					now = now.Add(c.every)
				}
				b.at(now)
				b.state(fmt.Sprintf("on shelf %d number %d has the **kettle** number", i, i*i), "fact")
			}
			b.at(now.Add(c.later))
			code, body := b.get("/timeline")
			if code != http.StatusOK {
				t.Fatalf("%d %s", code, body)
			}
			var got []string
			for _, m := range ticks.FindAllStringSubmatch(body, -1) {
				got = append(got, m[1])
			}
			if !slices.Equal(got, c.ticks) {
				t.Errorf("the days are %q, want %q", got, c.ticks)
			}
			dots := circles.FindAllString(body, -1)
			if slices.Sort(dots); len(dots) != c.dots || len(slices.Compact(dots)) != c.dots {
				t.Errorf("%d dots, some on one place, want %d: %q", len(dots), c.dots, dots)
			}
			if said := strings.Contains(body, "in the table alone"); said != (c.dots < c.memories) {
				t.Errorf("that dots are left out is said: %v", said)
			}
			if n := strings.Count(body, "has the kettle number</td>"); n != c.memories {
				t.Errorf("the table has %d memories without marks, want %d", n, c.memories)
			}
		})
	}
}

// TestTimelinePages: of more memories than a page of the timeline has each stands on one page, those that are gone among them, and the
// pages lead to each other; a page that there is not is the nearest.
func TestTimelinePages(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	start := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	const memories, forgotten = 2300, 1100
	var lines strings.Builder
	for i := range memories {
		ts := start.Add(time.Duration(i) * time.Hour).Format(time.RFC3339)
		fmt.Fprintf(&lines, `{"id":%d,"ts":%q,"kind":"fact","content":"number %d"}`+"\n", i+1, ts, i+1)
	}
	for i := range forgotten { // the older ones
		fmt.Fprintf(&lines, `{"id":%d,"ts":"2026-07-01T10:00:00Z","kind":"forget","target":%d}`+"\n", memories+i+1, i+1)
	}
	if err := os.WriteFile(filepath.Join(b.dir, "memory.jsonl"), []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	link, rows := regexp.MustCompile(`<a href="(/timeline[^"]*)">(Newer|Older)</a>`), regexp.MustCompile(`<tr><td><a href="/memory/(\d+)"`)
	page := func(path string) (refs []string, to map[string]string, body string) {
		code, body := b.get(path)
		if code != http.StatusOK {
			t.Fatalf("%s: %d %.300s", path, code, body)
		}
		to = make(map[string]string)
		for _, m := range link.FindAllStringSubmatch(body, -1) {
			to[m[2]] = m[1]
		}
		for _, m := range rows.FindAllStringSubmatch(body, -1) {
			refs = append(refs, m[1])
		}
		return refs, to, body
	}
	var all, from []string
	for path := "/timeline"; path != ""; {
		refs, to, body := page(path)
		shown := fmt.Sprintf("%d to %d of %d", len(all)+1, len(all)+len(refs), memories)
		if (to["Newer"] != "") != (path != "/timeline") || !strings.Contains(body, shown) {
			t.Errorf("%s: %v, %.600s", path, to, body)
		}
		all, from, path = append(all, refs...), append(from, path), to["Older"]
	}
	seen := slices.Clone(all)
	slices.Sort(seen)
	if len(all) != memories || len(slices.Compact(seen)) != memories || all[0] != fmt.Sprint(memories) || all[memories-1] != "1" {
		t.Errorf("%d memories on %q", len(all), from)
	}
	_, to, body := page("/timeline?from=2000")
	wants(t, "the last page has its own days", body, ">2026-03-02<", ">2026-03-14<")
	if to["Newer"] != "/timeline?from=1000" || to["Older"] != "" {
		t.Errorf("%v\n%s", to, regexp.MustCompile(`<text[^<]*</text>`).FindAllString(body, -1))
	}
	for path, first := range map[string]string{"/timeline?from=-5": "2300", "/timeline?from=x": "2300", "/timeline?from=99999999": "1"} {
		if refs, _, _ := page(path); len(refs) == 0 || refs[0] != first {
			t.Errorf("%s begins with %.3q, want %s", path, refs, first)
		}
	}
}

// TestLearned: a pattern says on the page and on the timeline what it rests on, what became of
// that, and whether it was of use.
func TestLearned(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	const lines = `{"id":61,"ts":"2026-03-01T10:00:00Z","kind":"lesson","content":"tests first","source":{"session":"s","turn":3}}
{"id":62,"ts":"2026-03-01T10:00:00Z","kind":"lesson","content":"the kettle leaks"}
{"id":63,"ts":"2026-03-02T10:00:00Z","kind":"pattern","content":"green <b>main</b>","cites":[61,62]}
{"id":64,"ts":"2026-03-03T10:00:00Z","kind":"forget","target":62}
`
	f, err := os.OpenFile(filepath.Join(b.dir, "memory.jsonl"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.WriteString(lines)
	}
	if err != nil || f.Close() != nil {
		t.Fatal(err)
	}
	_, body := b.get("/memory/63")
	wants(t, "the memory", body, "rests on #61 (lesson): tests first; said in s:3", "rests on #62 - forgotten")
	if strings.Contains(body, "leaks") {
		t.Error("what was forgotten is shown")
	}
	_, body = b.get("/timeline")
	wants(t, "the timeline", body, "rests on #61 #62; of that are gone #62; not used yet", "said in s:3; not used yet")
}

// TestText: a list is a list, with its numbers, and what is done of it stands in its line.
func TestText(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	ref := b.state("To release:\n\n3. check\n4. tag `v1`\n\n- one\n- two\n\n- [x] done\n- [ ] open", "fact")
	_, body := b.get("/memory/" + ref)
	wants(t, "the text", body, `<ol><li value="3"><p>check</p></li><li value="4"><p>tag <code>v1</code></p></li></ol>`,
		"<ul><li><p>one</p></li>",
		"<li><p>[x] done</p></li>", "<li><p>[ ] open</p></li></ul>")
	_, body = b.get("/timeline")
	wants(t, "the timeline", body, "To release: 3. check 4. tag v1 one two")
}
