package endpoint

import (
	"bytes"
	"context"
	"encoding/json"
	"mime"
	"net/http"
	"time"

	"ken/internal/view/port"
)

// Grounds says what a client's model was given, as it stands now, for the hour behind it: what was forgotten since is named, and says
// nothing. ok is false for whatever another client was given.
func (e *Endpoint) Grounds(ctx context.Context, who Client, ref string) (grounds port.Grounds, ok bool) {
	e.mu.Lock()
	g, ok := e.whys[ref]
	e.mu.Unlock()
	if age := e.o.Now().Sub(g.at); !ok || g.client != who.Name || age < 0 || age >= keepFor {
		return grounds, false
	}
	grounds = port.Grounds{Ref: ref, Model: g.model, TS: g.at.UTC().Format(time.RFC3339), Memories: make([]port.Grounded, len(g.Hits))}
	for i, hit := range g.Hits {
		grounds.Memories[i] = port.Grounded{Ref: hit.Ref, Always: hit.Always, Score: hit.Score, Parts: hit.Parts}
		if about, err := who.Memory.About(ctx, hit.Ref); err == nil {
			is := &grounds.Memories[i]
			is.Content, is.Kind, is.Scope = about.Item.Content, about.Item.Kind, about.Item.Scope
		}
	}
	return grounds, true
}

// explained is what a client that asked for it is told inside the answer: what Ken-Memory says, and the grounds, if there are any.
func (e *Endpoint) explained(ctx context.Context, who Client, state, ref string) []byte {
	is := port.Explained{Memory: state}
	if g, ok := e.Grounds(ctx, who, ref); ok {
		is.Grounds = &g
	}
	b, err := json.Marshal(is)
	if err != nil {
		return nil
	}
	return b
}

// An explain puts a field "ken" into an answer on its way: into the object of one that comes whole, and into a chunk of its own
// before the end of a stream. All else is passed on as it comes; what broke off is not gone on with.
type explain struct {
	more   []byte // the value; nil: it was put in
	stream bool
	held   []byte // what may be the line that ends a stream, or the blanks of an object's head
	inLine bool   // past the point at which a line could be that one
	opened bool   // the object's brace was passed on
	first  []byte // of a stream: the line of its first chunk, as far as it came
	whole  bool   // first is whole
}

// mostFirst is how much of the first chunk is looked at.
const mostFirst = 16 << 10

// explainer is what puts more into the answer; nil if nothing can be: it failed, or is neither a stream nor an object.
func explainer(res *http.Response, more []byte) *explain {
	kind, _, err := mime.ParseMediaType(res.Header.Get("Content-Type"))
	if more == nil || err != nil || res.StatusCode != http.StatusOK || res.Header.Get("Content-Encoding") != "" ||
		kind != "text/event-stream" && kind != "application/json" {
		return nil
	}
	return &explain{more: more, stream: kind == "text/event-stream"}
}

// ends are the lines that end a stream.
func ends() [][]byte { return [][]byte{[]byte("data: [DONE]"), []byte("data:[DONE]")} }

// pass is what goes on of what came.
func (x *explain) pass(b []byte) []byte {
	if x == nil || x.more == nil {
		return b
	}
	if !x.stream {
		return x.object(b)
	}
	out := make([]byte, 0, len(b)+len(x.held))
	for _, c := range b {
		if x.more == nil || x.inLine {
			out = append(out, c)
		} else {
			x.held = append(x.held, c)
			out = append(out, x.line()...)
		}
		x.inLine = x.inLine && c != '\n' && c != '\r'
		x.look(c)
	}
	return out
}

// line is what goes on of the line that is held: all of it as soon as it cannot be the end, which comes behind what is put in.
func (x *explain) line() (out []byte) {
	for _, end := range ends() {
		if bytes.Equal(x.held, end) {
			out = append(x.chunk(), x.held...)
			x.held, x.more = nil, nil
			return out
		}
		if bytes.HasPrefix(end, x.held) {
			return nil
		}
	}
	out, x.inLine, x.held = x.held, true, nil
	return out
}

// look keeps the first chunk.
func (x *explain) look(c byte) {
	switch {
	case x.whole:
	case c != '\n' && c != '\r':
		x.first = append(x.first, c)
		x.whole = len(x.first) >= mostFirst
	case bytes.HasPrefix(x.first, []byte("data:")):
		x.whole = true
	default:
		x.first = x.first[:0]
	}
}

// chunk is the one that is put in: named as those of the stream are, so that programs take it for one of them.
func (x *explain) chunk() []byte {
	var is struct{ ID, Object, Created, Model json.RawMessage }
	_ = json.Unmarshal(bytes.TrimPrefix(x.first, []byte("data:")), &is) // what is no object has no names
	b := []byte(`data: {`)
	for _, f := range []struct {
		name  string
		value json.RawMessage
	}{{"id", is.ID}, {"object", is.Object}, {"created", is.Created}, {"model", is.Model}} {
		if len(f.value) > 0 {
			b = append(append(append(b, `"`+f.name+`":`...), f.value...), ',')
		}
	}
	return append(append(append(b, `"choices":[],"ken":`...), x.more...), "}\n\n"...)
}

// object is pass of an answer that comes whole: the field is its first.
func (x *explain) object(b []byte) []byte {
	for i, c := range b {
		blank := c == ' ' || c == '\t' || c == '\n' || c == '\r'
		switch {
		case blank:
		case !x.opened && c == '{':
			x.opened = true
		case !x.opened: // no object
			x.more = nil
			return b
		default:
			field := append([]byte(`"ken":`), x.more...)
			if x.more = nil; c != '}' {
				field = append(field, ',')
			}
			return bytes.Join([][]byte{b[:i], field, b[i:]}, nil)
		}
	}
	return b
}

// end is what is left when the answer has come to its end.
func (x *explain) end() []byte {
	if x == nil || x.more == nil {
		return nil
	}
	out := x.held
	if x.stream && !x.inLine && len(x.held) == 0 && x.whole { // without a line that ends it
		out = x.chunk()
	}
	x.held, x.more = nil, nil
	return out
}
