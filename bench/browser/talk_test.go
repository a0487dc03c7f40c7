//go:build unix

package browser_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"ken/internal/llm/llmtest"
)

// TestTalk: a person talks with ken on the page: what is written streams in, is stopped, gone on with, explained, branched and taken
// back there, by mouse and by keys; a tab that is loaded anew, and a second one, have all of it.
func TestTalk(t *testing.T) {
	s := newStage(t)
	more := make(chan struct{})
	s.model.Reply(func(r llmtest.Request) llmtest.Script {
		said := r.Messages()
		switch last := said[len(said)-1].Content; {
		case strings.Contains(last, "slowly"):
			return llmtest.Text("It begins here. \n\n", "And waits. \n\n", "And ends there.").Gate(2, more)
		case strings.Contains(last, "for ever"):
			return llmtest.Hang("It has begun. \n\n", "And then")
		case strings.Contains(last, "broken"):
			return llmtest.Error(401, "the key is wrong: "+strings.Repeat("0123456789abcdef", 9))
		case strings.Contains(last, "hostile"):
			return llmtest.Text("<img src=x onerror=\"document.title='owned'\">\n\n[a link](https://evil.example/x) [b](javascript:alert(1))\n\n" +
				strings.Repeat("withoutablank", 12) + "\n\n- `" + strings.Repeat("code/in/a/line/", 12) + "`\n\n> > - 1. " +
				strings.Repeat("deep", 40) +
				"\n\n| a column | of | several |\n|---|---|---|\n| " + strings.Repeat("wide ", 30) + "| " + strings.Repeat("x", 80) + " | 3 |\n\n" +
				"https://example.com/" + strings.Repeat("path/", 40) + "\n\n```\n" + strings.Repeat("a long line of code ", 12) + "\n```\n")
		}
		return llmtest.Text("The **staging** host is `kettle`.\n\n", "```\nkettle:8443\n```\n")
	})
	b := s.open(t, 1440, false)
	b.to("/")
	b.click("#text")
	b.keys("where is staging?")
	b.enter()
	b.arrives(`document.querySelector("#t2 .way") !== null`)
	if at := is[string](b, "location.pathname"); !strings.HasPrefix(at, "/talk/") {
		t.Fatalf("asked, and at %s", at)
	}
	if got := is[string](b, `document.querySelector("#turns strong").textContent +
		document.querySelector("#turns pre").textContent`); got != "stagingkettle:8443\n" {
		t.Errorf("the answer is made of %q", got)
	}
	talkAgain(t, b, more)
	reasons(t, b)
	stops(t, b)
	undoes(t, b)
	fails(t, b)
	branches(t, b)
}

// arrives waits until an expression is true, on whatever page the tab shows by then.
func (b *tab) arrives(expression string) {
	b.t.Helper()
	ctx, end := context.WithTimeout(b.ctx, patience)
	defer end()
	for ctx.Err() == nil {
		if ok, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`document.readyState === "complete" && `+expression)); err == nil && ok {
			return
		}
		_ = chromedp.Do(ctx, chromedp.Sleep(20*time.Millisecond))
	}
	b.t.Fatalf("it never came to be that %s\nthe page: %.3000s", expression, b.text())
}

// send types a line and sends it by the key.
func (b *tab) send(line string) {
	b.t.Helper()
	b.await(`document.querySelector("#text").value === ""`)
	b.click("#text")
	b.keys(line)
	b.enter()
}

// enter presses Enter as a keyboard does: the line end comes of the key, and not where the page takes that.
func (b *tab) enter() {
	b.t.Helper()
	for _, p := range []input.DispatchKeyEventParams{
		{Type: input.DispatchKeyEventTypeKeyDown, Key: "Enter", Code: "Enter", Text: "\r", WindowsVirtualKeyCode: 13},
		{Type: input.DispatchKeyEventTypeKeyUp, Key: "Enter", Code: "Enter", WindowsVirtualKeyCode: 13},
	} {
		send(b, input.DispatchKeyEvent, p)
	}
}

// talkAgain: what streams is seen while it does, in this tab, loaded anew and in another one; who asks meanwhile is told.
func talkAgain(t *testing.T, b *tab, more chan struct{}) {
	b.send("say it slowly")
	b.says("It begins here.")
	if strings.Contains(b.text(), "And ends there.") {
		t.Error("the answer is there before it is written")
	}
	if !is[bool](b, `document.querySelector(".run [aria-busy=true]") !== null && document.querySelector("#text").value === ""`) {
		t.Error("it does not say that it is being written")
	}
	path := is[string](b, "location.pathname")
	other := b.s.open(t, 360, true)
	other.refusals = []string{"422"}
	other.to(path)
	other.says("It begins here.")
	other.send("and I?")
	other.says("an answer is being written in this conversation")
	if got := is[string](other, `document.querySelector("#text").value`); got != "and I?" {
		t.Errorf("what was refused is lost: %q", got)
	}
	refusal(t, other)
	b.do(chromedp.Reload())
	b.says("It begins here.")
	close(more)
	for _, one := range []*tab{b, other} {
		one.arrives(`document.body.innerText.includes("And ends there.")`)
		one.await(`document.querySelector(".run [aria-busy]") === null`)
		if n := is[int](one, `document.body.innerText.split("And ends there.").length - 1`); n != 1 {
			t.Errorf("it stands there %d times", n)
		}
	}
	if wide := is[int](other, "document.scrollingElement.scrollWidth"); wide > 360 {
		t.Errorf("it scrolls sideways: %d", wide)
	}
}

