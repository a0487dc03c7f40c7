package delta

import (
	"bytes"
	"encoding/json"
	"hash/fnv"
	"strconv"
	"strings"

	"ken/internal/llm/wire"
)

// calls assembles the calls of one message. Which call a piece belongs to:
//
//   - an id that is known: that call, whatever the index says;
//   - a new id: a new call, also where the index is taken. Two exceptions: the
//     call at that index has no id yet, or the piece has no name and the call's
//     arguments are not complete (a server that makes up an id per piece);
//   - no id, an index that is taken: the latest call there, unless that one is
//     complete and the piece begins another by name;
//   - no id, a free index: a new call if the piece has a name or the current
//     call is complete, else the current call (a server that counts wrongly);
//   - neither: the current call, unless it is complete, or the piece is a whole
//     call by itself.
type calls struct {
	list    []*call
	byID    map[string]*call
	byIndex map[int]*call // the latest one at each index
}

// A call is a tool call in the making.
type call struct {
	id, name string
	args     []byte
	nesting  nesting // of args
	extra    bag
}

// A piece is one element of tool_calls in one delta.
type piece struct {
	id, name string
	args     string
	object   bool // arguments came as an object: they replace, they do not continue
	index    int
	indexed  bool
}

// nesting follows JSON text that comes in pieces.
type nesting struct {
	depth           int
	inString, slash bool
	begun           bool
}

func (n *nesting) add(s string) {
	for i := range len(s) {
		c := s[i]
		switch {
		case n.slash:
			n.slash = false
		case n.inString:
			n.slash = c == '\\'
			n.inString = c != '"'
		case c == '"':
			n.inString, n.begun = true, true
		case c == '{' || c == '[':
			n.depth++
			n.begun = true
		case c == '}' || c == ']':
			n.depth--
		}
	}
}

// complete reports whether everything opened was closed.
func (n nesting) complete() bool { return n.begun && n.depth <= 0 && !n.inString }

func whole(args string) bool {
	var n nesting
	n.add(args)
	return n.complete()
}

// add takes one element of a tool_calls array.
func (t *calls) add(raw []byte) {
	var p piece
	var extra bag
	for name, v := range wire.Members(raw) {
		switch string(name) {
		case "id":
			p.id = wire.Word(v)
		case "index":
			if n, ok := wire.Number(v); ok {
				p.index, p.indexed = int(n), true
			}
		case "type":
			if string(v) != `"function"` && !wire.Nothing(v) {
				extra.add("type", v)
			}
		case "function":
			p.function(v, &extra)
		default:
			if !wire.Nothing(v) {
				extra.add(string(name), v)
			}
		}
	}
	if p.id == "" && p.name == "" && p.args == "" && len(extra.names) == 0 && len(t.list) == 0 {
		return // an empty object before any call says nothing
	}
	c := t.find(p)
	c.take(p)
	for _, name := range extra.names {
		c.extra.replace(name, extra.fields[name])
	}
}

// function reads the function object of a piece. Fields of it that are not
// known go into extra under "function".
func (p *piece) function(raw []byte, extra *bag) {
	var unknown bag
	for name, v := range wire.Members(raw) {
		switch string(name) {
		case "name":
			p.name, _ = wire.Text(v)
		case "arguments":
			var isText bool
			if p.args, isText = wire.Text(v); !isText && !wire.Nothing(v) || string(v) == "{}" {
				p.args, p.object = string(v), true
			}
		default:
			if !wire.Nothing(v) {
				unknown.add(string(name), v)
			}
		}
	}
	if len(unknown.names) > 0 {
		extra.add("function", unknown.appendJSON(nil))
	}
}

// replace sets a field: of a call's unknown fields the last one stays.
func (b *bag) replace(name string, f *field) {
	if b.fields == nil {
		b.fields = map[string]*field{}
	}
	if b.fields[name] == nil {
		b.names = append(b.names, name)
	}
	b.fields[name] = f
}

