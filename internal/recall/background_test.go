package recall

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ken/internal/memory"
	"ken/internal/tokens"
)

func noon() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }

// fold gives the active items of a log of these lines.
func fold(t testing.TB, lines ...string) []memory.Item {
	t.Helper()
	l := memory.Lines{Log: "laptop-7f3a", Own: true}
	for _, line := range lines {
		e := memory.ParseLine([]byte(line))
		if e.Bad != nil {
			t.Fatalf("%s: %v", line, e.Bad)
		}
		l.Entries = append(l.Entries, e)
	}
	return memory.Fold(l).Items()
}

// told shows a choice: what was chosen in order, then what was passed and why.
func told(c Choice) string {
	var out []string
	for _, p := range c.Chosen {
		out = append(out, p.Item.Ref())
	}
	for _, p := range c.Passed {
		out = append(out, p.Item.Ref()+": "+string(p.Reason))
	}
	return strings.Join(out, ", ")
}

// off switches scopes off.
func off(scopes ...memory.Scope) func(memory.Scope) bool {
	return func(s memory.Scope) bool { return slices.Contains(scopes, s) }
}

// TestBackgroundRules: what keeps an item out of the block, whatever the room.
func TestBackgroundRules(t *testing.T) {
	t.Parallel()
	lisbon := func(s memory.Scope) bool { return s == "repo:example.com/lisbon" || s == "dir:~/lisbon" }
	for _, test := range []struct {
		name string
		line string // of item 1
		q    Query
		want Reason // "" = chosen
	}{
		{"plain", `"content":"a"`, Query{}, ""},
		{"user scope written out", `"content":"a","scope":"user"`, Query{}, ""},
		{"scope that holds", `"content":"a","scope":"repo:example.com/lisbon"`, Query{Holds: lisbon}, ""},
		{"directory that holds", `"content":"a","scope":"dir:~/lisbon"`, Query{Holds: lisbon}, ""},
		{"other repository", `"content":"a","scope":"repo:example.com/corfu"`, Query{Holds: lisbon}, NotHere},
		{"nobody says what holds", `"content":"a","scope":"repo:example.com/lisbon"`, Query{}, NotHere},
		{"a session's", `"content":"a","scope":"session:x"`, Query{Holds: lisbon}, NotHere},
		{"user switched off", `"content":"a"`, Query{Disabled: off("user")}, disabled},
		{"user switched off, spelled out", `"content":"a","scope":"user"`, Query{Disabled: off("user")}, disabled},
		{"repository switched off", `"content":"a","scope":"repo:example.com/lisbon"`, Query{Holds: lisbon, Disabled: off("repo:example.com/lisbon")}, disabled},
		{"another switched off", `"content":"a","scope":"repo:example.com/lisbon"`, Query{Holds: lisbon, Disabled: off("repo:example.com/corfu", "user")}, ""},
		{"elsewhere wins over switched off", `"content":"a","scope":"repo:example.com/corfu"`, Query{Disabled: off("repo:example.com/corfu")}, NotHere},
		{"not expired", `"content":"a","expires":"2026-11-21T12:00:01Z"`, Query{At: noon()}, ""},
		{"expired", `"content":"a","expires":"2026-11-21T12:00:00Z"`, Query{At: noon()}, notNow},
		{"no clock", `"content":"a","expires":"2020-01-01T00:00:00Z"`, Query{}, ""},
		{"not yet", `"content":"a","valid_from":"2026-11-21T12:00:01Z"`, Query{At: noon()}, notNow},
		{"from now", `"content":"a","valid_from":"2026-11-21T12:00:00Z"`, Query{At: noon()}, ""},
		{"no more", `"content":"a","valid_to":"2026-11-21T12:00:00Z"`, Query{At: noon()}, notNow},
		{"archived", `"content":"a","tier":"archive"`, Query{}, Archived},
		{"archived and pinned", `"content":"a","tier":"archive","pinned":true`, Query{}, ""},
		{"archived and expired", `"content":"a","tier":"archive","expires":"2020-01-01T00:00:00Z"`, Query{At: noon()}, notNow},
		{"nothing to see", `"content":"\u200b\u001b[31m"`, Query{}, unspeakable},
		{"unknown kind", `"content":"a","kind":"recipe"`, Query{}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.q.Tokens = 500
			c := Background(fold(t, `{"id":1,`+test.line+`}`), test.q)
			want := "1"
			if test.want != "" {
				want = "1: " + string(test.want)
			}
			if got := told(c); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// TestC13Rank: scope, kind, pinned, last use, time; ties by place in the log.
// Recency looks at the time alone.
func TestC13Rank(t *testing.T) {
	t.Parallel()
	items := fold(t,
		`{"id":1,"ts":"2026-01-01T00:00:00Z","kind":"rule","content":"old rule"}`,
		`{"id":2,"ts":"2026-01-02T00:00:00Z","kind":"fact","content":"old fact, pinned","pinned":true}`,
		`{"id":3,"ts":"2026-01-03T00:00:00Z","kind":"pref","content":"pref"}`,
		`{"id":4,"ts":"2026-01-04T00:00:00Z","kind":"fact","content":"fact here","scope":"repo:r"}`,
		`{"id":5,"ts":"2026-01-05T00:00:00Z","kind":"convention","content":"convention"}`,
		`{"id":6,"ts":"2026-01-06T00:00:00Z","kind":"fact","content":"tie"}`,
		`{"id":7,"ts":"2026-01-06T00:00:00Z","kind":"fact","content":"tie"}`,
		`{"id":8,"ts":"2026-01-06T00:00:00Z","kind":"recipe","content":"unknown kinds rank with facts"}`,
		`{"id":9,"ts":"2026-01-05T00:00:00Z","kind":"pref","content":"pref here, pinned","scope":"repo:r","pinned":true}`,
		`{"id":10,"ts":"2026-01-07T00:00:00Z","kind":"pref","content":"pref here","scope":"repo:r"}`,
		`{"id":11,"ts":"2026-01-08T00:00:00Z","kind":"goal","content":"goal"}`,
	)
	all := func(memory.Scope) bool { return true }
	used := func(ref string) time.Time {
		return map[string]time.Time{"6": noon(), "3": noon().Add(time.Hour), "5": noon()}[ref]
	}
	for _, test := range []struct {
		name string
		q    Query
		want string
	}{
		{"rank", Query{}, "9, 10, 4, 1, 11, 5, 3, 2, 8, 7, 6"},
		{"last use", Query{LastUse: used}, "9, 10, 4, 1, 3, 5, 11, 2, 6, 8, 7"},
		{"recency", Query{Strategy: Recency, LastUse: used}, "11, 10, 8, 7, 6, 9, 5, 4, 3, 2, 1"},
	} {
		test.q.Holds, test.q.Tokens = all, 500
		if got := told(Background(items, test.q)); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// TestR160Budget: how the budget is used up, its edges to the token.
func TestR160Budget(t *testing.T) {
	t.Parallel()
	head := tokens.Estimate(BackgroundHeader + "\n")
	small, large := "- (fact) a b", "- (fact) "+strings.Repeat("word ", 40)+"end"
	line := func(id int, l string) string {
		return fmt.Sprintf(`{"id":%d,"ts":"2026-01-01T00:00:%02dZ","content":%q}`, id, id, strings.TrimPrefix(l, "- (fact) "))
	}
	s, l := tokens.Estimate(small+"\n"), tokens.Estimate(large+"\n")
	three := fold(t, line(1, small), line(2, large), line(3, small)) // newest first: 3, 2, 1
	for _, test := range []struct {
		name   string
		budget int
		rank   string
		recent string
	}{
		{"nothing", 0, "3: budget used up, 2: budget used up, 1: budget used up", ""},
		{"less than nothing", -7, "3: budget used up, 2: budget used up, 1: budget used up", ""},
		{"the header alone", head, "3: budget used up, 2: budget used up, 1: budget used up", ""},
		{"one too few", head + s - 1, "3: larger than the budget, 2: larger than the budget, 1: larger than the budget", ""},
		{"one", head + s, "3, 2: budget used up, 1: budget used up", ""},
		{"larger than all there is", head + l - 1, "3, 1, 2: larger than the budget", ""},
		{"no room for the large one", head + s + l - 1, "3, 1, 2: budget used up", "3, 2: budget used up, 1: budget used up"},
		{"room for the large one", head + s + l, "3, 2, 1: budget used up", ""},
		{"all", head + 2*s + l, "3, 2, 1", ""},
	} {
		if test.recent == "" {
			test.recent = test.rank
		}
		for strategy, want := range map[Strategy]string{Rank: test.rank, Recency: test.recent} {
			c := Background(three, Query{Tokens: test.budget, Strategy: strategy})
			if got := told(c); got != want {
				t.Errorf("%s (%s): %q, want %q", test.name, strategy, got, want)
			}
			if n := tokens.Estimate(c.Block()); n != c.Tokens || n > max(test.budget, 0) {
				t.Errorf("%s: %d tokens told, the block has %d, the budget is %d", test.name, c.Tokens, n, test.budget)
			}
		}
	}
	// Recency stops at the first that does not fit, rank goes on.
	four := fold(t, line(1, small), line(2, large), line(3, large), line(4, small))
	budget := head + l + 2*s
	for strategy, want := range map[Strategy]string{
		Rank:    "4, 3, 1, 2: budget used up",
		Recency: "4, 3, 2: budget used up, 1: budget used up",
	} {
		if got := told(Background(four, Query{Tokens: budget, Strategy: strategy})); got != want {
			t.Errorf("%s: %q, want %q", strategy, got, want)
		}
	}
}

// TestR161DefaultBudget: 500 tokens are at most 2000 characters.
func TestR161DefaultBudget(t *testing.T) {
	t.Parallel()
	for _, text := range []string{strings.Repeat("long words here ", 7)[:100], strings.Repeat("e", 100), strings.Repeat("é", 100), strings.Repeat("好", 100), strings.Repeat(" a", 50)} {
		var lines []string
		for i := range 100 {
			lines = append(lines, fmt.Sprintf(`{"id":%d,"content":%q}`, i+1, text))
		}
		c := Background(fold(t, lines...), Query{Tokens: 500})
		block := c.Block()
		if n := utf8.RuneCountInString(block); n > 2000 || tokens.Estimate(block) > 500 {
			t.Errorf("%.10q...: %d characters, %d tokens", text, n, tokens.Estimate(block))
		}
		if len(c.Chosen) == 0 || len(c.Chosen)+len(c.Passed) != 100 {
			t.Errorf("%.10q...: %d chosen, %d passed", text, len(c.Chosen), len(c.Passed))
		}
	}
}

// TestR162Block: the block, byte for byte.
func TestR162Block(t *testing.T) {
	t.Parallel()
	items := fold(t,
		`{"id":1,"ts":"2026-01-01T00:00:00Z","content":"User prefers terse answers."}`,
		`{"id":2,"ts":"2026-01-02T00:00:00Z","kind":"preference","content":"tabs,\n  not\tspaces\r\n"}`,
		`{"id":3,"ts":"2026-01-03T00:00:00Z","kind":"rule","content":"ask before \u001b]0;x\u0007pushing\u202e!"}`,
		`{"id":4,"ts":"2026-01-04T00:00:00Z","kind":"context","content":"[background] is a word, <b> & \"quotes\" too"}`,
		`{"id":5,"ts":"2026-01-05T00:00:00Z","kind":"re\ncipe","content":"café à 5 €"}`,
	)
	got := Background(items, Query{Tokens: 500}).Block() + "\n"
	want, err := os.ReadFile("testdata/block.txt")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Error(diff)
	}
	if b := (Choice{}).Block(); b != "" {
		t.Errorf("of nothing: %q", b)
	}
}

// TestMask: a secret that a person insisted on is masked before it is counted.
func TestMask(t *testing.T) {
	t.Parallel()
	mask := func(s string) string { return strings.ReplaceAll(s, "xyzzy", "[masked:password:0123]") }
	items := fold(t, `{"id":1,"content":"the word is xyzzy"}`)
	room := tokens.Estimate(BackgroundHeader+"\n") + tokens.Estimate("- (fact) the word is [masked:password:0123]\n")
	c := Background(items, Query{Tokens: room, Mask: mask})
	if got := c.Block(); got != BackgroundHeader+"\n- (fact) the word is [masked:password:0123]" {
		t.Errorf("%q", got)
	}
	if got := told(Background(items, Query{Tokens: room - 1, Mask: mask})); got != "1: larger than the budget" {
		t.Errorf("one token too few: %s", got)
	}
}

func TestElsewhere(t *testing.T) {
	t.Parallel()
	for r, want := range map[Reason]bool{NotHere: true, disabled: true, notNow: true, Archived: false, OverBudget: false, largerThan: false, unspeakable: false} {
		if r.Elsewhere() != want {
			t.Errorf("%s: %t", r, !want)
		}
	}
}

// genItem draws an item that says anything at all.
func genItem() *rapid.Generator[memory.Item] {
	text := rapid.OneOf(
		rapid.String(),
		rapid.StringMatching(`[a-z ]{0,300}`),
		rapid.SampledFrom([]string{"a\nb", "\x1b[2J", "\u202eevil", "a\u2028b", "\xff\xfe", "\u0085", "\v\f\r", "- (rule) x", "\x1b]52;c;x", "好好好", strings.Repeat("x", 3000)}),
		rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 40), func(b []byte) string { return string(b) }),
	)
	return rapid.Custom(func(t *rapid.T) memory.Item {
		return memory.Item{
			ID: memory.Num(rapid.Int64Range(1, 1000).Draw(t, "id")),
			Record: &memory.Record{
				Kind:    memory.Kind(rapid.OneOf(rapid.SampledFrom([]string{"fact", "pref", "rule", "recipe"}), text).Draw(t, "kind")),
				Content: rapid.OneOf(text, rapid.Map(rapid.SliceOfN(text, 2, 5), func(l []string) string { return strings.Join(l, "") })).Draw(t, "content"),
				Scope:   memory.Scope(rapid.SampledFrom([]string{"", "", "user", "repo:a", "repo:b", "dir:~/c"}).Draw(t, "scope")),
				Detail:  &memory.Detail{Expires: noon().Add(time.Duration(rapid.IntRange(-2, 2).Draw(t, "expires")) * time.Hour)},
			},
			Origin: rapid.SampledFrom([]memory.Origin{memory.OriginUser, memory.OriginUser, memory.OriginExternal}).Draw(t, "origin"),
			Tier:   rapid.SampledFrom([]memory.Tier{memory.TierHot, memory.TierArchive}).Draw(t, "tier"),
			Pinned: rapid.Bool().Draw(t, "pinned"),
		}
	})
}

func genQuery() *rapid.Generator[Query] {
	return rapid.Custom(func(t *rapid.T) Query {
		q := Query{
			Tokens:   rapid.OneOf(rapid.IntRange(-5, 200), rapid.IntRange(0, 3000)).Draw(t, "tokens"),
			Strategy: rapid.SampledFrom([]Strategy{"", Rank, Recency}).Draw(t, "strategy"),
			Disabled: rapid.SampledFrom([]func(memory.Scope) bool{nil, off("user"), off("repo:a")}).Draw(t, "disabled"),
		}
		if rapid.Bool().Draw(t, "clock") {
			q.At = noon()
		}
		if rapid.Bool().Draw(t, "place") {
			q.Holds = func(s memory.Scope) bool { return s != "repo:b" }
		}
		if rapid.Bool().Draw(t, "use") {
			q.LastUse = func(ref string) time.Time { return noon().Add(time.Duration(len(ref)) * time.Minute) }
		}
		return q
	})
}

func switchedOff(q Query, s memory.Scope) bool {
	return q.Disabled != nil && (q.Disabled(s) || s == "" && q.Disabled("user"))
}

// TestBackgroundOfOthers: what others said is marked, and gets at most half of
// the room, however much of it there is and however new it is.
func TestBackgroundOfOthers(t *testing.T) {
	t.Parallel()
	team := memory.Lines{Log: "team", Ceiling: memory.OriginExternal, By: "trust:1"}
	for i := range 40 {
		team.Entries = append(team.Entries, memory.ParseLine(fmt.Appendf(nil, `{"id":%d,"ts":"2026-05-02T00:00:00Z","kind":"pref","pinned":true,"scope":"dir:~/x","content":"the team wants the colour number %d"}`, i+1, i)))
	}
	own := memory.Lines{Log: "laptop-7f3a", Own: true}
	for i := range 40 {
		own.Entries = append(own.Entries, memory.ParseLine(fmt.Appendf(nil, `{"id":%d,"ts":"2026-05-01T00:00:00Z","content":"I want the colour number %d"}`, i+1, i)))
	}
	here := func(memory.Scope) bool { return true }
	for _, s := range []Strategy{Rank, Recency} {
		c := Background(memory.Fold(own, team).Items(), Query{Tokens: 300, Holds: here, Strategy: s})
		mine, theirs := 0, 0
		for _, p := range c.Chosen {
			if p.Item.Log == "team" {
				theirs += p.Tokens
				if !strings.HasPrefix(p.Line, "- (pref, external) the team wants") {
					t.Errorf("%s: not marked: %s", s, p.Line)
				}
			} else {
				mine += p.Tokens
			}
		}
		if theirs == 0 || theirs > 150 || mine < 100 {
			t.Errorf("%s: %d tokens for the person, %d for others", s, mine, theirs)
		}
	}
}

// TestL6Background: never over the budget; every item chosen or passed, once;
// nothing chosen that does not hold; one line for each, whatever it says; the
// same again for the same question.
func TestL6Background(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		items := rapid.SliceOfN(genItem(), 0, 30).Draw(t, "items")
		q := genQuery().Draw(t, "query")
		before := slices.Clone(items)
		c := Background(items, q)
		if diff := cmp.Diff(before, items); diff != "" {
			t.Fatalf("the items were changed:\n%s", diff)
		}
		block := c.Block()
		n := tokens.Estimate(block)
		if n > max(q.Tokens, 0) || utf8.RuneCountInString(block) > 4*max(q.Tokens, 0) || n != c.Tokens {
			t.Fatalf("%d tokens (told: %d), %d characters, with a budget of %d:\n%s", n, c.Tokens, utf8.RuneCountInString(block), q.Tokens, block)
		}
		seen := make(map[*memory.Item]int)
		guests := 0
		for _, p := range c.Chosen {
			if foreign(p.Item) {
				guests += p.Tokens
			}
			if 2*guests > q.Tokens {
				t.Fatalf("%d of %d tokens are of others", guests, q.Tokens)
			}
			seen[p.Item]++
			it := p.Item
			if !it.Current(q.At) || it.Tier == memory.TierArchive && !it.Pinned || it.Record.Scope == "repo:b" || switchedOff(q, it.Record.Scope) {
				t.Fatalf("chosen: %+v", *it)
			}
			if s := it.Record.Scope; q.Holds == nil && s != "" && s != "user" {
				t.Fatalf("chosen elsewhere: %s", s)
			}
		}
		for _, p := range c.Passed {
			seen[p.Item]++
			if p.Reason == "" {
				t.Fatal("passed without a reason")
			}
		}
		for i := range items {
			if seen[&items[i]] != 1 {
				t.Fatalf("item %d was told %d times", i, seen[&items[i]])
			}
		}
		if len(seen) != len(items) {
			t.Fatalf("%d items told of %d", len(seen), len(items))
		}
		lines := strings.Split(block, "\n")
		if block != "" && len(lines) != len(c.Chosen)+1 || block == "" && len(c.Chosen) > 0 {
			t.Fatalf("%d lines for %d items:\n%s", len(lines), len(c.Chosen), block)
		}
		for i, l := range lines {
			if strings.ContainsFunc(l, func(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u202e' }) || !utf8.ValidString(l) {
				t.Fatalf("line %q", l)
			}
			if i > 0 && (!strings.HasPrefix(l, "- (") || l != c.Chosen[i-1].Line) {
				t.Fatalf("line %d is %q, the pick says %q", i, l, c.Chosen[i-1].Line)
			}
		}
		again := Background(items, q)
		if told(again) != told(c) || again.Block() != block {
			t.Fatalf("another choice the second time: %s, then %s", told(c), told(again))
		}
	})
}

// TestRecencyIsNewestFirst: of what may stand here, Recency takes a beginning,
// but for items that are larger than the budget by themselves, and those of
// others beyond their half.
func TestRecencyIsNewestFirst(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		items := rapid.SliceOfN(genItem(), 0, 30).Draw(t, "items")
		q := genQuery().Draw(t, "query")
		q.Strategy = Recency
		c := Background(items, q)
		over := -1 // the first that found no room
		for _, p := range c.Passed {
			if i := at(items, p.Item); p.Reason == OverBudget && !foreign(p.Item) && (over < 0 || i < over) {
				over = i
			}
		}
		last := -1
		for _, p := range c.Chosen {
			i := at(items, p.Item)
			if i <= last || over >= 0 && i > over {
				t.Fatalf("item %d after %d, with %d over the budget", i, last, over)
			}
			last = i
		}
	})
}

