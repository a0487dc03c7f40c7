package mcp_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ken/internal/config"
	"ken/internal/tool/mcp"
)

// TestWares: what a server has for people is listed with clean names and given whole; what cannot be named or read is
// said to be, and a server that lists nothing, or for ever, costs the time that it has to answer.
func TestWares(t *testing.T) {
	t.Parallel()
	hangs := odd(t, "hangs")
	hangs.ConnectTimeout = 300 * time.Millisecond
	s := up(t, options(t, map[string]config.Server{"w": odd(t, "wares"), "h": hangs, "e": odd(t, "endlessly"), "none": odd(t, "twice")}))
	ctx := t.Context()

	resources, not, err := s.Wares().Resources(ctx, "w")
	want := []mcp.Resource{
		{URI: "mem://says", About: "says: A claim."},
		{URI: "mem://big", About: "big"},
		{URI: "mem://picture", About: "picture: image/png"},
		{URI: "mem://two words", About: "two"},
		{URI: "mem://day/{date}", About: "day: a day"},
	}
	if diff := cmp.Diff(want, resources); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
	if diff := cmp.Diff([]string{`mem://bad\x07\x1b[31m: its name has control characters`, "nothing: it has no name"}, not); diff != "" {
		t.Error(diff)
	}
	prompts, not, err := s.Wares().Prompts(ctx, "w")
	var names []string
	for _, p := range prompts {
		names = append(names, p.Name)
	}
	if got := strings.Join(names, " "); got != "quit says huge nothing key fill" || err != nil || len(not) != 1 {
		t.Errorf("%s, %q, %v", got, not, err)
	}
	args := []mcp.Arg{{Name: "what", Label: "what (what it is about)", Required: true}, {Name: "how", Label: "how"}}
	if diff := cmp.Diff(args, prompts[len(prompts)-1].Args); diff != "" {
		t.Error(diff)
	}

	if text, err := s.Wares().Resource(ctx, "w", "mem://big"); err != nil || len(text) < 10<<20 {
		t.Errorf("10 MB: %d bytes, %v", len(text), err)
	}
	if text, err := s.Wares().Resource(ctx, "w", "mem://picture"); text != "[image/png, 4 KB, not shown]" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	if text, err := s.Wares().Prompt(ctx, "w", "quit", nil); text != "What is a quit?\n\n[image/png, 3 bytes, not shown]" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{second(s.Wares().Resource(ctx, "w", "mem://other")), "w: mem://other could not be read: nothing there"},
		{second(s.Wares().Resource(ctx, "w", "mem://day/{date}")), "w: mem://day/{date} has parts in braces: write what is meant in their place"},
		{second(s.Wares().Resource(ctx, "w", "mem://\x1b[31m")), `w: mem://\x1b[31m is no resource: its name has control characters`},
		{second(s.Wares().Resource(ctx, "nobody", "mem://x")), `no tool server "nobody"`},
		{second(s.Wares().Prompt(ctx, "w", "huge", nil)), "w.huge says 176 KB: more than 64 KB is no question"},
		{second(s.Wares().Resource(ctx, "h", "mem://x")), "h: mem://x could not be read: it did not answer in time"},
		{third(s.Wares().Resources(ctx, "h")), "h: its resources could not be listed: it did not answer in time"},
		{third(s.Wares().Prompts(ctx, "h")), "h: its prompts could not be listed: it did not answer in time"},
		{third(s.Wares().Resources(ctx, "e")), ""},
		{third(s.Wares().Prompts(ctx, "e")), ""},
		{third(s.Wares().Resources(ctx, "none")), ""},
		{third(s.Wares().Prompts(ctx, "none")), ""},
	} {
		got := ""
		if c.err != nil {
			got = c.err.Error()
		}
		if !strings.HasPrefix(got, c.want) || c.want == "" && got != "" || strings.ContainsAny(got, "\x1b\n") {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func second(_ string, err error) error { return err }

func third[T any](_ []T, _ []string, err error) error { return err }

// TestKnown: who completes what they type waits no longer than they want to, and has what was listed once it was; a server
// that is not listing holds nobody up, nor the end.
func TestKnown(t *testing.T) {
	t.Parallel()
	s := mcp.New(options(t, map[string]config.Server{"w": odd(t, "wares"), "h": odd(t, "hangs")}))
	t.Cleanup(s.Close)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for _, name := range []string{"w", "h", "nobody"} {
		if r, p := s.Wares().Known(gone, name); len(r)+len(p) > 0 {
			t.Errorf("%s: %v %v", name, r, p)
		}
	}
	for range 2 {
		if r, p := s.Wares().Known(t.Context(), "w"); len(r) != 5 || len(p) != 6 {
			t.Errorf("%v %v", r, p)
		}
	}
	s.Close()
	if r, p := s.Wares().Known(t.Context(), "h"); len(r)+len(p) > 0 {
		t.Errorf("after the end: %v %v", r, p)
	}
}
