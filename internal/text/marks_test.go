package text

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestMarks (R379): a text is found among marks of Markdown, whichever of the two has them.
func TestMarks(t *testing.T) {
	t.Parallel()
	const said = "the vault word is Quöll-4711 Zürich"
	for _, written := range []string{
		"the vault word is **Quöll-4711** Zürich", "the vault word is __Quöll-4711__ *Zürich*", "the `vault word` is ~~Quöll-4711~~ Zürich",
		"the [vault word](https://example.org/a_b) is ![Quöll-4711](x.png) Zürich", "# the vault word is\nQuöll-4711 Zürich",
		"> the vault word\n> is **Quöll-4711**\n> Zürich", "- the vault\n  word is\n- Quöll-4711\n+ Zürich",
		"1. the vault word\n2. is Quöll-4711\n3. Zürich",
		"| the vault word | is | **Quöll-4711** Zürich |", "the vault word is \\*Quöll-4711\\* Zürich",
		"the [vault word][1] is Quöll-4711 Zürich",
		"> > the vault _word_ is\n> > `Quöll-4711` Zürich", "***the vault word is Quöll-4711 Zürich***",
	} {
		for _, c := range [][2]string{{said, written}, {written, said}} {
			m := NewMatcher(c[0])
			if !m.In(c[1]) {
				t.Errorf("%q is not found in %q", c[0], c[1])
			}
			line, err := json.Marshal(map[string]string{"content": "so: " + c[1] + ", yes"})
			if err != nil || !m.InBytes(line) || m.Count(line) != 1 {
				t.Errorf("%q is not found once in %s: %d", c[0], line, m.Count(line))
			}
			if ok, err := InReader(strings.NewReader(string(line)), m); err != nil || !ok {
				t.Errorf("%q is not found in a file of %s", c[0], line)
			}
		}
	}
	for _, other := range []string{
		"the vault word is Quöll 4711 Zürich", "the vault word is **not** Quöll-4711 Zürich", "snake_case is a style",
	} {
		if NewMatcher(said, "snakecase is a style").In(other) {
			t.Errorf("found in %q", other)
		}
	}
}

// TestUnmarkLaw: what has no marks is left as it is, and unmarking twice is unmarking once for what
// emphasis and code do.
func TestUnmarkLaw(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringMatching(`[a-zäöü0-9]{1,8}`), 4, 9).Draw(t, "words")
		said := strings.Join(words, " ")
		mark := rapid.SampledFrom([]string{"*", "**", "__", "`", "~~", "***"})
		marked := append([]string(nil), words...)
		for i := range marked {
			if rapid.Bool().Draw(t, "marked") {
				m := mark.Draw(t, "mark")
				marked[i] = m + marked[i] + m
			}
		}
		glue := rapid.SampledFrom([]string{" ", "\n", "\n> ", "\n- "}).Draw(t, "glue")
		written := strings.Join(marked, glue)
		if !Short(said) && !NewMatcher(said).In(written) {
			t.Fatalf("%q is not found in %q", said, written)
		}
		if got := string(Unmark([]byte(said))); got != said && !strings.ContainsAny(said[:1], "0123456789") {
			t.Fatalf("%q became %q", said, got)
		}
	})
}
