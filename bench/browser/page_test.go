//go:build unix

package browser_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestPage: a person's browser comes in by the link that ken serve page prints, and sees and changes the memory there; nothing is
// asked for elsewhere, and the console stays empty.
func TestPage(t *testing.T) {
	s := newStage(t)
	for _, part := range []struct {
		name string
		test func(*testing.T, *stage)
	}{
		{"link", link},
		{"looks", looks},
		{"hostile", hostile},
		{"scriptless", scriptless},
		{"axe", axe},
		{"states", states},
		{"search", search},
		{"acts", acts},
		{"brings", brings},
		{"decides", decides},
		{"tabs", tabs},
		{"stranger", stranger},
		{"keys", keys},
	} {
		t.Run(part.name, func(t *testing.T) { part.test(t, s) })
	}
}

// views are the pages that there are, under the names of their pictures.
func views(s *stage) map[string]string {
	return map[string]string{
		"begin": "/", "going": "/talk/" + s.talk, "why": "/talk/" + s.talk + "/why/2",
		"memory": "/memory", "one": "/memory/3", "search": "/memory?q=staging&past=1", "review": "/review", "sessions": "/sessions",
		"talk": "/sessions/" + s.talk, "timeline": "/timeline", "import": "/import", "health": "/health", "nothing": "/memory/999",
	}
}

// link: behind the link stands the page, and no token in the address; without the link there is nothing.
func link(t *testing.T, s *stage) {
	b := s.open(t, 1440, false)
	if at := is[string](b, "location.href"); strings.Contains(at, "ken:") || !strings.HasPrefix(at, s.base+"/") {
		t.Errorf("the link leads to %s", at)
	}
	b.to("/memory")
	b.says("The staging host is called kettle")
	got, err := http.Get(s.base + "/memory")
	if err != nil {
		t.Fatal(err)
	}
	_ = got.Body.Close()
	if got.StatusCode != http.StatusUnauthorized {
		t.Errorf("without the link: %s", got.Status)
	}
}

// looks: at every width and in both themes nothing sticks out, covers another thing, breaks inside a word of a column or is too
// small to read.
func looks(t *testing.T, s *stage) {
	b := s.open(t, 1440, false)
	b.refusals = []string{"404"}
	each(b, func(name string, wide int64, dark bool) {
		for _, fault := range is[[]string](b, faults) {
			t.Errorf("%s at %d: %s", name, wide, fault)
		}
		back := is[string](b, "getComputedStyle(document.documentElement).backgroundColor")
		if want := map[bool]string{false: "rgb(252, 251, 249)", true: "rgb(23, 22, 20)"}[dark]; back != want {
			t.Errorf("%s: the theme is %s, want %s", name, back, want)
		}
	})
}

// each shows every page at every width and in both themes; with -short each width has one theme.
func each(b *tab, look func(name string, wide int64, dark bool)) {
	for i, wide := range []int64{320, 360, 390, 768, 1440, 2560} {
		b.width(wide)
		for _, dark := range []bool{false, true} {
			if testing.Short() && dark != (i%2 == 0) {
				continue
			}
			b.theme(dark)
			for name, path := range views(b.s) {
				b.to(path)
				look(name, wide, dark)
			}
		}
	}
}

// faults is what is wrong with how the page looks, as an expression.
const faults = `(() => {
	const out = [];
	const wide = document.documentElement.clientWidth;
	if (document.scrollingElement.scrollWidth > wide) out.push("it scrolls sideways: " + document.scrollingElement.scrollWidth);
	const box = (e) => e.getBoundingClientRect();
	const what = (e) => e.tagName + " " + (e.name || e.className || e.textContent).toString().slice(0, 30);
	const all = [...document.querySelectorAll("input:not([type=hidden]), select, button, textarea, nav a, label.check, svg.time text")]
		.filter((e) => box(e).width > 0 && e.checkVisibility());
	for (const [i, a] of all.entries()) {
		const x = box(a);
		if (x.right > wide + 1 || x.left < -1) out.push(what(a) + " sticks out");
		for (const b of all.slice(i + 1)) {
			const y = box(b);
			if (a.contains(b) || b.contains(a)) continue;
			if (x.left < y.right - 1 && y.left < x.right - 1 && x.top < y.bottom - 1 && y.top < x.bottom - 1)
				out.push(what(a) + " covers " + what(b));
		}
	}
	const scrolls = (e) => e && e !== document.body && (/auto|scroll/.test(getComputedStyle(e).overflowX) || scrolls(e.parentElement));
	for (const e of document.querySelectorAll("body *"))
		if (e.checkVisibility() && box(e).width > 0 && !e.closest("svg, .skip") && !scrolls(e) && box(e).right > wide + 1)
			out.push(what(e) + " sticks out to " + Math.round(box(e).right));
	for (const e of document.querySelectorAll("input:not([type=checkbox]):not([type=hidden]), select, textarea"))
		if (parseFloat(getComputedStyle(e).fontSize) < 16) out.push(what(e) + ": a phone zooms in on what is smaller than 16 pixels");
	for (const e of document.querySelectorAll("svg.time text"))
		if (box(e).height < 12) out.push("the text " + e.textContent + " is " + box(e).height + " high");
	for (const e of document.querySelectorAll("table.list td:not(:last-child)")) {
		const r = document.createRange();
		r.selectNodeContents(e);
		if (new Set([...r.getClientRects()].map((x) => Math.round(x.top / 8))).size > 1) out.push("the cell " + e.textContent + " is broken");
	}
	const dots = [...document.querySelectorAll("svg.time circle")].map(box);
	for (const [i, x] of dots.entries())
		for (const y of dots.slice(i + 1))
			if (Math.hypot(x.left - y.left, x.top - y.top) < 5) out.push("two dots lie on one point");
	return out;
})()`

