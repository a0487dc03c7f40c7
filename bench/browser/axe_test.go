//go:build unix

package browser_test

import (
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// axeScript is axe-core; without it the test is skipped.
func axeScript(t *testing.T) string {
	t.Helper()
	path := os.Getenv("KEN_AXE")
	if path == "" {
		t.Skip("KEN_AXE names no axe.min.js: make axe fetches it")
	}
	script, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(script)
}

// axed is what axe-core says of the page, and how many of its rules held, by WCAG 2.2 AA and its own best practices.
func (b *tab) axed(script string) (wrong []string, held int) {
	b.t.Helper()
	b.do(chromedp.Evaluate[chromedp.Void](script))
	got := is[struct {
		Passed int      `json:"passed"`
		Wrong  []string `json:"wrong"`
	}](b, `axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}).then((r) => ({
		passed: r.passes.length,
		wrong: r.violations.flatMap((v) => v.nodes.map((n) => v.id + ": " + n.html.slice(0, 200) + " " + n.failureSummary)),
	}))`)
	return got.Wrong, got.Passed
}

// axe: axe-core finds nothing to complain of on any page, in both themes and at all widths.
func axe(t *testing.T, s *stage) {
	script := axeScript(t)
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
		wrong, held := b.axed(script)
		rules += held
		for _, w := range wrong {
			t.Errorf("%s at %d, dark %v: %s", name, wide, dark, w)
		}
	})
	if rules == 0 {
		t.Error("no rule looked at anything")
	}
	t.Logf("%d rules held", rules)
}

// states: what a page becomes is as good as the page: a row that is open, what was done, what was refused; a memory without
// anything, and one of which much was put in at once.
func states(t *testing.T, s *stage) {
	look := func(b *tab, state string) {
		t.Helper()
		for _, wide := range []int64{320, 1440} {
			b.width(wide)
			for _, fault := range is[[]string](b, faults) {
				t.Errorf("%s at %d: %s", state, wide, fault)
			}
			if os.Getenv("KEN_AXE") == "" {
				continue
			}
			wrong, held := b.axed(axeScript(t))
			for _, w := range wrong {
				t.Errorf("%s at %d: %s", state, wide, w)
			}
			if held == 0 {
				t.Errorf("%s: no rule looked at anything", state)
			}
		}
	}
	b := s.open(t, 320, true)
	b.refusals = []string{"400", "422", "409"}
	b.to("/memory?q=staging")
	b.click("#list li .about a")
	b.says("History")
	b.click("#list li details summary")
	look(b, "a row that is open")
	b.click(`#list li form[hx-post$="/pin"] button`)
	b.says("Pinned")
	look(b, "what was done")
	b.click("#list li .done button")
	b.says("Took back")
	b.click("main > details summary")
	b.click("main > details textarea")
	b.keys("the deploy token is ghp_" + strings.Repeat("0aB9", 9))
	b.click("main > details button")
	b.says("secret")
	look(b, "what was refused")
	b.to("/memory?asof=someday")
	b.says("is no date")
	look(b, "a date that is none")

	b.to("/")
	b.click("#text")
	b.keys("where is staging, and who owns it?")
	b.enter()
	b.arrives(`document.querySelector("#t2 .way") !== null`)
	b.click("#t2 .way summary")
	b.says("In the start-up block")
	look(b, "why an answer")
	b.click("#t1 .way summary")
	look(b, "asked in other words")
	b.send("remember that the drum stands in the cellar")
	b.says("Undo #")
	look(b, "remembered in a conversation")
	b.click("details.others summary")
	look(b, "conversations at hand")

	nothing := s.beside(t, "nothing", func(*stage) {}).open(t, 320, false)
	for path, want := range map[string]string{
		"/": "Your message", "/memory": "Nothing is remembered yet", "/review": "Nothing waits", "/sessions": "0 conversations",
		"/timeline": "Nothing yet", "/health": "0 remembered",
	} {
		nothing.to(path)
		nothing.says(want)
		look(nothing, "nothing at "+path)
	}
	much := s.beside(t, "much", func(s *stage) { s.fill(t, 120) }).open(t, 1440, false)
	much.to("/memory")
	much.says("1 to 50 of 120")
	look(much, "much")
	much.follow("#list .acts a")
	much.says("51 to 100 of 120")
	much.to("/timeline")
	much.says("in the table alone")
	look(much, "much over time")
}
