package trace

import (
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"ken/internal/jsonl"
	"ken/internal/memory"
	"ken/internal/recall"
	"ken/internal/session"
)

// A Trace says what memory one answer was given.
type Trace struct {
	N       int       // the turn of the answer; 0 while there is none
	Time    time.Time // of the answer
	Chosen  []Given   // what was recalled for the question, best first, then the start-up block in its order
	Passed  []Passed  // at most recall.MostPassed, best first
	Budget  Budget
	Context Context
	Docs    []Doc // of the repository, as they stood in the request
	// To is who was given it, where that is another assistant; the zero To: a model of ken's.
	To To
	// Asked is the time at which it was chosen, and Uses up to when uses of memories were
	// known then, to the second: with them the choice can be made again. Zero: not noted.
	Asked, Uses time.Time
}

// A Given is an item that stood in the request.
type Given struct {
	Ref      string
	Sum      memory.Sum    // see SumOf
	Keyed    bool          // the sum is sealed, as it was read
	Parts    []recall.Part // of its score; none if it has nothing to do with the question
	Tokens   int           // that it took
	Standing bool          // it stood in the start-up block
}

// Activated reports whether the question called the item up, wherever it stood.
func (g Given) Activated() bool { return !g.Standing || len(g.Parts) > 0 }

// A Passed is an item that was left out.
type Passed struct {
	Ref      string
	Reason   recall.Reason
	Standing bool // it is the start-up block that had no place for it
}

// A Budget is what there was to be spent.
type Budget struct {
	Tokens, Items int // on what was recalled for the question
	Background    int // on the start-up block, in tokens
}

// Of returns the trace of a request with this start-up block and this activation.
func Of(c recall.Choice, a recall.Activation) Trace {
	t := Trace{Budget: Budget{a.MostTokens, a.MostItems, c.Budget}, Asked: second(a.At), Uses: second(a.Uses)}
	for _, f := range a.Chosen {
		t.Chosen = append(t.Chosen, Given{Ref: f.Item.Ref(), Sum: SumOf(f.Item), Parts: f.Parts, Tokens: f.Tokens})
	}
	hits := make(map[memory.ID][]recall.Part, len(a.Standing))
	for _, f := range a.Standing {
		hits[f.Item.ID] = f.Parts
	}
	for _, p := range c.Chosen {
		t.Chosen = append(t.Chosen, Given{Ref: p.Item.Ref(), Sum: SumOf(*p.Item), Parts: hits[p.Item.ID], Tokens: p.Tokens, Standing: true})
	}
	named := make(map[memory.ID]bool)
	for _, f := range a.Chosen {
		named[f.Item.ID] = true
	}
	for _, p := range a.Passed {
		named[p.Item.ID] = true
		t.Passed = append(t.Passed, Passed{p.Item.Ref(), p.Reason, false})
	}
	for _, p := range c.Passed {
		if len(t.Passed) >= recall.MostPassed {
			break
		}
		if !named[p.Item.ID] && !p.Reason.Elsewhere() {
			t.Passed = append(t.Passed, Passed{p.Item.Ref(), p.Reason, true})
		}
	}
	return t
}

// second is a time to its second, as lines have it.
func second(at time.Time) time.Time {
	if at.IsZero() {
		return at
	}
	return at.UTC().Truncate(time.Second)
}

// SumOf returns what shows that an item says what it said: the sum of its line, or,
// once an edit line changed it, of what it says now.
func SumOf(it memory.Item) memory.Sum {
	if !it.Edited {
		return it.Sum
	}
	r := it.Record
	says := memory.Record{ID: r.ID, Kind: r.Kind, Content: r.Content, Key: r.Key, Scope: r.Scope, Tags: r.Tags}
	return memory.SumOf(says.AppendJSON(nil))
}

// Still reports whether an item says what it said when it was given. Without the seal
// that a sum was written under, it is taken for the same.
func (g Given) Still(it memory.Item, seal *memory.Seal) bool {
	if g.Keyed {
		return seal == nil || seal.Sum(SumOf(it)) == g.Sum
	}
	return SumOf(it) == g.Sum
}