// hostile: a text that would be markup is shown as text.
func hostile(t *testing.T, s *stage) {
	b := s.open(t, 768, false)
	for _, path := range []string{"/memory", "/memory/10", "/timeline"} {
		b.to(path)
		b.says(`<img src=x onerror=`)
		if n := is[int](b, `document.querySelectorAll("img, iframe, main script, object, embed").length`); n != 0 {
			t.Errorf("%s has %d of what a text brought", path, n)
		}
		if title := is[string](b, "document.title"); strings.Contains(title, "owned") {
			t.Errorf("%s: a text ran", path)
		}
	}
}

// scriptless: all is to be seen without scripts, and what needs one is not offered.
func scriptless(t *testing.T, s *stage) {
	b := s.open(t, 1440, false)
	b.scripts(false)
	for path, want := range map[string]string{
		"/memory": "The staging host is called kettle", "/memory/3": "We release on Fridays.", "/review": "The drum service prints",
		"/sessions": "where is staging?", "/sessions/" + s.talk: "kettle", "/timeline": "We release on Tuesdays", "/health": "Memory is on",
	} {
		b.to(path)
		b.says(want)
		left := is[[]string](b, `[...document.querySelectorAll("form:not([action])")].filter((f) => f.checkVisibility()).map((f) => f.outerHTML)`)
		if len(left) > 0 {
			t.Errorf("%s offers what needs a script: %q", path, left)
		}
	}
	b.to("/memory")
	b.click("#q")
	b.keys("Marta")
	b.follow("form[role=search] button")
	b.says("Marta runs the data team")
	if strings.Contains(b.text(), "My time zone") {
		t.Error("the search let all through")
	}
	b.follow(`a[href^="/memory/5"]`)
	b.says("History")
}

// search: the list follows what is typed, and the address with it.
func search(t *testing.T, s *stage) {
	b := s.open(t, 1440, false)
	b.to("/memory")
	b.click("#q")
	b.keys("time zone")
	b.await(`new URLSearchParams(location.search).get("q") === "time zone" && document.querySelectorAll("#list li").length === 1`)
	b.says("Europe/Lisbon")
	if focus := is[string](b, "document.activeElement.id"); focus != "q" {
		t.Errorf("the focus went to %q", focus)
	}
	b.do(chromedp.Reload())
	b.says("Europe/Lisbon")
	if n := is[int](b, `document.querySelectorAll("#list li").length`); n != 1 {
		t.Errorf("made anew, the page shows %d", n)
	}
	b.follow("nav a[href='/health']")
	b.do(chromedp.NavigateBack())
	b.says("Europe/Lisbon")
	if n := is[int](b, `document.querySelectorAll("#list li").length`); n != 1 {
		t.Errorf("gone back to, the page shows %d", n)
	}
	b.click("#list li .about a")
	b.says("A question like this would have it.")
	b.says("History")
	b.do(chromedp.SetValue(chromedp.CSS("select[name=kind]"), "goal"))
	is[bool](b, `document.querySelector("select[name=kind]").dispatchEvent(new Event("input", {bubbles: true}))`)
	b.says("Nothing is known about that")
}

// acts: what is clicked is done: remembered, edited, pinned, forgotten, and each taken back.
func acts(t *testing.T, s *stage) {
	b := s.open(t, 768, false)
	b.to("/memory")
	b.click("main > details > summary")
	b.click("main > details textarea")
	b.keys("The meeting room is called Ada.")
	b.click("main > details button")
	b.says("Remembered: #")
	if focus := is[string](b, "document.activeElement.textContent"); !strings.Contains(focus, "Remembered") {
		t.Errorf("the focus is on %q", focus)
	}
	b.to("/memory")
	b.says("called Ada")
	li := "#list li:first-child "
	b.click(li + ".about a")
	b.says("History")
	b.click(li + "details summary")
	is[bool](b, `(document.querySelector("#list li textarea").select(), document.querySelector("#list li textarea").focus(), true)`)
	b.keys("The meeting room is called Grace.")
	b.click(li + "details button")
	b.says("Saved: #")
	b.says("called Grace")
	b.click(li + ".done button")
	b.says("Took back #")
	b.await(`document.querySelector("#list li .text").innerText.includes("Ada")`)
	b.click(li + `form[hx-post$="/pin"] button`)
	b.says("Pinned: #")
	b.click(li + ".done button")
	b.await(`document.querySelector('#list li form[hx-post$="/pin"]') !== null`)
	b.click(li + `form[hx-post$="/forget"] button`)
	b.says("Forgotten: #")
	if strings.Contains(is[string](b, `document.querySelector("#list li").innerText.replace(/.*History/s, "")`), "Ada") {
		t.Error("what is forgotten is shown")
	}
	b.click(li + ".done button")
	b.says("called Ada")
	b.click(li + `form[hx-post$="/forget"] button`)
	b.says("Forgotten: #")
	b.to("/memory")
	if strings.Contains(b.text(), "called Ada") {
		t.Error("it is not forgotten")
	}
}

