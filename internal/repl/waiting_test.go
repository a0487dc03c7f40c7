package repl

import (
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hinshun/vt10x"
)

// wire is a terminal that remembers what it was sent.
type wire struct {
	mu   sync.Mutex
	text strings.Builder
}

func (w *wire) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(p)
}

// sent is what came since the last call.
func (w *wire) sent() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	defer w.text.Reset()
	return w.text.String()
}

// TestWaiting: nothing is drawn for 400 ms, then the line anew eight times a
// second, and it is gone before anything else is printed. Nothing runs on: a
// bubble of synctest ends only when nothing in it does.
func TestWaiting(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var w wire
		x := Wait(&w, time.Now, Look{Unicode: true, Width: 80}, "fa\x1b[2Jst")
		after := func(d time.Duration) string {
			time.Sleep(d)
			synctest.Wait()
			return w.sent()
		}
		for _, step := range []struct {
			name string
			got  string
			want string
		}{
			{"at once", after(399 * time.Millisecond), ""},
			{"after 400 ms", after(time.Millisecond), "\r⠋ waiting for fast  0 s (Ctrl-C stops)\x1b[K"},
			{"before the next frame", after(124 * time.Millisecond), ""},
			{"the next frame", after(time.Millisecond), "\r⠙ waiting for fast  0 s (Ctrl-C stops)\x1b[K"},
		} {
			if step.got != step.want {
				t.Errorf("%s: %q, want %q", step.name, step.got, step.want)
			}
		}
		after(time.Second)
		x.Think()
		if got := after(125 * time.Millisecond); !strings.Contains(got, "thinking  1 s") {
			t.Errorf("thinking: %q", got)
		}
		x.Around(func() { _, _ = w.Write([]byte("said\n")) })
		if got := w.sent(); got != "\r\x1b[Ksaid\n" {
			t.Errorf("around: %q", got)
		}
		x.Around(func() {})
		if got := w.sent(); got != "" {
			t.Errorf("nothing was there to erase: %q", got)
		}
		if got := after(125 * time.Millisecond); !strings.Contains(got, "thinking") {
			t.Errorf("afterwards: %q", got)
		}
		x.Stop()
		x.Stop()
		if got := w.sent(); got != "\r\x1b[K" {
			t.Errorf("stopped: %q", got)
		}
		if got := after(time.Hour); got != "" {
			t.Errorf("after its end: %q", got)
		}
	})
}

// TestWaitingShort: an answer that comes soon leaves no trace, and neither does a
// nil Waiting.
func TestWaitingShort(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var w wire
		x := Wait(&w, time.Now, Look{Width: 80}, "fast")
		time.Sleep(399 * time.Millisecond)
		x.Stop()
		time.Sleep(time.Hour)
		if got := w.sent(); got != "" {
			t.Errorf("%q", got)
		}
		x = nil
		x.Think()
		said := false
		x.Around(func() { said = true })
		x.Stop()
		if !said {
			t.Error("nothing was said")
		}
	})
}

// TestWaitingAgain: who waits anew before the wait is over has one line, and none once it is.
func TestWaitingAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var w wire
		x := Wait(&w, time.Now, Look{Width: 80}, "fast")
		time.Sleep(500 * time.Millisecond)
		x.Again(Look{Width: 80}, "slow")
		x.Again(Look{Width: 80}, "deep")
		w.sent()
		time.Sleep(410 * time.Millisecond)
		synctest.Wait()
		if got := w.sent(); strings.Count(got, "waiting for") != 1 || !strings.Contains(got, "waiting for deep  0 s") {
			t.Errorf("%q", got)
		}
		x.Stop()
		w.sent()
		time.Sleep(time.Hour)
		if got := w.sent(); got != "" {
			t.Errorf("it is over, and still says %q", got)
		}
	})
}

// TestWaitingScreen: on a real terminal, however narrow, one line is drawn over
// itself and nothing of it stays.
func TestWaitingScreen(t *testing.T) {
	t.Parallel()
	for _, width := range []int{10, 20, 80} {
		synctest.Test(t, func(t *testing.T) {
			var w wire
			term := vt10x.New(vt10x.WithSize(width, 5))
			_, _ = term.Write([]byte("before\r\n"))
			x := Wait(&w, time.Now, Look{Width: width}, "a-model-with-quite-a-long-name")
			time.Sleep(12 * time.Second)
			synctest.Wait()
			_, _ = term.Write([]byte(w.sent()))
			lines := strings.Split(term.String(), "\n")
			if !strings.Contains(lines[1], " wait") || strings.TrimSpace(lines[2]) != "" {
				t.Errorf("%d cells: the screen is %q", width, lines)
			}
			x.Stop()
			_, _ = term.Write([]byte(w.sent() + "after"))
			if got := strings.Fields(term.String()); strings.Join(got, " ") != "before after" {
				t.Errorf("%d cells: left over: %q", width, got)
			}
		})
	}
}

// TestWaitingTogether: many may use one at once.
func TestWaitingTogether(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var w wire
		x := Wait(&w, time.Now, Look{Width: 80}, "fast")
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				for range 100 {
					time.Sleep(time.Duration(i+1) * 50 * time.Millisecond)
					x.Think()
					x.Around(func() {})
				}
				x.Stop()
			})
		}
		all.Wait()
	})
}