// keyedField says in an event that its sums are sealed.
const keyedField = "keyed"

// Empty reports whether the memory had nothing to give, and nothing to pass over.
func (t Trace) Empty() bool { return len(t.Chosen) == 0 && len(t.Passed) == 0 }

// Refs returns the references of what was given, in the order of Chosen.
func (t Trace) Refs() []string {
	refs := make([]string, len(t.Chosen))
	for i, g := range t.Chosen {
		refs[i] = g.Ref
	}
	return refs
}

// Named returns the references of what was given and of what was passed over.
func (t Trace) Named() []string {
	refs := t.Refs()
	for _, p := range t.Passed {
		refs = append(refs, p.Ref)
	}
	return refs
}

// Used returns the references of what had to do with the question, whether it stood in
// the start-up block or not.
func (t Trace) Used() []string {
	var refs []string
	for _, g := range t.Chosen {
		if g.Activated() {
			refs = append(refs, g.Ref)
		}
	}
	return refs
}

// Standing returns the references of what stood in the start-up block.
func (t Trace) Standing() []string {
	var refs []string
	for _, g := range t.Chosen {
		if g.Standing {
			refs = append(refs, g.Ref)
		}
	}
	return refs
}

// Says reports whether there is anything to record.
func (t Trace) Says() bool { return !t.Empty() || t.Context != Context{} || len(t.Docs) > 0 }

// Event returns the line of a session that says so, its sums sealed.
func (t Trace) Event(seal *memory.Seal) session.Event {
	given := slices.Clone(t.Chosen)
	for i, g := range given {
		if !g.Keyed {
			given[i].Sum = seal.Sum(g.Sum)
		}
	}
	if t.To != (To{}) {
		return t.gaveEvent(given, seal)
	}
	e := session.Event{Time: t.Time, Name: session.EventWhy, Fields: []session.Field{
		session.IntField("n", t.N),
		{Name: "chosen", Value: jsonl.AppendList(nil, given, appendGiven)},
		{Name: "passed", Value: jsonl.AppendList(nil, t.Passed, func(b []byte, p Passed) []byte {
			b = jsonl.AppendString(jsonl.AppendName(append(b, '{'), "ref"), p.Ref)
			b = jsonl.AppendString(jsonl.AppendName(b, "reason"), string(p.Reason))
			return append(appendStanding(b, p.Standing), '}')
		})},
		{Name: "budget", Value: t.Budget.json()},
	}}
	if seal != nil && len(given) > 0 {
		e.Fields = append(e.Fields, session.Field{Name: keyedField, Value: json.RawMessage("true")})
	}
	for _, f := range [...]struct {
		name string
		at   time.Time
	}{{"asked", t.Asked}, {"uses", t.Uses}} {
		if !f.at.IsZero() {
			e.Fields = append(e.Fields, session.Field{Name: f.name, Value: jsonl.AppendString(nil, f.at.UTC().Format(time.RFC3339))})
		}
	}
	if len(t.Docs) > 0 {
		e.Fields = append(e.Fields, session.Field{Name: "docs", Value: jsonl.AppendList(nil, t.Docs, appendDoc)})
	}
	if t.Context != (Context{}) {
		e.Fields = append(e.Fields, session.Field{Name: "context", Value: t.Context.json()})
	}
	return e
}

func (b Budget) json() json.RawMessage {
	out := []byte{'{'}
	for _, f := range [...]struct {
		name string
		n    int
	}{{"tokens", b.Tokens}, {"items", b.Items}, {"background", b.Background}} {
		out = strconv.AppendInt(jsonl.AppendName(out, f.name), int64(f.n), 10)
	}
	return append(out, '}')
}

