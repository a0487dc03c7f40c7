//go:build unix

package browser_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
)

// rounds is how often each page is shown; the figures are those in the middle.
const rounds = 15

// TestFigures prints what a browser takes for each page, with nothing kept from before, and how many bytes come.
func TestFigures(t *testing.T) {
	if os.Getenv("KEN_FIGURES") == "" {
		t.Skip("KEN_FIGURES is not set: make bench-page")
	}
	for _, more := range []int{0, 1000} {
		s := newStage(t)
		if more > 0 {
			s.fill(t, more)
		}
		b := s.open(t, 1440, false)
		b.refusals = []string{"404"}
		send(b, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: true})
		var out strings.Builder
		fmt.Fprintf(&out, "%d memories more\n%-10s %12s %12s %12s %9s %9s\n", more,
			"page", "answer ms", "paint ms", "loaded ms", "page B", "all B")
		all := views(s)
		for _, name := range slices.Sorted(maps.Keys(all)) {
			var each [5][]float64
			for range rounds {
				b.to(all[name])
				b.await(`performance.getEntriesByName("first-contentful-paint").length > 0 &&
					performance.getEntriesByType("navigation")[0].loadEventEnd > 0`)
				got := is[[5]float64](b, `(() => {
					const n = performance.getEntriesByType("navigation")[0];
					return [n.responseStart, performance.getEntriesByName("first-contentful-paint")[0].startTime, n.loadEventEnd, n.transferSize,
						n.transferSize + performance.getEntriesByType("resource").reduce((sum, r) => sum + r.transferSize, 0)];
				})()`)
				for i, f := range got {
					each[i] = append(each[i], f)
				}
			}
			fmt.Fprintf(&out, "%-10s", name)
			for i, list := range each {
				slices.Sort(list)
				fmt.Fprintf(&out, " %*.*f", []int{12, 12, 12, 9, 9}[i], []int{1, 1, 1, 0, 0}[i], list[len(list)/2])
			}
			out.WriteString("\n")
		}
		t.Log("\n" + out.String())
	}
}

// fill puts more memories behind those that there are.
func (s *stage) fill(t *testing.T, more int) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(s.home, "memory.jsonl"), os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for i := range more {
		fmt.Fprintf(&b, `{"id":%d,"ts":"2026-03-01T00:%02d:%02dZ","kind":"fact","content":"drawer %d of desk %d holds string number %d"}`+"\n",
			i+1000, i/60%60, i%60, i%97, i%31, i)
	}
	if _, err := f.WriteString(b.String()); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}
