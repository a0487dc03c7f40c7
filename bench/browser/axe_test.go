//go:build unix

package browser_test

import (
	"os"
	"testing"

	"github.com/chromedp/chromedp"
)

// axe: axe-core finds nothing to complain of on any page, in both themes and at all widths, by the rules of WCAG 2.2 AA and its
// own best practices.
func axe(t *testing.T, s *stage) {
	path := os.Getenv("KEN_AXE")
	if path == "" {
		t.Skip("KEN_AXE names no axe.min.js: make axe fetches it")
	}
	script, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b := s.open(t, 1440, false)
	b.refusals = []string{"404"}
	rules := 0
	each(b, func(name string, wide int64, dark bool) {
		if testing.Short() && wide != 320 && wide != 1440 {
			return
		}
		if name == "one" {
			is[bool](b, `(document.querySelectorAll("details").forEach((d) => { d.open = true; }), true)`)
		}
		b.do(chromedp.Evaluate[chromedp.Void](string(script)))
		got := is[struct {
			Passed int      `json:"passed"`
			Wrong  []string `json:"wrong"`
		}](b, `axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}).then((r) => ({
			passed: r.passes.length,
			wrong: r.violations.flatMap((v) => v.nodes.map((n) => v.id + ": " + n.html.slice(0, 200) + " " + n.failureSummary)),
		}))`)
		rules += got.Passed
		for _, w := range got.Wrong {
			t.Errorf("%s at %d, dark %v: %s", name, wide, dark, w)
		}
	})
	if rules == 0 {
		t.Error("no rule looked at anything")
	}
	t.Logf("%d rules held", rules)
}