// refusal: what was said of a question stands while the connection is lost, and when it is there again.
func refusal(t *testing.T, b *tab) {
	t.Helper()
	for _, lost := range []bool{true, false} {
		event := map[bool]string{true: "htmx:sse:error", false: "htmx:sse:after:connection"}[lost]
		got := is[[]bool](b, `(document.dispatchEvent(new Event("`+event+`")), ["an answer is being written", "connection to ken is lost"]
			.map((said) => document.getElementById("say").innerText.includes(said)))`)
		if !slices.Equal(got, []bool{true, lost}) {
			t.Errorf("%s: the refusal and the loss are said: %v", event, got)
		}
	}
}

// reasons: the panel below an answer has the memories, and one is forgotten and taken back there.
func reasons(t *testing.T, b *tab) {
	at := `document.querySelector("#t2 .way")`
	is[bool](b, "("+at+".scrollIntoView(), true)")
	b.click("#t2 .way summary")
	b.says("called kettle and listens")
	b.await(at + `.querySelector("svg.bar rect") !== null`)
	li := "#t2 .panel li:first-child "
	b.click(li + `form[hx-post$="/forget"] button`)
	b.says("Forgotten: #")
	b.click(li + ".done button")
	b.says("Took back #")
	b.await(at + `.innerText.includes("called kettle and listens")`)
	b.click("#t2 .panel form.aside button")
	b.says("Noted: it had nothing to do with the question.")
	b.await(`document.activeElement.innerText.startsWith("Noted")`)
	if !is[bool](b, at+".open") {
		t.Error("the panel was closed")
	}
}

// stops: Escape stops, what came stays, and is gone on with.
func stops(t *testing.T, b *tab) {
	b.send("go on for ever")
	b.says("It has begun.")
	b.keys(kb.Escape)
	b.says("Stopped.")
	b.says("Continue")
	b.click(".further button")
	b.await(`document.querySelectorAll(".further").length === 0 && document.querySelectorAll("#turns .turn > .text pre").length === 2`)
}

// undoes: what the person typed is kept, and taken back where it is said.
func undoes(t *testing.T, b *tab) {
	b.send("remember that the drum prints labels")
	b.says("remembered #")
	b.await(`document.querySelector(".run:last-of-type [aria-busy]") === null`)
	b.click(".run:last-of-type .done button")
	b.says("took back #")
}

// fails: what a model's server says stands there once; hostile text is text, and a link shows where it leads.
func fails(t *testing.T, b *tab) {
	b.send("broken")
	b.says("the key is wrong")
	b.says("Ask again")
	b.send("hostile")
	b.says("<img src=x")
	b.says("evil.example")
	for _, wide := range []int64{360, 390} {
		b.width(wide)
		for _, fault := range is[[]string](b, faults) {
			t.Errorf("at %d: %s", wide, fault)
		}
	}
	b.width(1440)
	if n := is[int](b, `document.querySelectorAll("main img, main a[href^=javascript]").length`); n != 0 ||
		is[bool](b, `document.title.includes("owned")`) {
		t.Errorf("%d of what the model brought", n)
	}
}

// branches: a question is asked in other words in a copy, and the box has the last question for the asking.
func branches(t *testing.T, b *tab) {
	was := is[string](b, "location.pathname")
	b.click("#t3 .way summary")
	is[bool](b, `(document.querySelector("#t3 textarea").select(), document.querySelector("#t3 textarea").focus(), true)`)
	b.keys("which port?")
	b.click("#t3 .way button")
	b.arrives("location.pathname !== " + quoted(was) + ` && document.querySelector("#t4") !== null`)
	if text := b.text(); strings.Contains(text, "slowly") || !strings.Contains(text, "which port?") ||
		!strings.Contains(text, "where is staging?") {
		t.Errorf("the copy: %s", text)
	}
	b.click("#text")
	b.keys(kb.ArrowUp)
	if got := is[string](b, `document.querySelector("#text").value`); got != "which port?" {
		t.Errorf("the box has %q", got)
	}
	if all := is[[]string](b, `[...document.querySelectorAll(".others a")].map((a) => a.getAttribute("href"))`); !slices.Contains(all, was) {
		t.Errorf("%s is not at hand: %q", was, all)
	}
}

// TestTalkPlain: without scripts a question is asked, and the page shows the answer when it is whole.
func TestTalkPlain(t *testing.T) {
	s := newStage(t)
	b := s.open(t, 360, false)
	b.scripts(false)
	b.to("/")
	b.click("#text")
	b.keys("where is staging?")
	b.follow("#ask button")
	b.says("The staging host is kettle")
	b.click("#t2 .way summary")
	b.follow("#t2 .way a")
	b.says("ken why ")
}
