package mcp

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ken/internal/termsafe"
	"ken/internal/tool/mcp/oauth"
	"ken/internal/tool/mcp/schema"
)

type wireError = jsonrpc.Error

// silence is how long a call may say nothing.
const silence = 2 * time.Minute

// A Call is a model's call of a tool as it would be made.
type Call struct {
	Tool Tool
	Args json.RawMessage // for the server: one object
}

// Read understands a model's call by the wire name of a tool, or server.tool. The error is in
// words for the model.
func (s *Servers) Read(name string, args json.RawMessage) (Call, error) {
	name = strings.TrimSpace(schema.Plain(name))
	for _, by := range []func(Tool) string{
		func(t Tool) string { return t.Wire },
		func(t Tool) string { return t.Server + "." + t.Name },
	} {
		for _, v := range s.all() {
			for _, t := range v.offered() {
				if by(t) != name {
					continue
				}
				given, err := schema.Restore(t.own, args, t.note)
				if err != nil {
					return Call{}, fmt.Errorf("the arguments of %s cannot be read (%w)", t.Wire, err)
				}
				return Call{t, given}, nil
			}
		}
	}
	for _, c := range s.Changes() {
		if c.Tool.Wire == name || c.Tool.Server+"."+c.Tool.Name == name {
			return Call{}, fmt.Errorf("%s waits for the person, who has to look at it first: it is %s", c.Tool.Wire, c.Is)
		}
	}
	return Call{}, fmt.Errorf("no tool %q", schema.Line(name, 80))
}

// Shown returns the arguments for the person who judges the call: all of them, one a line or
// more, with control characters visible.
func (c Call) Shown() []string {
	var out []string
	for _, l := range flat("", decoded(string(c.Args))) {
		out = append(out, termsafe.Unpad(termsafe.Visible(l)))
	}
	return out
}

// Local reports whether the person's settings say that a tool reaches nothing beyond this machine. What its server
// says of that is no reason.
func (s *Servers) Local(t Tool) bool {
	if !s.settled(t) {
		return false
	}
	names := s.o.Settings.Servers[t.Server].Local
	return slices.Contains(names, t.Name) || slices.Contains(names, "*")
}

// settled reports whether the server of a tool is the one that the settings name, and none that was connected to under
// its name since.
func (s *Servers) settled(t Tool) bool {
	set, ok := s.o.Settings.Servers[t.Server]
	return ok && t.of != nil && reflect.DeepEqual(t.of.set, set)
}

// current is the server that a tool is of; nil if there is none any more, or another one of its name.
func (s *Servers) current(t Tool) *server {
	if v := s.find(t.Server); v != nil && v == t.of {
		return v
	}
	return nil
}

// Identity is what a yes for a tool is about: what its server says of it, and which one that is: all that is set of
// it, but for how long it has and what is said of its tools.
func (s *Servers) Identity(t Tool) string {
	if t.of == nil {
		return ""
	}
	set := t.of.set
	set.ConnectTimeout, set.Local = 0, nil
	sum := sha256.Sum256(raw(set)) // there may be secrets in it
	return t.Shown + " " + t.Pin + " " + hex.EncodeToString(sum[:])
}

// AutoApproved reports whether the person's settings have a tool called unasked.
func (s *Servers) AutoApproved(t Tool) bool {
	return s.settled(t) && slices.ContainsFunc(s.o.Settings.AutoApprove, func(e string) bool {
		return schema.Approves(e, t.Server, t.Name)
	})
}

// decoded is JSON as a value.
func decoded(text string) any {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil {
		return text
	}
	return v
}

// flat writes a value as lines: the name of the place, and what is there.
func flat(at string, v any) []string {
	var out []string
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			below := name
			if at != "" {
				below = at + "." + name
			}
			out = append(out, flat(below, v[name])...)
		}
		if len(v) > 0 || at == "" {
			return out
		}
	case []any:
		for i, e := range v {
			out = append(out, flat(fmt.Sprintf("%s[%d]", at, i), e)...)
		}
		if len(v) > 0 {
			return out
		}
	}
	return []string{at + ": " + compact(v)}
}

// compact is a value in one line, as JSON.
func compact(v any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil {
		return "?"
	}
	return strings.TrimSpace(b.String())
}

// Run makes a call, which the caller has had approved, and returns what came of it, whatever that is.
// progress, if not nil, is told what the server says meanwhile; it must return at once.
func (s *Servers) Run(ctx context.Context, c Call, progress func(Progress)) Result {
	v := s.current(c.Tool)
	if v == nil {
		return failure("not run: %s is not connected any more, or another server is", c.Tool.Server)
	}
	if err := v.ready(ctx); err != nil {
		return failure("not run: %s is not connected: %v", c.Tool.Server, err)
	}
	v.mu.Lock()
	session, p := v.session, v.process
	v.calls++
	token := fmt.Sprintf("ken-%d", v.calls)
	same := slices.ContainsFunc(v.tools, func(t Tool) bool { return t.Name == c.Tool.Name && t.Pin == c.Tool.Pin })
	v.mu.Unlock()
	switch {
	case session == nil:
		return failure("not run: %s is not connected", c.Tool.Server)
	case !same: // the server is a new one by now, with other tools
		return failure("not run: %s is not any more what it was", c.Tool.Wire)
	}
	run, cancel := context.WithCancel(ctx)
	defer cancel()
	alive, over := make(chan struct{}, 1), atomic.Bool{}
	go v.listen(run, alive, cancel)
	v.hear(token, func(p Progress) {
		select {
		case alive <- struct{}{}:
		default:
		}
		if progress != nil && !over.Load() {
			progress(p)
		}
	})
	defer v.hear(token, nil)
	defer over.Store(true)
	v.mayVisit(1)
	defer v.mayVisit(0)
	params := &mcp.CallToolParams{Name: c.Tool.Name, Arguments: c.Args}
	params.SetProgressToken(token)
	r, err := session.CallTool(run, params)
	var told *wireError
	var refused *oauth.Error
	switch {
	case err == nil:
		return resultOf(r)
	case errors.As(err, &refused):
		v.of.say(fmt.Sprintf("%s: %v", v.name, refused))
		return failure("not run: %s: %v", c.Tool.Server, refused)
	case errors.As(err, &told):
		return failure("%s", clean(told.Error()))
	case ctx.Err() != nil:
		return unknown("stopped by the person; whether it ran is unknown")
	case run.Err() != nil:
		return unknown("no answer for %v; whether it ran is unknown", silence)
	}
	if p != nil {
		if why := p.why(); why != nil {
			err = why
		}
	}
	v.lost(session, err)
	return unknown("%s was lost: %s; whether it ran is unknown", c.Tool.Server, clean(err.Error()))
}

// listen calls stop when nothing was alive for too long, while the person is not asked something.
func (v *server) listen(ctx context.Context, alive <-chan struct{}, stop func()) {
	t := time.NewTimer(silence)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-alive:
			t.Reset(silence)
		case <-t.C:
			if v.asking.Load() == 0 {
				stop()
				return
			}
			t.Reset(silence)
		}
	}
}

// hear has what is said of a call told, or no more.
func (v *server) hear(token string, tell func(Progress)) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if tell == nil {
		delete(v.asked, token)
		return
	}
	v.asked[token] = tell
}
