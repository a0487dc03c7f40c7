package redact

import (
	"encoding/base64"
	"net/url"
	"strings"
	"testing"
)

// TestPageRecall measures the share of the texts of testdata/secrets.txt whose secrets are found with
// every byte, class by class; -v tells what was missed.
func TestPageRecall(t *testing.T) {
	t.Parallel()
	goals := map[string]float64{"provider": 1, "config": .98, "shell": .98, "chat": .85, "financial": .95, "seeds": .95}
	type count struct{ found, all int }
	counts := map[string]*count{}
	m := New([]byte("key"))
	seen := map[string]bool{}
	for seed := range uint64(8) {
		for _, l := range leaks(t, 5000+seed) {
			c := counts[l.class]
			if c == nil {
				c = &count{}
				counts[l.class] = c
			}
			out, hits := m.Mask(l.text)
			c.all++
			whole := true
			for _, s := range l.secrets {
				n := s.covered(hits)
				whole = whole && n == s.end-s.start
				if n > 0 && n < s.end-s.start {
					t.Errorf("%d of %d bytes of a secret are left: %q -> %q", s.end-s.start-n, s.end-s.start, l.text, out)
				}
			}
			if whole {
				c.found++
				continue
			}
			if !seen[l.frame] {
				t.Logf("%s: %q -> %.300q", l.class, l.frame, out)
			}
			seen[l.frame] = true
		}
	}
	found, all := 0, 0
	for class, goal := range goals {
		c := counts[class]
		share := float64(c.found) / float64(c.all)
		t.Logf("== %-10s %5d of %5d found, %.1f %%", class, c.found, c.all, 100*share)
		if share < goal {
			t.Errorf("%s: %.1f %% found, want %.1f %%", class, 100*share, 100*goal)
		}
		found, all = found+c.found, all+c.all
	}
	t.Logf("== all        %5d of %5d found, %.1f %%", found, all, 100*float64(found)/float64(all))
}

// TestPageFalse measures what is masked on testdata/lookalikes.txt, where nothing is secret.
func TestPageFalse(t *testing.T) {
	t.Parallel()
	m := New([]byte("key"))
	wrong, all := 0, 0
	seen := map[string]bool{}
	for seed := range uint64(8) {
		f := &filler{maker: newMaker(6000 + seed)}
		for _, line := range page(t, "lookalikes.txt") {
			text := f.fill(line)
			all++
			if out, hits := m.Mask(text); len(hits) > 0 {
				wrong++
				if !seen[line] {
					t.Logf("%q -> %q", text, out)
				}
				seen[line] = true
			}
		}
	}
	t.Logf("== %d of %d masked, %.2f %%", wrong, all, 100*float64(wrong)/float64(all))
	if float64(wrong) > .02*float64(all) {
		t.Errorf("%d of %d masked, want at most 2 %%", wrong, all)
	}
}

// What Mask finds on the page no Stream lets go, cut in two at every byte and given byte by
// byte; masked text stays as it is; and what stands outside the hits is unchanged.
//
//ken:unraced
func TestPageStream(t *testing.T) {
	t.Parallel()
	m := New([]byte("key"))
	cuts := 0
	for _, l := range leaks(t, 7001) {
		want, hits := m.Mask(l.text)
		if again, more := m.Mask(want); again != want || len(more) > 0 {
			t.Errorf("masked again: %q -> %q", want, again)
		}
		forms := [][]string{bytewise(l.text)}
		for i := range min(len(l.text), 160) {
			forms = append(forms, []string{l.text[:i], l.text[i:]})
		}
		for _, chunks := range forms {
			cuts++
			got := streamed(m, chunks...)
			for _, s := range l.secrets {
				if v := l.text[s.start:s.end]; s.covered(hits) == len(v) && len(v) > 4 && strings.Contains(got, v) {
					t.Fatalf("%q\n got %q\nwant %q", chunks, got, want)
				}
			}
		}
	}
	if cuts < 20000 {
		t.Errorf("%d cuts only", cuts)
	}
}

// A text of the page inside another form of text: JSON, a URL, base64, the output of a
// tool that is a million bytes long. What is found by itself is found there.
//
//ken:unraced
func TestPageEncoded(t *testing.T) {
	t.Parallel()
	m := New([]byte("key"))
	long := strings.Repeat("2026-05-13T19:01:01Z INFO request 200 in 12ms path=/api/v1/items\n", 1<<20/66)
	goals := map[string]float64{"json": .99, "url": .97, "base64": .97, "long": 1}
	found, all := map[string]int{}, 0
	for i, l := range leaks(t, 7002) {
		_, hits := m.Mask(l.text)
		whole := true
		for _, s := range l.secrets {
			whole = whole && s.covered(hits) == s.end-s.start
		}
		if !whole || len(l.text) < 24 {
			continue
		}
		all++
		quoted := string(mustJSON(t, map[string]string{"text": l.text}))
		forms := map[string]string{
			"json": quoted, "url": "https://x.test/?q=" + url.QueryEscape(l.text), "base64": base64.StdEncoding.EncodeToString([]byte(l.text)),
		}
		if i%40 == 0 {
			half := strings.LastIndexByte(long[:len(long)/2], '\n') + 1
			forms["long"] = long[:half] + l.text + "\n" + long[half:]
		} else {
			found["long"]++
		}
		for name, text := range forms {
			out, hits := m.Mask(text)
			clean := len(hits) > 0
			for _, s := range l.secrets {
				v := l.text[s.start:s.end]
				clean = clean && (len(v) < 5 || !strings.Contains(out, v) && !strings.Contains(out, strings.Trim(string(mustJSON(t, v)), `"`)) && !strings.Contains(out, url.QueryEscape(v)))
			}
			if clean {
				found[name]++
			} else {
				t.Logf("%s: %q -> %.200q", name, l.frame, out)
			}
		}
	}
	for name, goal := range goals {
		share := float64(found[name]) / float64(all)
		t.Logf("== %-7s %d of %d, %.1f %%", name, found[name], all, 100*share)
		if share < goal {
			t.Errorf("%s: %.1f %% found, want %.1f %%", name, 100*share, 100*goal)
		}
	}
}
