package memory

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"ken/internal/jsonl"
)

// readCount reads a whole number from 1 to most.
func readCount[T int | int64](v jsonl.Value, most int64, dst *T) bool {
	n, ok := v.Int()
	if !ok || n < 1 || n > most {
		return false
	}
	*dst = T(n)
	return true
}

// readWord reads one of a few words.
func readWord[T ~string](v jsonl.Value, dst *T, words ...T) bool {
	s, ok := v.Text()
	if !ok || !slices.Contains(words, T(s)) {
		return false
	}
	*dst = T(s)
	return true
}

// readText reads a string that an edit line may also clear by leaving it empty.
func readText[T ~string](d *decoder, v jsonl.Value, dst *T, name string) bool {
	s, ok := v.Text()
	if ok && s == "" {
		d.clear(name)
	}
	*dst = T(s)
	return ok
}

// texts reads a list of strings.
func (d *decoder) texts(v jsonl.Value, dst *[]string, name string) bool {
	list, ok := v.Texts()
	if !ok {
		return false
	}
	if len(list) == 0 {
		d.clear(name)
		list = nil
	}
	for e := range v.Elements() {
		if e.Lossy() {
			d.note([]byte(name), "holds bytes that are no text, read as U+FFFD")
			break
		}
	}
	*dst = list
	return true
}

// readKind reads a kind; the usual ones cost no memory.
func readKind(v jsonl.Value, dst *Kind) bool {
	s, ok := v.Text()
	*dst = Kind(s)
	return ok
}

// origin reads where a text came from. A wrong value must not make the text
// the person's own, which is what no origin means.
func (d *decoder) origin(v jsonl.Value) bool {
	s, ok := v.Text()
	switch {
	case !ok:
		d.rec.Origin = OriginExternal
		d.note([]byte("origin"), "want a string, got "+show(v)+"; read as external")
	case Origin(s) != OriginUser:
		d.rec.Origin = Origin(s)
	}
	return true
}

// readID reads a reference: a number for a line of the same log, or its form
// as a string.
func readID(v jsonl.Value, dst *ID) bool {
	if n, ok := v.Int(); ok {
		*dst = Num(n)
		return n >= 1
	}
	s, ok := v.Text()
	if !ok {
		return false
	}
	id, err := ParseID(s)
	*dst = id
	return err == nil
}

// ids reads one reference or a list of them. A wrong one among right ones is
// noted and left out.
func (d *decoder) ids(v jsonl.Value, dst *[]ID, name string) bool {
	if v.Type() != "array" {
		var id ID
		if !readID(v, &id) {
			return false
		}
		*dst = []ID{id}
		return true
	}
	n := 0
	var list []ID
	for e := range v.Elements() {
		n++
		var id ID
		if !readID(e, &id) {
			d.note([]byte(name), show(e)+" is no reference; ignored")
			continue
		}
		list = append(list, id)
	}
	if n == 0 {
		d.clear(name)
	}
	*dst = list
	return true
}

// source reads where a text was said: an object, or as older lines have it the
// name of a session, with or without a turn ("<session>:<n>").
func (d *decoder) source(v jsonl.Value) bool {
	if s, ok := v.Text(); ok {
		d.rec.Source = parseSource(s)
		return true
	}
	if v.Type() != "object" {
		return false
	}
	src := new(Source)
	for f, err := range jsonl.Object(v) {
		if err != nil {
			return false
		}
		ok := true
		switch string(f.Name) {
		case "session":
			src.Session, ok = f.Value.Text()
		case "turn":
			ok = readCount(f.Value, math.MaxInt32, &src.Turn)
		case "agent":
			src.Agent, ok = f.Value.Text()
		case "channel":
			src.Channel, ok = f.Value.Text()
		}
		if !ok && !f.Value.Null() {
			d.note([]byte("source"), clip(string(f.Name))+" is "+show(f.Value)+"; ignored")
		}
	}
	if *src != (Source{}) {
		d.rec.Source = src
	}
	return true
}

func parseSource(s string) *Source {
	if s == "" {
		return nil
	}
	if i := strings.LastIndexByte(s, ':'); i > 0 {
		if n, err := strconv.ParseUint(s[i+1:], 10, 31); err == nil && n > 0 {
			return &Source{Session: s[:i], Turn: int(n)}
		}
	}
	return &Source{Session: s}
}

// readTime reads a time: RFC 3339 with any offset and with fractions, a date
// alone for its midnight in UTC, or seconds since 1970. Years are 0 to 9999,
// what RFC 3339 can write.
func readTime(v jsonl.Value, dst *time.Time) bool {
	var t time.Time
	switch v.Type() {
	case "number":
		var ok bool
		if t, ok = epoch(v); !ok {
			return false
		}
	case "string":
		text := v[1 : len(v)-1]
		if t.UnmarshalText(text) != nil && !oddTime(text, &t) {
			return false
		}
	default:
		return false
	}
	if t = t.UTC(); t.Year() < 0 || t.Year() > 9999 {
		return false
	}
	*dst = t
	return true
}

// oddTime reads the forms of RFC 3339 that UnmarshalText is too strict for
// (lower-case letters, a space for the T), and a date alone.
func oddTime(text []byte, t *time.Time) bool {
	if len(text) > len("2006-01-02T15:04:05.000000000+00:00") {
		return false
	}
	if len(text) == len(time.DateOnly) {
		d, err := time.Parse(time.DateOnly, string(text))
		*t = d
		return err == nil
	}
	text = bytes.ToUpper(text)
	if len(text) > 10 && text[10] == ' ' {
		text[10] = 'T'
	}
	return t.UnmarshalText(text) == nil
}

// epoch reads seconds since 1970, to the microsecond: what a float64 can tell
// of today.
func epoch(v jsonl.Value) (time.Time, bool) {
	if n, ok := v.Int(); ok {
		return time.Unix(n, 0), true
	}
	f, ok := v.Float()
	if !ok || math.Abs(f) > MaxID {
		return time.Time{}, false
	}
	sec, frac := math.Modf(f)
	return time.Unix(int64(sec), int64(math.Round(frac*1e6))*1e3), true
}
