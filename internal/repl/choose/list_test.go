package choose

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"ken/internal/termsafe"
	"ken/internal/text"
)

// give yields entries, as a caller does.
func give(entries ...Entry) func(context.Context) iter.Seq[Entry] {
	return func(context.Context) iter.Seq[Entry] { return slices.Values(entries) }
}

// shownIDs are the entries that are shown, in order.
func shownIDs(l *list) []string {
	var ids []string
	for _, i := range l.shown {
		ids = append(ids, l.all[i].ID)
	}
	return ids
}

// TestFilter: words in any order, however they are written, in what is shown and in what
// is not.
func TestFilter(t *testing.T) {
	t.Parallel()
	all := []Entry{
		{ID: "kettle", Text: "Why does the kettle test hang?", Note: "yesterday"},
		{ID: "tea", Text: "Grüße aus dem TEEHAUS", Also: "long talk about the kettle"},
		{ID: "wide", Text: "ｆｕｌｌ width Straße"},
		{ID: "cjk", Text: "東京の天気", Scope: 1},
	}
	for _, c := range []struct {
		filter string
		scope  int
		want   []string
	}{
		{"", 1, []string{"kettle", "tea", "wide", "cjk"}},
		{"", 0, []string{"kettle", "tea", "wide"}},
		{"kettle", 1, []string{"kettle", "tea"}},
		{"hang KETTLE", 1, []string{"kettle"}},
		{"  hang   ", 1, []string{"kettle"}},
		{"yester", 1, []string{"kettle"}},
		{"GRÜSSE", 1, []string{"tea"}},
		{"gru\u0308ße", 1, []string{"tea"}},
		{"full strasse", 1, []string{"wide"}},
		{"天気", 1, []string{"cjk"}},
		{"天気", 0, nil},
		{"nothing such", 1, nil},
	} {
		l := newList(Options{Scopes: []string{"here", "all"}})
		l.add(all)
		l.scope, l.chose = c.scope, true
		l.setFilter([]rune(c.filter))
		if diff := cmp.Diff(c.want, shownIDs(l)); diff != "" {
			t.Errorf("%q in scope %d (-want +got):\n%s", c.filter, c.scope, diff)
		}
	}
}

// TestScopes: the first scope with entries is shown, Tab goes round, and the marked entry
// stays marked.
func TestScopes(t *testing.T) {
	t.Parallel()
	l := newList(Options{Scopes: []string{"here", "all"}})
	l.add([]Entry{{ID: "a", Scope: 1}, {ID: "b", Scope: 1}})
	if l.scope != 0 {
		t.Errorf("an entry of this scope may still come: scope %d", l.scope)
	}
	l.end()
	if l.scope != 1 || len(l.shown) != 2 {
		t.Errorf("nothing is here: scope %d, %d shown", l.scope, len(l.shown))
	}
	l = newList(Options{Scopes: []string{"here", "all"}})
	l.add([]Entry{{ID: "a", Scope: 1}, {ID: "b"}, {ID: "c", Scope: 1}})
	l.end()
	for _, want := range []string{"0 b", "1 b", "0 b"} {
		if got := fmt.Sprint(l.scope, " ", l.marked()); got != want {
			t.Errorf("scope and mark are %q, want %q", got, want)
		}
		l.key(key{what: scope})
	}
}

// TestMoves: the mark stays on an entry and on the screen.
func TestMoves(t *testing.T) {
	t.Parallel()
	l := newList(Options{})
	for i := range 30 {
		l.add([]Entry{{ID: fmt.Sprint(i), Text: fmt.Sprint("entry ", i)}})
	}
	l.end()
	l.resize(8) // 5 rows of entries
	for _, c := range []struct {
		what what
		want string // mark, and the first on the screen
	}{
		{up, "0 0"},
		{down, "1 0"},
		{pageDown, "6 2"},
		{down, "7 3"},
		{pageUp, "2 2"},
		{last, "29 25"},
		{down, "29 25"},
		{pageDown, "29 25"},
		{up, "28 25"},
		{first, "0 0"},
	} {
		l.key(key{what: c.what})
		if got := fmt.Sprint(l.marked(), " ", l.all[l.shown[l.top]].ID); got != c.want {
			t.Errorf("after %d: %s, want %s", c.what, got, c.want)
		}
	}
	l.key(key{what: last})
	l.resize(24)
	if got := fmt.Sprint(l.marked(), " ", l.top); got != "29 18" {
		t.Errorf("on a larger screen: %s", got)
	}
	l.key(key{what: typed, text: "entry 1"})
	if l.marked() != "1" || len(l.shown) != 12 {
		t.Errorf("typed: %s of %d", l.marked(), len(l.shown))
	}
	for _, c := range []struct {
		what what
		want string
	}{{rub, "entry "}, {rubWord, ""}, {rub, ""}} {
		if l.key(key{what: c.what}); string(l.filter) != c.want {
			t.Errorf("the filter is %q, want %q", string(l.filter), c.want)
		}
	}
}

