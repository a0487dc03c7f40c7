package index

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestCounter: a Counter counts a document as the document itself does, whatever it
// counted before.
func TestCounter(t *testing.T) {
	t.Parallel()
	text := rapid.OneOf(rapid.StringMatching(`([a-c]{1,2}[ .-]){0,9}`), rapid.String(), rapid.SampledFrom([]string{"紅茶杯 x", "fetchUser's HTTPServer", strings.Repeat("tea ", 300)}))
	rapid.Check(t, func(r *rapid.T) {
		var c Counter
		for range rapid.IntRange(1, 5).Draw(r, "documents") {
			d := Document{Content: text.Draw(r, "content"), Tags: []string{text.Draw(r, "tag"), "a"}, Key: "a b", Speaker: text.Draw(r, "speaker")}
			want := map[Term][Fields]uint16{}
			words := d.Count(func(t Term, n [Fields]uint16) { want[t] = n })
			list, n := c.Count(&d)
			got := map[Term][Fields]uint16{}
			for _, l := range list {
				got[c.Terms()[l.Term]] = l.Counts
			}
			if n != words || len(got) != len(list) || !maps.Equal(got, want) {
				r.Fatalf("%d words, %v;\nwant %d, %v", n, got, words, want)
			}
		}
	})
}

// TestCounterForgets: what a Counter remembers has a bound, beyond which it still
// counts.
//
//ken:unraced
func TestCounterForgets(t *testing.T) {
	t.Parallel()
	var c Counter
	for from := 0; from < 2*maxChunks; from += 1000 {
		var b strings.Builder
		for i := range 1000 {
			b.WriteString(strconv.Itoa(from+i) + " ")
		}
		d := Document{Content: b.String() + "tea"}
		list, words := c.Count(&d)
		if len(list) != 2002 || words != 1001 || len(c.chunks) > maxChunks {
			t.Fatalf("%d terms, %d words, %d chunks", len(list), words, len(c.chunks))
		}
		if tea := c.Terms()[list[2000].Term]; tea.Text != "tea" {
			t.Fatalf("the last word is %v", tea)
		}
	}
}

// TestReading: whoever changes how texts are read, or what a Row says, changes
// Reading, so that what was derived before is made anew; and then the sum here.
func TestReading(t *testing.T) {
	t.Parallel()
	var all []string
	for i, text := range []string{
		"Running shoes, don't; Ada's l'avion", "fetchUser.go in /etc/hosts v1.2 HTTPServer APIs well-known a_b", "1,000 me@example.org C++ C#",
		"Crème ÇA Straße ＦＵＬＬ Όσος Всё йод", "紅茶杯 Go言語 カタカ 한국어 ตลาด", "🎉 hi Kern\u00adkraft a\xffb", "is it?  ", strings.Repeat("x", 300),
	} {
		d := Document{In: Sessions, Kind: "user", Scope: "user", Session: "s", Speaker: "Ada", Content: text, Tags: []string{text}, Key: text, Time: time.Unix(int64(i), 0)}
		if i%2 == 1 {
			d.In, d.Pinned, d.Archived, d.Importance = Memory, true, true, i
		}
		list := []string{}
		words := d.Count(func(t Term, n [Fields]uint16) { list = append(list, fmt.Sprint(t, n)) })
		slices.Sort(list)
		all = append(all, list...)
		all = append(all, fmt.Sprintf("%+v", d.Row(words, func(name string) int32 { return int32(len(name)) })))
	}
	sum := sha256.Sum256([]byte(strings.Join(all, "\n")))
	if got, want := fmt.Sprintf("%d %x", Reading, sum[:4]), "3 e860e5cc"; got != want {
		t.Errorf("reading and sum are %s, not %s", got, want)
	}
}