// find returns the call that p belongs to, by the rules above.
func (t *calls) find(p piece) *call {
	current := t.current()
	var there *call
	if p.indexed {
		there = t.byIndex[p.index]
	}
	switch {
	case p.id != "":
		if c := t.byID[p.id]; c != nil {
			return c
		}
		if there != nil && (there.id == "" || p.name == "" && !there.nesting.complete()) {
			return t.named(there, p.id)
		}
		return t.named(t.begin(p), p.id)
	case there != nil:
		if p.name != "" && there.whole() && (p.args != "" && p.args != string(there.args) || p.name != there.name) {
			return t.begin(p)
		}
		return there
	case current == nil:
		return t.begin(p)
	case p.indexed:
		if p.name != "" || current.whole() {
			return t.begin(p)
		}
		t.place(current, p.index)
		return current
	case p.name != "" && current.name != "" && (current.whole() || whole(p.args)):
		return t.begin(p)
	}
	return current
}

func (t *calls) current() *call {
	if len(t.list) == 0 {
		return nil
	}
	return t.list[len(t.list)-1]
}

func (t *calls) begin(p piece) *call {
	c := &call{}
	t.list = append(t.list, c)
	if p.indexed {
		t.place(c, p.index)
	}
	return c
}

func (t *calls) place(c *call, index int) {
	if t.byIndex == nil {
		t.byIndex = map[int]*call{}
	}
	t.byIndex[index] = c
}

func (t *calls) named(c *call, id string) *call {
	if t.byID == nil {
		t.byID = map[string]*call{}
	}
	if c.id == "" {
		c.id = id
	}
	t.byID[id] = c
	return c
}

// take adds a piece to its call. A name comes once, again with every piece, as
// growing prefixes, or in parts.
func (c *call) take(p piece) {
	switch {
	case strings.HasPrefix(p.name, c.name):
		c.name = p.name
	case !strings.HasPrefix(c.name, p.name):
		c.name += p.name
	}
	switch {
	case p.args == "":
	case p.object:
		c.args, c.nesting = []byte(p.args), nesting{}
		c.nesting.add(p.args)
	case len(p.args) == len(c.args) && c.nesting.complete() && p.args == string(c.args):
		// The whole arguments once more, at the end.
	default:
		c.args = append(c.args, p.args...)
		c.nesting.add(p.args)
	}
}

// begins is how the newest call begins; "" before its name.
func (t *calls) begins() string {
	c := t.current()
	if c == nil || c.name == "" {
		return ""
	}
	const most = 80
	return c.name + " " + string(c.args[:min(len(c.args), most)])
}

// whole reports whether nothing of the call is missing.
func (c *call) whole() bool { return c.name != "" && c.nesting.complete() }

// finish gives the call in its final form, without a made-up id.
func (c *call) finish() ToolCall {
	out := ToolCall{ID: c.id, Name: c.name, Arguments: string(bytes.TrimSpace(c.args)), Extra: c.extra.fieldsLeft()}
	var inner string
	if strings.HasPrefix(out.Arguments, `"`) && json.Unmarshal([]byte(out.Arguments), &inner) == nil && wire.IsObject([]byte(inner)) {
		out.Arguments = inner // encoded twice
	}
	switch {
	case out.Arguments == "" || out.Arguments == "null":
		out.Arguments = "{}"
	case !json.Valid([]byte(out.Arguments)):
		out.Problem = "the arguments are no valid JSON"
	case !wire.IsObject([]byte(out.Arguments)):
		out.Problem = "the arguments are no JSON object"
	}
	if out.Name == "" {
		out.Problem = "the call names no tool"
	}
	return out
}

// finish gives all calls in the order in which they began. A call without an id
// gets one of nine letters and digits (the only form that all servers take) that
// depends on the call alone and that is not in taken.
func (t *calls) finish(taken map[string]bool) []ToolCall {
	var out []ToolCall
	for i, c := range t.list {
		call := c.finish()
		for n := i; call.ID == ""; n++ {
			h := fnv.New64a()
			_, _ = h.Write([]byte(call.Name + "\x00" + call.Arguments + "\x00" + strconv.Itoa(n)))
			id := ("c" + strconv.FormatUint(h.Sum64(), 36) + "00000000")[:9]
			if !taken[id] && t.byID[id] == nil {
				call.ID = id
				taken[id] = true
			}
		}
		out = append(out, call)
	}
	return out
}

// cut reports whether some call broke off in the middle of its arguments.
func (t *calls) cut() bool {
	for _, c := range t.list {
		if args := bytes.TrimSpace(c.args); c.name == "" || len(args) > 0 && !json.Valid(args) {
			return true
		}
	}
	return false
}