// TestNamedInFull: an entry that is called just what was typed is marked.
func TestNamedInFull(t *testing.T) {
	t.Parallel()
	l := newList(Options{Filter: "Model-4"})
	l.add([]Entry{{ID: "mini", Text: "model-4-mini"}, {ID: "it", Text: "model-4"}})
	l.end()
	l.setFilter(l.filter)
	if l.marked() != "it" {
		t.Errorf("marked is %q", l.marked())
	}
}

// TestHostile: an entry cannot do anything to the terminal, and no row is wider than it.
func TestHostile(t *testing.T) {
	t.Parallel()
	l := newList(Options{Ask: "take\x1b[2J which?", Scopes: []string{"here", "all"}})
	l.add([]Entry{
		{ID: "1", Text: "a\x1b[2J\x1b]52;c;eA==\x07b\nsecond row\r\x00\u202e", Note: "now\x1b[5m"},
		{ID: "2", Text: strings.Repeat("長い題", 100), Note: strings.Repeat("n", 300)},
		{ID: "3", Text: ""},
		{ID: "4", Text: "\xff\xfe bytes 👩‍👩‍👧‍👧 family"},
	})
	l.end()
	for _, wide := range []int{1, 9, 20, 40, 48, 80, 200} {
		for _, filter := range []string{"", strings.Repeat("long filter ", 40), "zzz"} {
			l.setFilter([]rune(filter))
			for _, row := range l.draw(wide) {
				plain := strings.NewReplacer("\x1b[7m", "", "\x1b[27m", "", "\x1b[1m", "", "\x1b[22m", "", "\x1b[2m", "").Replace(row)
				if termsafe.Line("x"+plain+"x") != "x"+plain+"x" {
					t.Errorf("%d columns: control characters in %q", wide, row)
				}
				if w := termsafe.Width(plain); w > max(wide-1, 8) {
					t.Errorf("%d columns: %d cells in %q", wide, w, row)
				}
			}
		}
	}
}

// TestNoteRoom: a note is cut only where the title needs the room, and never to less than a third.
func TestNoteRoom(t *testing.T) {
	t.Parallel()
	note := "qwen2.5-coder-32b at http://localhost:11434/v1, 32k" // of 51 cells
	for title, want := range map[string]string{
		"local":                  note,
		strings.Repeat("t", 24):  note,
		strings.Repeat("t", 25):  note[:49] + "…",
		strings.Repeat("t", 200): note[:25] + "…",
	} {
		l := newList(Options{Ask: "which?"})
		l.add([]Entry{{ID: "1", Text: title, Note: note}})
		l.end()
		if row := l.draw(80)[1]; !strings.HasSuffix(row, want+"\x1b[22m") || termsafe.Width(title) < 26 && !strings.Contains(row, title) {
			t.Errorf("%q shows %q, want %q at its end", title, row, want)
		}
		l.o.ASCII = true
		if row := l.draw(80)[1]; !strings.HasSuffix(row, strings.ReplaceAll(want, "…", "~")+"\x1b[22m") {
			t.Errorf("%q shows %q in ASCII, want %q at its end", title, row, want)
		}
	}
}