// decides: what waits is chosen by one box, kept by keys, and taken back by one button.
func decides(t *testing.T, s *stage) {
	b := s.open(t, 390, false)
	b.to("/review")
	b.click("[data-all]")
	boxes := `[...document.querySelectorAll("[name=choose]")]`
	if n := is[int](b, boxes+".filter((x) => x.checked).length"); n == 0 || n != is[int](b, boxes+".length") {
		t.Errorf("the box of all chose %d", n)
	}
	b.keys(kb.Tab)
	if at := focused(b); at != "Keep the chosen" {
		t.Errorf("behind the box of all is %q", at)
	}
	b.keys(kb.Enter)
	b.says("Kept: p")
	if focus := is[string](b, "document.activeElement.textContent"); !strings.Contains(focus, "Kept") {
		t.Errorf("the focus is on %q", focus)
	}
	b.click("#list .done button")
	b.says("Taken back: ")
	b.says("The drum service prints")
}

// tabs: what another tab changed is not written over, and said.
func tabs(t *testing.T, s *stage) {
	one, other := s.open(t, 1440, false), s.open(t, 1440, false)
	other.refusals = []string{"409"}
	for _, b := range []*tab{one, other} {
		b.to("/memory/9")
		b.click("main details summary")
		is[bool](b, `(document.querySelector("main textarea").select(), true)`)
	}
	one.keys("Ship the second version before the autumn.")
	one.click("main details button")
	one.says("Saved: #9")
	other.keys("Ship nothing.")
	other.click("main details button")
	other.says("changed meanwhile")
	other.says("before the autumn")
	one.click(".done button")
	one.says("before the summer")
}

// keys: all can be reached and done without a mouse, and what has the focus is seen.
func keys(t *testing.T, s *stage) {
	b := s.open(t, 1440, false)
	b.to("/memory/2")
	b.keys(kb.Tab)
	if at := focused(b); at != "To the content" {
		t.Fatalf("the first stop is %q", at)
	}
	b.keys(kb.Enter)
	b.keys(kb.Tab)
	if in := is[bool](b, `document.querySelector("main").contains(document.activeElement)`); !in {
		t.Errorf("past the links the focus is on %q", focused(b))
	}
	until(b, "Edit")
	b.keys(kb.Enter)
	b.await(`document.querySelector("main details").open`)
	b.keys(kb.Escape)
	b.await(`!document.querySelector("main details").open`)
	if at := focused(b); at != "Edit" {
		t.Errorf("after Escape the focus is on %q", at)
	}
	b.keys(kb.Enter)
	b.keys(kb.Tab)
	b.keys(kb.End + " Always.")
	until(b, "Save")
	b.keys(kb.Enter)
	b.says("Saved: #2")
	b.says("in plain words. Always.")
	until(b, "Undo")
	b.keys(" ")
	b.says("Took back #")

	for name, path := range views(s) {
		if name == "nothing" {
			continue
		}
		b.to(path)
		var stops []string
		for range 200 {
			b.keys(kb.Tab)
			at := focused(b)
			if at == "" {
				break // past the last one
			}
			stops = append(stops, at)
			if is[bool](b, bare) {
				t.Errorf("%s: it is not seen that %q has the focus", name, at)
			}
		}
		for _, want := range []string{"To the content", "Memory", "Health"} {
			if !slices.Contains(stops, want) {
				t.Errorf("%s: no stop at %q in %q", name, want, stops)
			}
		}
		if len(stops) >= 200 {
			t.Errorf("%s: there is no end to it: %q", name, stops[190:])
		}
	}
}

// bare is whether nothing marks what has the focus, as an expression.
const bare = `(() => {
	const s = getComputedStyle(document.activeElement);
	return s.outlineStyle === "none" || parseFloat(s.outlineWidth) < 2;
})()`

// focused is the text of what has the focus; "" is the page itself.
func focused(b *tab) string {
	b.t.Helper()
	return is[string](b, `(() => {
		const e = document.activeElement;
		if (e === document.body || e === document.documentElement) return "";
		return (e.innerText || e.getAttribute("aria-label") || e.name || e.tagName).trim();
	})()`)
}

// until presses Tab until that has the focus.
func until(b *tab, name string) {
	b.t.Helper()
	var passed []string
	for range 60 {
		b.keys(kb.Tab)
		if at := focused(b); at == name {
			return
		} else if passed = append(passed, at); at == "" && len(passed) > 40 {
			break
		}
	}
	b.t.Fatalf("%q is not reached: %s", name, fmt.Sprintf("%q", passed))
}