func at(items []memory.Item, it *memory.Item) int {
	for i := range items {
		if &items[i] == it {
			return i
		}
	}
	return -1
}

// TestR160LogOrder: in what order the logs of a person's devices are given does
// not matter to the block.
func TestR160LogOrder(t *testing.T) {
	t.Parallel()
	var logs []memory.Lines
	for i, name := range []string{"laptop-7f3a", "desk-0001", "phone-22aa"} {
		l := memory.Lines{Log: name, Own: i == 0}
		for n := range 12 {
			kind := []string{"fact", "pref", "rule"}[n%3]
			line := fmt.Sprintf(`{"id":%d,"ts":"2026-01-%02dT00:00:00Z","kind":%q,"content":"%s says %d"}`, n+1, n/2+1, kind, name, n)
			l.Entries = append(l.Entries, memory.ParseLine([]byte(line)))
		}
		logs = append(logs, l)
	}
	q := Query{Tokens: 150}
	want := Background(memory.Fold(logs...).Items(), q).Block()
	for range 6 {
		logs = append(logs[1:], logs[0])
		slices.Reverse(logs[1:])
		if got := Background(memory.Fold(logs...).Items(), q).Block(); got != want {
			t.Errorf("another block:\n%s", cmp.Diff(want, got))
		}
	}
}

func BenchmarkBackground(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		items := make([]memory.Item, n)
		for i := range items {
			items[i] = memory.Item{ID: memory.Num(int64(i + 1)), Tier: memory.TierHot, Record: &memory.Record{
				Kind: memory.StatingKinds()[i%13], Content: fmt.Sprintf("The build of project %d runs on the small machine and takes %d minutes.", i%50, i%60),
				Scope: []memory.Scope{"", "repo:a", "repo:b"}[i%3],
			}}
		}
		q := Query{Tokens: 500, At: noon(), Holds: func(s memory.Scope) bool { return s == "repo:a" }}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if len(Background(items, q).Chosen) == 0 {
					b.Fatal("nothing was chosen")
				}
			}
		})
	}
}