// TestChoice: what Enter takes, and when it takes nothing.
func TestChoice(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		o       Options
		keys    []key
		want    Choice
		ongoing bool
	}{
		{"the marked one", Options{}, []key{{what: down}, {what: take}}, Choice{ID: "b", Taken: true}, false},
		{"of those typed for", Options{}, []key{{what: typed, text: "three"}, {what: take}}, Choice{ID: "c", Typed: "three", Taken: true}, false},
		{"nothing to take", Options{}, []key{{what: typed, text: "zzz"}, {what: take}}, Choice{Typed: "zzz"}, true},
		{"what is typed", Options{Typed: true}, []key{{what: typed, text: "zzz"}, {what: take}}, Choice{Typed: "zzz", Taken: true}, false},
		{"left", Options{}, []key{{what: leave}}, Choice{}, false},
	} {
		l := newList(c.o)
		l.add([]Entry{{ID: "a", Text: "one"}, {ID: "b", Text: "two"}, {ID: "c", Text: "three"}})
		l.end()
		over, taken := false, false
		for _, k := range c.keys {
			over, taken = l.key(k)
		}
		if over == c.ongoing {
			t.Errorf("%s: over %v", c.name, over)
		}
		if diff := cmp.Diff(c.want, l.choice(taken)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// TestDecoder: what terminals send, in one piece and byte by byte.
func TestDecoder(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in   string
		want []key
	}{
		{"aß東", []key{{what: typed, text: "a"}, {what: typed, text: "ß"}, {what: typed, text: "東"}}},
		{"\x1b[A\x1bOB\x1b[5~\x1b[6~", []key{{what: up}, {what: down}, {what: pageUp}, {what: pageDown}}},
		{"\x1b[1;5C\x1b[99~\x1bf", nil},
		{"\x10\x0e\t\x7f\x17\x15", []key{{what: up}, {what: down}, {what: scope}, {what: rub}, {what: rubWord}, {what: rubAll}}},
		{"\x03", []key{{what: leave}}},
		{"\x1b\x1b", []key{{what: leave}}},
		{"\x1b[200~two\nlines\x1b[A\x1b[201~x", []key{{what: typed, text: "two lines"}, {what: typed, text: "x"}}},
		{"\xff\xfea", []key{{what: typed, text: "a"}}},
		{"\u202ea", []key{{what: typed, text: "a"}}},
		{"\r", []key{{what: take}}},
	} {
		var whole, pieces decoder
		if diff := cmp.Diff(c.want, whole.feed([]byte(c.in)), cmp.AllowUnexported(key{}), cmpopts.IgnoreFields(key{}, "sent")); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.in, diff)
		}
		var got []key
		for i := range len(c.in) {
			got = append(got, pieces.feed([]byte{c.in[i]})...)
		}
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(key{}), cmpopts.IgnoreFields(key{}, "sent")); diff != "" {
			t.Errorf("%q byte by byte (-want +got):\n%s", c.in, diff)
		}
	}
	var d decoder
	if got := d.feed([]byte("first\rsecond\r")); slices.ContainsFunc(got[:len(got)-1], func(k key) bool { return k.what == take }) {
		t.Errorf("an Enter inside a block took something: %v", got)
	}
	if d.feed([]byte{0x1b}); !d.pending() || len(d.flush()) != 1 {
		t.Error("Esc alone is no key")
	}
}

// TestPastedInPieces: a block of any size is one text, however slowly it comes, and holds little;
// one that never ends is what came of it.
func TestPastedInPieces(t *testing.T) {
	t.Parallel()
	var d decoder
	for _, piece := range []string{"\x1b[200~one\r", "two\r"} {
		if keys := d.feed([]byte(piece)); len(keys) > 0 || !d.pasting() {
			t.Errorf("%q: %v, pasting %v", piece, keys, d.pasting())
		}
	}
	piece := []byte(strings.Repeat("x\r", 2048))
	for range 20_000 { // 80 MB
		if keys := d.feed(piece); len(keys) > 0 || len(d.held) > maxHeld {
			t.Fatalf("%v, %d bytes held", keys, len(d.held))
		}
	}
	d.feed([]byte("\x1b[20"))
	keys := d.feed([]byte("1~y"))
	if len(keys) != 2 || !strings.HasPrefix(keys[0].text, "one two x") || len(keys[0].text) > maxFilter || keys[1].text != "y" {
		t.Errorf("%v", keys)
	}
	d.feed([]byte("\x1b[200~no\rend"))
	if keys := d.flush(); len(keys) != 1 || keys[0].text != "no end" || d.pending() {
		t.Errorf("%v, pending %v", keys, d.pending())
	}
	l := newList(Options{Entries: give(Entry{ID: "a", Text: "a"})})
	for range 1000 {
		l.key(key{what: typed, text: "long"})
	}
	if len(l.filter) != maxFilter {
		t.Errorf("the filter has %d characters", len(l.filter))
	}
}

