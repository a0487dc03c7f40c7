package mcp

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"ken/internal/config"
	"ken/internal/jsonl"
	"ken/internal/termsafe"
)

// A pin is what a tool was when the person approved of it: one line of the file.
type pin struct {
	Time   time.Time
	Server string // its name
	At     string // a hash of its command or address: under that name there may be another one day
	Tool   string // its name there
	SHA256 string // of Said
	Said   string // what the server said of it, canonical; "" if that is long
}

// longestPin is how much of what a server says is kept, in bytes.
const longestPin = 32 << 10

func (p pin) appendJSON(dst []byte) []byte {
	p.Time = p.Time.UTC().Truncate(time.Second)
	dst = append(dst, '{')
	for _, f := range []struct {
		name  string
		place any
	}{{"ts", &p.Time}, {"server", &p.Server}, {"at", &p.At}, {"tool", &p.Tool}, {"sha256", &p.SHA256}, {"said", &p.Said}} {
		dst = jsonl.AppendField(dst, f.name, f.place)
	}
	return append(dst, '}')
}

func parsePin(line []byte) (pin, error) {
	var p pin
	for f, err := range jsonl.Object(line) {
		if err != nil {
			return pin{}, err
		}
		ok, value := true, jsonl.Value(f.Value)
		switch string(f.Name) {
		case "ts":
			p.Time, ok = value.Time()
		case "server":
			p.Server, ok = value.Text()
		case "at":
			p.At, ok = value.Text()
		case "tool":
			p.Tool, ok = value.Text()
		case "sha256":
			p.SHA256, ok = value.Text()
		case "said":
			p.Said, ok = value.Text()
		}
		if !ok {
			return pin{}, fmt.Errorf("%s: a value of the wrong type", f.Name)
		}
	}
	if p.Server == "" || p.Tool == "" || p.SHA256 == "" {
		return pin{}, errors.New("no server, tool or sha256")
	}
	return p, nil
}

// pins is the file of them, read once and added to.
type pins struct {
	journal *jsonl.Journal[pin]
	now     func() time.Time

	mu   sync.Mutex
	read bool
	err  error // the file does not count
	all  map[[3]string]pin
	of   map[[2]string]bool // the servers, by name and hash, that there are pins of
}

func newPins(path string, now func() time.Time) *pins {
	return &pins{now: now, all: map[[3]string]pin{}, of: map[[2]string]bool{}, journal: &jsonl.Journal[pin]{
		Path: path, Name: "the tools approved of", Max: 4 * longestPin, Parse: parsePin,
		Encode: func(dst []byte, p pin) []byte { return p.appendJSON(dst) },
	}}
}

// load reads the file. The lock is held.
func (p *pins) load() error {
	if p.read {
		return p.err
	}
	p.read = true
	if p.err = config.Own(p.journal.Path); p.err != nil {
		return p.err
	}
	lines, err := p.journal.Read()
	p.err = err
	for _, l := range lines {
		if l.Err == nil {
			p.take(l.Value)
		}
	}
	return p.err
}

// at is the hash by which a server is the one that it was.
func (v *server) at() string {
	sum := sha256.Sum256([]byte(strings.Join(slices.Concat([]string{v.set.URL}, v.set.Command, v.set.Args), "\x00")))
	return hex.EncodeToString(sum[:8])
}

// A Change is a tool that waits for the person: it came to a server that they had approved of,
// or is not any more what it was then.
type Change struct {
	Tool Tool
	Is   string // "new" or "changed"
	was  string
}

// verdict returns why a tool of a server waits for the person; nil if it does not.
func (p *pins) verdict(v *server, t Tool) *Change {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.load() != nil {
		return &Change{Tool: t, Is: "new"}
	}
	at := v.at()
	have, ok := p.all[[3]string{v.name, at, t.Name}]
	switch {
	case ok && have.SHA256 == t.Pin:
		return nil
	case ok:
		return &Change{Tool: t, Is: "changed", was: have.Said}
	case p.of[[2]string{v.name, at}]:
		return &Change{Tool: t, Is: "new"}
	}
	return nil
}

// add pins tools of a server.
func (p *pins) add(ctx context.Context, v *server, tools ...Tool) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.load(); err != nil {
		return err
	}
	var list []pin
	for _, t := range tools {
		n := pin{Time: p.now(), Server: v.name, At: v.at(), Tool: t.Name, SHA256: t.Pin, Said: t.said}
		if len(n.Said) > longestPin {
			n.Said = ""
		}
		if p.all[[3]string{n.Server, n.At, n.Tool}].SHA256 != n.SHA256 {
			list = append(list, n)
		}
	}
	if len(list) == 0 {
		return nil
	}
	if err := p.journal.Add(ctx, list...); err != nil {
		return err
	}
	for _, n := range list {
		p.take(n)
	}
	return nil
}

// take takes a line in. The lock is held.
func (p *pins) take(n pin) {
	p.all[[3]string{n.Server, n.At, n.Tool}] = n
	p.of[[2]string{n.Server, n.At}] = true
}

// waiting are the tools that wait for the person.
func (v *server) waiting() []Change {
	v.mu.Lock()
	tools := v.tools
	v.mu.Unlock()
	var out []Change
	for _, t := range tools {
		if c := v.of.pins.verdict(v, t); c != nil {
			out = append(out, *c)
		}
	}
	return out
}

// sayWaiting tells the person that tools wait.
func (v *server) sayWaiting() {
	if n := len(v.waiting()); n > 0 {
		const text = "%s: %d of its tools are new or changed since you approved of it, and wait to be looked at: mcp tools %[1]s"
		v.of.say(fmt.Sprintf(text, v.name, n))
	}
}

// Approved notes that the person, or a setting of theirs, let a tool be called: at the first time for a
// server what all its tools are is kept, and one that is another later waits for the person.
func (s *Servers) Approved(ctx context.Context, t Tool) error {
	v := s.current(t)
	if v == nil {
		return errGone
	}
	return s.pins.add(ctx, v, v.offered()...)
}

// Changes returns the tools of all servers that wait for the person.
func (s *Servers) Changes() []Change {
	var out []Change
	for _, v := range s.all() {
		out = append(out, v.waiting()...)
	}
	return out
}

// Accept lets a tool be offered as a Change showed it. It is an error if it is another by now.
func (s *Servers) Accept(ctx context.Context, c Change) error {
	v := s.current(c.Tool)
	if v == nil {
		return errGone
	}
	v.mu.Lock()
	same := slices.ContainsFunc(v.tools, func(t Tool) bool { return t.Name == c.Tool.Name && t.Pin == c.Tool.Pin })
	v.mu.Unlock()
	if !same {
		return fmt.Errorf("%s has changed again: look at it once more", c.Tool.Shown)
	}
	return s.pins.add(ctx, v, c.Tool)
}

// Difference returns what is to be looked at, line by line: "- " stands before what was, "+ " before what
// is. All of it is shown, with control characters visible.
func (c Change) Difference() []string {
	was, is := saidLines(c.was), saidLines(c.Tool.said)
	var out []string
	for _, l := range was {
		if !slices.Contains(is, l) {
			out = append(out, "- "+l)
		}
	}
	for _, l := range is {
		if !slices.Contains(was, l) {
			out = append(out, "+ "+l)
		}
	}
	return out
}

// saidLines is what a server says of a tool in lines, each with the place that it is about.
func saidLines(said string) []string {
	if said == "" {
		return nil
	}
	var out []string
	for _, l := range flat("", decoded(said)) {
		out = append(out, termsafe.Unpad(termsafe.Visible(strings.ReplaceAll(l, "\n", `\n`))))
	}
	return out
}
