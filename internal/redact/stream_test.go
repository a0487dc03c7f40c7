package redact

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ken/internal/redact/chars"
)

// streamed returns what a Stream makes of the chunks.
func streamed(m *Masker, chunks ...string) string {
	st := m.Stream()
	var b strings.Builder
	for _, c := range chunks {
		b.WriteString(st.Write(c))
	}
	b.WriteString(st.Flush())
	return b.String()
}

func bytewise(s string) []string {
	out := make([]string, len(s))
	for i := range len(s) {
		out[i] = s[i : i+1]
	}
	return out
}

// A secret is masked wherever the text is cut, and byte by byte.
//
//ken:unraced
func TestStreamEverySplit(t *testing.T) {
	t.Parallel()
	m := New([]byte("key"))
	seen := map[string]int{}
	for _, p := range positives(11) {
		// Two texts of each rule, so that the test stays short.
		if seen[p.rule+p.text]++; seen[p.rule+p.text] > 1 {
			continue
		}
		s := "so: " + p.String() + " and on\n"
		want, _ := m.Mask(s)
		if got := streamed(m, bytewise(s)...); got != want {
			t.Errorf("%s byte by byte: %q\n got %q\nwant %q", p.rule, s, got, want)
			continue
		}
		step := 1 + len(s)/120
		for i := 0; i <= len(s); i += step {
			if got := streamed(m, s[:i], s[i:]); got != want {
				t.Errorf("%s cut at %d: %q\n got %q\nwant %q", p.rule, i, s, got, want)
				break
			}
		}
	}
}

func TestStreamNegatives(t *testing.T) {
	t.Parallel()
	m := New(nil)
	all := strings.Join(negatives(), "\n")
	if got := streamed(m, bytewise(all)...); got != all {
		t.Errorf("changed: %q", got)
	}
}

// Ordinary text is let go word by word: at most the last word is held.
func TestStreamLetsGo(t *testing.T) {
	t.Parallel()
	st := New(nil).Stream()
	text := "Here is what I know. The keys of the house are with the author, and the pass over the mountain is open: 12 km of road.\nSee you. "
	shown := ""
	for i := range len(text) {
		shown += st.Write(text[i : i+1])
		want := text[:strings.LastIndexAny(text[:i+1], " \n")+1]
		if digits := strings.Index(text, "12 km"); i >= digits && i < digits+len("12 km") {
			continue // digits may be the first of a card
		}
		if shown != want {
			t.Fatalf("after %q: shown %q, want %q", text[:i+1], shown, want)
		}
	}
	if shown += st.Flush(); shown != text {
		t.Errorf("at the end: %q", shown)
	}
}

// What is held is bounded, and a secret longer than that does not get through.
func TestStreamLongToken(t *testing.T) {
	t.Parallel()
	k := newMaker(1)
	tail := strings.Repeat(k.from(url64, 100), 600)
	st := New(nil).Stream()
	var out strings.Builder
	s := "token " + k.jwt() + tail + " after"
	for i := 0; i < len(s); i += 1000 {
		out.WriteString(st.Write(s[i:min(len(s), i+1000)]))
		if held := len(st.held); held > maxHeld {
			t.Fatalf("holds %d bytes", held)
		}
	}
	out.WriteString(st.Flush())
	if got := out.String(); len(got) > 100 || !strings.HasSuffix(got, "] after") {
		t.Errorf("%d bytes: %.200q", len(got), got)
	}
}

// A Stream is as new after Flush.
func TestStreamFlushResets(t *testing.T) {
	t.Parallel()
	st := New(nil).Stream()
	if got := st.Write("my password is ") + st.Flush() + st.Write("Kiwi!48"+"21river ") + st.Flush(); strings.Contains(got, "masked") {
		t.Errorf("context of the text before is used: %q", got)
	}
}

// A Stream is Mask for texts of any pieces in any chunks, but for secrets that
// stand there twice.
func TestStreamIsMask(t *testing.T) {
	t.Parallel()
	m := New([]byte("key"))
	var pieces []string
	for _, p := range positives(21) {
		pieces = append(pieces, p.String())
	}
	pieces = append(pieces, negatives()...)
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for i, n := range rapid.SliceOfNDistinct(rapid.IntRange(0, len(pieces)-1), 1, 4, rapid.ID[int]).Draw(t, "pieces") {
			if i > 0 {
				b.WriteString("\n\n")
			}
			b.WriteString(pieces[n])
		}
		s := b.String()
		hits := m.settle(s, m.find(s))
		if len(repeats(s, hits)) > 0 {
			return
		}
		var chunks []string
		for rest := s; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "chunk")
			chunks, rest = append(chunks, rest[:n]), rest[n:]
		}
		want := m.replace(s, hits)
		if got := streamed(m, chunks...); got != want {
			t.Errorf("%q\n got %q\nwant %q", chunks, got, want)
		}
	})
}

// FuzzStream holds what is true of any text: no secret that Mask finds is let
// go by a Stream that is fed byte by byte, and text without secrets is unchanged.
func FuzzStream(f *testing.F) {
	for _, p := range positives(1) {
		f.Add(p.String(), 3)
	}
	m := New([]byte("key"))
	f.Fuzz(func(t *testing.T, s string, size int) {
		size = max(1, size%64)
		st := m.Stream()
		var out strings.Builder
		for i := 0; i < len(s); i += size {
			out.WriteString(st.Write(s[i:min(len(s), i+size)]))
		}
		out.WriteString(st.Flush())
		if st.held != "" || st.past != "" {
			t.Errorf("Flush leaves %q %q", st.past, st.held)
		}
		if !Contains(s) && !strings.Contains(out.String(), chars.PlaceholderHead) && out.String() != s {
			t.Errorf("%q -> %q", s, out.String())
		}
	})
}

func BenchmarkStream(b *testing.B) {
	m, s := New(nil), english()
	var words []string
	for w := range strings.SplitAfterSeq(s, " ") {
		words = append(words, w)
	}
	for b.Loop() {
		st := m.Stream()
		for _, w := range words {
			st.Write(w)
		}
		st.Flush()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(words)), "ns/token")
}

// What Mask finds in the corpus no Stream lets go, however the text is cut.
//
//ken:unraced
func TestCorpusStream(t *testing.T) {
	t.Parallel()
	m := New([]byte("key"))
	texts := 0
	for _, c := range classes() {
		k := newMaker(77)
		seen := map[string]bool{}
		c.make(newMaker(77), func(frame string, secret ...string) {
			if seen[frame] {
				return
			}
			seen[frame] = true
			text := frame
			for _, s := range secret {
				text = strings.Replace(text, "@@", s, 1)
			}
			want, _ := m.Mask(text)
			texts++
			cuts := [][]string{{text}}
			for range 4 {
				i := k.IntN(len(text) + 1)
				cuts = append(cuts, []string{text[:i], text[i:]})
			}
			if len(text) < 200 {
				cuts = append(cuts, bytewise(text))
			}
			for _, chunks := range cuts {
				got := streamed(m, chunks...)
				for _, s := range secret {
					if !strings.Contains(want, s) && strings.Contains(got, s) {
						t.Errorf("%s: %.200q\n got %.200q\nwant %.200q", c.name, chunks, got, want)
						return
					}
				}
			}
		})
	}
	if texts < 500 {
		t.Errorf("%d texts only", texts)
	}
}