// TestFilterLaw: whatever was typed, and however the entries came, what is shown is a part
// of them in their order: those in which each word stands.
func TestFilterLaw(t *testing.T) {
	t.Parallel()
	letters := rapid.StringOfN(rapid.RuneFrom([]rune("aAbBäÄﬁß 東1\n")), 0, 12, -1)
	rapid.Check(t, func(t *rapid.T) {
		entries := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Entry {
			return Entry{
				Text: letters.Draw(t, "text"), Also: letters.Draw(t, "also"),
				Scope: rapid.IntRange(0, 1).Draw(t, "scope"), Order: rapid.Int64Range(0, 2).Draw(t, "order"),
			}
		}), 0, 20).Draw(t, "entries")
		for i := range entries {
			entries[i].ID = fmt.Sprint(i)
		}
		l := newList(Options{Scopes: []string{"here", "all"}})
		cut := rapid.IntRange(0, len(entries)).Draw(t, "cut")
		l.add(entries[:cut])
		filter := letters.Draw(t, "filter")
		l.setFilter([]rune(filter))
		for range rapid.IntRange(0, 5).Draw(t, "keys") {
			l.key(key{what: rapid.SampledFrom([]what{up, down, pageUp, pageDown, first, last, scope}).Draw(t, "key")})
		}
		l.add(entries[cut:])
		l.end()
		again := newList(Options{Scopes: l.o.Scopes})
		again.add(entries)
		again.end()
		again.scope, again.chose = l.scope, true
		again.setFilter(l.filter)
		if diff := cmp.Diff(shownIDs(again), shownIDs(l)); diff != "" {
			t.Fatalf("it depends on how they came (-at once +in pieces):\n%s", diff)
		}
		slices.SortStableFunc(entries, func(a, b Entry) int { return int(b.Order - a.Order) })
		if !slices.IsSorted(l.shown) || len(slices.Compact(slices.Clone(l.shown))) != len(l.shown) {
			t.Fatalf("not the caller's order: %v", l.shown)
		}
		for i, e := range entries {
			want := e.Scope <= l.scope
			if l.all[i].ID != e.ID {
				t.Fatalf("place %d has %s, want %s", i, l.all[i].ID, e.ID)
			}
			for _, w := range l.words {
				want = want && strings.Contains(text.Normal(e.Text+"\n"+e.Note+"\n"+e.Also), w)
			}
			if got := slices.Contains(l.shown, i); got != want {
				t.Fatalf("entry %d %q with filter %q: shown %v, want %v", i, e.Text, filter, got, want)
			}
		}
		if len(l.shown) > 0 && (l.at < l.top || l.at >= l.top+l.rows) {
			t.Fatalf("the mark %d is not on the screen, %d and %d rows", l.at, l.top, l.rows)
		}
		more := newList(Options{})
		more.add(entries)
		more.setFilter([]rune(filter))
		wide := len(more.shown)
		more.setFilter([]rune(filter + " " + letters.Draw(t, "word")))
		if len(more.shown) > wide {
			t.Fatalf("another word found more: %d, %d", len(more.shown), wide)
		}
	})
}

// TestNumbered: without a list that is drawn, numbers choose, words find, and an empty
// line leaves.
func TestNumbered(t *testing.T) {
	t.Parallel()
	var entries []Entry
	for i := range 25 {
		entries = append(entries, Entry{ID: fmt.Sprint("id", i), Text: fmt.Sprintf("entry %d\x1b[2J", i), Note: "now"})
	}
	broken := errors.New("broken")
	for _, c := range []struct {
		name    string
		answers []string
		want    Choice
		prints  string
		err     error
	}{
		{"a number", []string{"3"}, Choice{ID: "id2", Taken: true}, "and 5 more", nil},
		{"words, then a number", []string{"entry 7", "1"}, Choice{ID: "id7", Typed: "entry 7", Taken: true}, " 1  entry 7  (now)\n", nil},
		{"none", []string{""}, Choice{}, " 1  entry 0", nil},
		{"a number that is not there", []string{"21", ""}, Choice{Typed: "21"}, " 1  entry 21", nil},
		{"nothing", []string{"zzz", ""}, Choice{Typed: "zzz"}, "(nothing matches)", nil},
		{"a fault", nil, Choice{}, "", broken},
	} {
		var out strings.Builder
		got, err := Numbered(t.Context(), &out, func(context.Context, string) (string, error) {
			if len(c.answers) == 0 {
				return "", broken
			}
			answer := c.answers[0]
			c.answers = c.answers[1:]
			return answer, nil
		}, Options{Ask: "which?", Entries: give(entries...)}, 40)
		if !errors.Is(err, c.err) {
			t.Errorf("%s: error %v", c.name, err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		if !strings.Contains(out.String(), c.prints) || strings.Contains(out.String(), "\x1b") {
			t.Errorf("%s: printed %q", c.name, out.String())
		}
	}
}