func appendGiven(b []byte, g Given) []byte {
	b = jsonl.AppendString(jsonl.AppendName(append(b, '{'), "ref"), g.Ref)
	b = jsonl.AppendString(jsonl.AppendName(b, "h"), g.Sum.String())
	b = append(jsonl.AppendName(b, "parts"), '{')
	for _, p := range g.Parts {
		b = strconv.AppendFloat(jsonl.AppendName(b, string(p.Name)), p.Score, 'g', -1, 64)
	}
	b = strconv.AppendInt(jsonl.AppendName(append(b, '}'), "tokens"), int64(g.Tokens), 10)
	return append(appendStanding(b, g.Standing), '}')
}

func appendStanding(b []byte, standing bool) []byte {
	if standing {
		b = jsonl.AppendString(jsonl.AppendName(b, "in"), inBackground)
	}
	return b
}

const inBackground = "background"

// Read reads the trace of an event. ok is false if it is another event.
func Read(e session.Event) (t Trace, ok bool) {
	if e.Name != session.EventWhy {
		return t, false
	}
	t.N, t.Time = e.Int("n"), e.Time
	t.To = To{Agent: e.Text(agentField), Thread: e.Text("thread"), By: e.Text("by")}
	keyed := string(e.Value(keyedField)) == "true"
	for v := range jsonl.Value(e.Value("chosen")).Elements() {
		if g, ok := readGiven(v); ok {
			g.Keyed = keyed
			t.Chosen = append(t.Chosen, g)
		}
	}
	for v := range jsonl.Value(e.Value("passed")).Elements() {
		f := fieldsOf(v)
		if ref, ok := f["ref"].Text(); ok {
			reason, _ := f["reason"].Text()
			in, _ := f["in"].Text()
			t.Passed = append(t.Passed, Passed{ref, recall.Reason(reason), in == inBackground})
		}
	}
	budget := fieldsOf(jsonl.Value(e.Value("budget")))
	t.Budget = Budget{count(budget["tokens"]), count(budget["items"]), count(budget["background"])}
	for v := range jsonl.Value(e.Value("docs")).Elements() {
		if d, ok := readDoc(v); ok {
			t.Docs = append(t.Docs, d)
		}
	}
	t.Asked, t.Uses = at(jsonl.Value(e.Value("asked"))), at(jsonl.Value(e.Value("uses")))
	t.Context = readContext(jsonl.Value(e.Value("context")))
	return t, true
}

func readGiven(v jsonl.Value) (g Given, ok bool) {
	f := fieldsOf(v)
	if g.Ref, ok = f["ref"].Text(); !ok {
		return g, false
	}
	h, _ := f["h"].Text()
	sum, _ := strconv.ParseUint(h, 16, 32) // none is as good as a wrong one
	in, _ := f["in"].Text()
	g.Sum, g.Tokens, g.Standing = memory.Sum(sum), count(f["tokens"]), in == inBackground
	if f["parts"] == nil {
		return g, true
	}
	for part, err := range jsonl.Object(f["parts"]) {
		if score, ok := part.Value.Float(); err == nil && ok {
			g.Parts = append(g.Parts, recall.Part{Name: recall.PartName(part.Name), Score: score})
		}
	}
	return g, true
}

// fieldsOf are the fields of an object by name; none of what is no object.
func fieldsOf(v jsonl.Value) map[string]jsonl.Value {
	fields := make(map[string]jsonl.Value)
	if v.Type() != "object" {
		return fields
	}
	for f, err := range jsonl.Object(v) {
		if err == nil {
			fields[string(f.Name)] = f.Value
		}
	}
	return fields
}

// count is a number that is not below 0; 0 if there is none.
func count(v jsonl.Value) int {
	n, _ := v.Int()
	return int(min(max(n, 0), session.MaxTurn))
}

// In finds the trace of answer n in a conversation, or of its last answer that has
// one if n is 0. ok is false if there is none.
func In(t *session.Transcript, n int) (found Trace, ok bool) {
	for _, e := range t.Entries {
		if e.Event == nil {
			continue
		}
		if w, is := Read(*e.Event); is && (n == 0 || w.N == n) {
			found, ok = w, true
		}
	}
	return found, ok
}
