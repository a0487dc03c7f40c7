package lifecycle

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"ken/internal/fault"
	"ken/internal/memory"
)

// A Fault is something wrong with a policy, or, as a note, something in it that ken
// has no use for.
type Fault struct {
	Row   int    // from 1; 0 if it is not known
	Field string // "rule[2].kinds"; "" if it is the whole file
	What  string // lower case, no full stop

	// Names is the command that What names, as a command line has it; "" if there is none.
	Names fault.Command
}

func (f Fault) String() string { return f.In(nil) }

// In returns the line with its commands as verb writes them; nil is as on a command line.
func (f Fault) In(verb func(fault.Command) string) string {
	text := f.What
	if f.Names != "" && verb != nil {
		text = strings.Replace(text, f.Names.String(), verb(f.Names), 1)
	}
	if f.Field != "" {
		text = f.Field + ": " + text
	}
	if f.Row > 0 {
		text = fmt.Sprintf("row %d: %s", f.Row, text)
	}
	return text
}

// A Reading is a policy as it was read from a file.
type Reading struct {
	Policy Policy
	Faults []Fault // with any of them nothing may be written
	Notes  []Fault // what counts for nothing here, and does no harm
}

// A table is the fields of an object or a TOML table by name.
type table = map[string]any

// A reader checks a tree of values that a decoder made, and names what is wrong by
// field. Of a file with faults as much is read as can be.
type reader struct {
	Reading
	rows map[string]int // by field
}

func (r *reader) fault(field, format string, args ...any) {
	r.Faults = append(r.Faults, Fault{Row: r.rows[field], Field: field, What: fmt.Sprintf(format, args...)})
}

func (r *reader) note(field, format string, args ...any) {
	var names fault.Command
	for _, arg := range args {
		if c, ok := arg.(fault.Command); ok {
			names = c
		}
	}
	r.Notes = append(r.Notes, Fault{r.rows[field], field, fmt.Sprintf(format, args...), names})
}

// join is the field name below the field in.
func join(in, name string) string {
	if in == "" {
		return name
	}
	return in + "." + name
}

// each calls read for each field of v in the order of their names; read reports
// whether it knows the field.
func (r *reader) each(in string, v any, read func(name, field string, v any) bool) {
	t, ok := v.(table)
	if !ok {
		r.fault(in, "want a table, not %s", kindOf(v))
		return
	}
	for _, name := range slices.Sorted(maps.Keys(t)) {
		if field := join(in, name); !read(name, field, t[name]) {
			r.fault(field, "no such field")
		}
	}
}

func (r *reader) text(field string, v any, to *string) {
	s, ok := v.(string)
	if !ok {
		r.fault(field, "want a text, not %s", kindOf(v))
		return
	}
	*to = s
}

func (r *reader) truth(field string, v any, to *bool) {
	b, ok := v.(bool)
	if !ok {
		r.fault(field, "want true or false, not %s", kindOf(v))
		return
	}
	*to = b
}

// number reads a whole number of at least least, and no more than a million.
func (r *reader) number(field string, v any, least int, to *int) {
	const most = 1_000_000
	var n int64
	ok := false
	switch v := v.(type) {
	case int64:
		n, ok = v, true
	case json.Number:
		var err error
		n, err = strconv.ParseInt(v.String(), 10, 64)
		ok = err == nil
	}
	switch {
	case !ok:
		r.fault(field, "want a whole number, not %s", kindOf(v))
	case n < int64(least) || n > most:
		r.fault(field, "%d: want %d to %d", n, least, most)
	default:
		*to = int(n)
	}
}

func (r *reader) texts(field string, v any) []string {
	list, ok := v.([]any)
	if !ok {
		r.fault(field, "want a list of texts, not %s", kindOf(v))
		return nil
	}
	var out []string
	for i, e := range list {
		s, ok := e.(string)
		if !ok || strings.TrimSpace(s) == "" {
			r.fault(field, "element %d: want a text, not %s", i+1, kindOf(e))
			continue
		}
		out = append(out, s)
	}
	return out
}

// kinds reads names of stating kinds, older ones too.
func (r *reader) kinds(field string, v any) []memory.Kind {
	var out []memory.Kind
	for _, name := range r.texts(field, v) {
		k, _ := memory.ParseKind(name)
		if !k.Known() || k.Changes() {
			r.fault(field, "%q is no kind of memory", name)
			continue
		}
		out = append(out, k)
	}
	return out
}

func (r *reader) phase(field string, v any, to *memory.Phase) {
	var s string
	r.text(field, v, &s)
	switch p := memory.Phase(s); p {
	case memory.PhaseEphemeral, memory.PhaseFluid, memory.PhaseStabilized, memory.PhaseRigid:
		*to = p
	case "": // reported, unless it was an empty text
		if _, ok := v.(string); ok {
			r.fault(field, "want ephemeral, fluid, stabilized or rigid")
		}
	default:
		r.fault(field, "%q: want ephemeral, fluid, stabilized or rigid", s)
	}
}

// span reads a length of time: "48h", "30d", "8w".
func (r *reader) span(field string, v any, to *time.Duration) {
	var s string
	if r.text(field, v, &s); s == "" {
		if _, ok := v.(string); ok {
			r.fault(field, "want a time like 48h, 30d or 8w")
		}
		return
	}
	unit := map[byte]time.Duration{'h': time.Hour, 'd': day, 'w': 7 * day}[s[len(s)-1]]
	n, err := strconv.Atoi(s[:len(s)-1])
	if unit == 0 || err != nil || n < 1 || n > 100_000 {
		r.fault(field, "%q: want a time like 48h, 30d or 8w", s)
		return
	}
	*to = time.Duration(n) * unit
}

// kindOf names the kind of a decoded value.
func kindOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "nothing"
	case string:
		return "a text"
	case bool:
		return strconv.FormatBool(v)
	case int64, json.Number, float64:
		return "a number"
	case []any:
		return "a list"
	case table:
		return "a table"
	}
	return "a time"
}

// done puts what was reported in the order of the file.
func (r *reader) done() Reading {
	byRow := func(a, b Fault) int { return cmp.Or(cmp.Compare(a.Row, b.Row), cmp.Compare(a.Field, b.Field)) }
	slices.SortStableFunc(r.Faults, byRow)
	slices.SortStableFunc(r.Notes, byRow)
	return r.Reading
}
