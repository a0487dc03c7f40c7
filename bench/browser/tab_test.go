//go:build unix

package browser_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// A tab is one of the browser, with nothing of other tabs, and what it asked for and complained of.
type tab struct {
	t   *testing.T
	s   *stage
	ctx context.Context

	mu         sync.Mutex
	asked      []string // the addresses of its requests
	complaints []string // of its console
	refusals   []string // that a test wants: part of a complaint
	elsewhere  string   // another server that it may ask
}

// open opens a tab of a width that has come in by the link. What it complains of, and what it asks for elsewhere, fails the test.
func (s *stage) open(t *testing.T, wide int64, dark bool) *tab {
	t.Helper()
	ctx, end := chromedp.NewContext(s.ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(end)
	b := &tab{t: t, s: s, ctx: ctx}
	if err := chromedp.Do(ctx); err != nil { // what begins a tab has no end of its own, or the tab has it too
		t.Fatal(err)
	}
	if err := chromedp.Listen(ctx, b.hear); err != nil {
		t.Fatal(err)
	}
	send(b, network.Enable, network.EnableParams{})
	send(b, log.Enable, cdp.Empty{})
	b.theme(dark)
	b.width(wide)
	b.do(chromedp.Navigate(s.link))
	t.Cleanup(b.quiet)
	return b
}

// quiet fails the test for what the tab complained of, and for what it asked of another server than ken.
func (b *tab) quiet() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.t.Failed() {
		b.t.Logf("console: %s", strings.Join(b.complaints, "\n"))
		return
	}
	for _, c := range b.complaints {
		wanted := false
		for _, r := range b.refusals {
			wanted = wanted || strings.Contains(c, r)
		}
		if !wanted {
			b.t.Errorf("the console: %s", c)
		}
	}
	for _, a := range b.asked {
		own := strings.HasPrefix(a, "data:") // the browser draws its own marks
		if u, err := url.Parse(a); err == nil && !own {
			at := "http://" + u.Host
			own = at == b.s.base || at == b.elsewhere
		}
		if !own {
			b.t.Errorf("the page asked for %s", a)
		}
	}
	if len(b.asked) == 0 {
		b.t.Error("nothing was heard of the tab")
	}
}

// hear keeps what a tab asks for and complains of.
func (b *tab) hear(ev any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := ev.(type) {
	case *network.EventRequestWillBeSent:
		b.asked = append(b.asked, e.Request.URL)
	case *runtime.EventExceptionThrown:
		text := e.ExceptionDetails.Text
		if x := e.ExceptionDetails.Exception; x != nil {
			text += " " + x.Description
		}
		b.complaints = append(b.complaints, text)
	case *runtime.EventConsoleAPICalled:
		var said []string
		for _, a := range e.Args {
			said = append(said, string(a.Value)+a.Description)
		}
		b.complaints = append(b.complaints, fmt.Sprintf("%v: %s", e.Type, strings.Join(said, " ")))
	case *log.EventEntryAdded:
		b.complaints = append(b.complaints, fmt.Sprintf("%v: %s %s", e.Entry.Level, e.Entry.Text, e.Entry.URL))
	}
}

// send sends a command of the protocol.
func send[P, R any](b *tab, cmd cdp.Command[P, R], params P) R {
	b.t.Helper()
	ctx, end := context.WithTimeout(b.ctx, patience)
	defer end()
	got, err := chromedp.Call(ctx, cmd, params)
	if err != nil {
		b.t.Fatalf("%s: %v", cmd.Method, err)
	}
	return got
}

// do takes steps, each within patience.
func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	for _, step := range steps {
		ctx, end := context.WithTimeout(b.ctx, patience)
		err := chromedp.Do(ctx, step)
		end()
		if err != nil {
			b.t.Fatalf("%v\nthe page: %.3000s", err, b.text())
		}
	}
}

// text is what the page shows.
func (b *tab) text() string {
	ctx, end := context.WithTimeout(b.ctx, patience)
	defer end()
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string](`location.pathname + "\n" + document.body.innerText`))
	if err != nil {
		return err.Error()
	}
	return text
}

// theme gives the tab a theme.
func (b *tab) theme(dark bool) {
	b.t.Helper()
	name := map[bool]string{true: "dark", false: "light"}[dark]
	send(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}, {Name: "prefers-reduced-motion", Value: "reduce"}},
	})
}

// width gives the tab a width.
func (b *tab) width(wide int64) {
	b.t.Helper()
	b.do(chromedp.EmulateViewport(wide, 900))
}

// to has the tab show a path, and waits until it is there whole.
func (b *tab) to(path string) {
	b.t.Helper()
	b.do(chromedp.Navigate(b.s.base + path))
}

// is what an expression of the page's is; a promise is waited for.
func is[T any](b *tab, expression string) T {
	b.t.Helper()
	ctx, end := context.WithTimeout(b.ctx, patience)
	defer end()
	got, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v\nthe page: %.3000s", expression, err, b.text())
	}
	return got
}

// await waits until an expression is true.
func (b *tab) await(expression string) {
	b.t.Helper()
	got := is[bool](b, `new Promise((done) => {
		const end = performance.now() + 30000;
		const look = () => {
			if (`+expression+`) done(true);
			else if (performance.now() > end) done(false);
			else setTimeout(look, 10);
		};
		look();
	})`)
	if !got {
		b.t.Fatalf("it never came to be that %s\nthe page: %.3000s", expression, b.text())
	}
}

// says waits until the page shows a text.
func (b *tab) says(text string) {
	b.t.Helper()
	b.await("document.body.innerText.includes(" + quoted(text) + ")")
}

// quoted is a text as an expression.
func quoted(text string) string {
	b, _ := json.Marshal(text)
	return string(b)
}

// click clicks on what a selector is of, where it stands.
func (b *tab) click(selector string) {
	b.t.Helper()
	b.do(chromedp.Click(chromedp.CSS(selector), chromedp.NodeVisible))
}

// follow clicks on what leads to another page, and waits until that is there.
func (b *tab) follow(selector string) {
	b.t.Helper()
	ctx, end := context.WithTimeout(b.ctx, patience)
	defer end()
	if _, err := chromedp.RunResponse(ctx, chromedp.Click(chromedp.CSS(selector), chromedp.NodeVisible)); err != nil {
		b.t.Fatalf("%s: %v\nthe page: %.3000s", selector, err, b.text())
	}
}

// keys presses keys, whatever has the focus.
func (b *tab) keys(keys string) {
	b.t.Helper()
	b.do(chromedp.KeyEvent(keys))
}

// picture is the whole page as PNG.
func (b *tab) picture() []byte {
	b.t.Helper()
	ctx, end := context.WithTimeout(b.ctx, patience)
	defer end()
	png, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err != nil {
		b.t.Fatal(err)
	}
	return png
}

// scripts takes scripts away from what is shown next, or gives them back.
func (b *tab) scripts(on bool) {
	b.t.Helper()
	send(b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !on})
}
