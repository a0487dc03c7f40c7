package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"ken/internal/config/edit"
)

// Parse reads settings in TOML. name stands for the file in problems. What src
// does not set is as in Default and DefaultModel. The error is an *Error with
// all problems of src; the Config is then the zero Config.
func Parse(src []byte, name string) (Config, error) {
	r := newReader(src, name)
	r.walk()
	var tree map[string]any
	if err := toml.Unmarshal(r.src, &tree); err != nil {
		r.syntax(err)
	}
	r.finish()
	if len(r.problems) > 0 {
		slices.SortStableFunc(r.problems, func(a, b Problem) int {
			return cmp.Or(cmp.Compare(a.Row, b.Row), cmp.Compare(a.Col, b.Col))
		})
		return Config{}, &Error{r.problems}
	}
	return r.cfg, nil
}

// A reader fills a Config from one source. It walks over the expressions of
// the source itself, because a decoder into structs stops at the first value
// of a wrong type and does not know where the values stood. What walking does
// not see (a key set twice, a date that is none) is found by a decoder that
// takes everything.
type reader struct {
	name     string
	src      []byte
	lines    []int // byte offsets of the line ends
	cfg      Config
	fields   map[string]field // what is known, by whole path
	tables   map[string]bool  // the paths above those keys
	models   map[string]*preset
	servers  map[string]*Server
	unknown  map[string]bool // tables and keys already reported
	seen     map[string]int  // byte offset of the value of each key that is set
	elems    []int           // byte offsets of the elements of fallback
	complete bool            // walk got to the end
	problems []Problem
}

// preset is a Model while it is read.
type preset struct {
	Model
	timeoutMS int // -1 if not given
}

func newReader(src []byte, name string) *reader {
	r := &reader{
		name: name, cfg: Default(),
		// Editors of some systems put a byte order mark in front. Columns do
		// not count it.
		src:     bytes.TrimPrefix(src, []byte("\ufeff")),
		fields:  map[string]field{},
		tables:  map[string]bool{"models": true, "mcp.servers": true, "keys": true, "serve.alias": true},
		models:  map[string]*preset{},
		servers: map[string]*Server{},
		unknown: map[string]bool{},
		seen:    map[string]int{},
	}
	for i, c := range r.src {
		if c == '\n' {
			r.lines = append(r.lines, i)
		}
	}
	r.know("", r.cfg.fields())
	return r
}

// know adds the keys of the table at prefix to what is known.
func (r *reader) know(prefix string, fields []field) {
	for _, f := range fields {
		path := prefix + f.path
		r.fields[path] = f
		for i := strings.LastIndexByte(path, '.'); i >= 0; i = strings.LastIndexByte(path[:i], '.') {
			if i < len(prefix)-1 {
				break // a name may hold dots of its own
			}
			r.tables[path[:i]] = true
		}
	}
}

// A part is one part of a dotted key with its place.
type part struct {
	name string
	at   int
}

// parts lists the parts of the key of a node and gives the offset behind it.
func parts(it unstable.Iterator) (key []part, end int) {
	for it.Next() {
		n := it.Node()
		key = append(key, part{string(n.Data), int(n.Raw.Offset)})
		end = int(n.Raw.Offset + n.Raw.Length)
	}
	return key, end
}

// path writes a key as TOML would: parts that are not bare in quotes.
func path(key []part) string {
	var b strings.Builder
	for i, p := range key {
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(edit.Key(p.name))
	}
	return b.String()
}

// walk goes over all expressions up to the end or to the first that is no
// TOML, which is left for syntax to report.
func (r *reader) walk() {
	var p unstable.Parser
	p.Reset(r.src)
	var table []part
	for p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table:
			table, _ = parts(e.Key())
			r.table(table)
		case unstable.ArrayTable:
			table, _ = parts(e.Key())
			if _, known := r.lookup(table, true); known {
				r.bad(table[len(table)-1].at, path(table), "want one table [%s], not a list of tables", path(table))
				r.unknown[path(table)] = true
			}
		case unstable.KeyValue:
			r.keyValue(table, e)
		}
	}
	r.complete = p.Error() == nil
}

// lookup finds what stands at key, which is a table's if isTable: a field, or a
// known table (nil). If it is neither, it is reported once, and known is false.
func (r *reader) lookup(key []part, isTable bool) (f *field, known bool) {
	for i := range key {
		prefix, last := path(key[:i+1]), i == len(key)-1
		if prefix == strongKey && last && !isTable {
			f := r.fields[prefix]
			return &f, true
		}
		r.open(key[:i+1])
		if r.unknown[prefix] {
			return nil, false
		}
		if f, ok := r.fields[prefix]; ok && last && prefix != strongKey {
			return &f, true
		}
		if !r.tables[prefix] {
			r.unknown[prefix] = true
			r.tellUnknown(key[:i+1], isTable || !last)
			return nil, false
		}
	}
	return nil, true
}

// open makes the tables below those whose names the person chooses.
func (r *reader) open(key []part) {
	prefix := path(key)
	if r.tables[prefix] || r.unknown[prefix] {
		return
	}
	last := key[len(key)-1]
	switch path(key[:len(key)-1]) {
	case "models":
		if !r.goodName(key) {
			return
		}
		m := &preset{Model: DefaultModel(), timeoutMS: -1}
		r.models[last.name] = m
		r.know(prefix+".", append(m.fields(), atLeast("timeout_ms", &m.timeoutMS, 0)))
	case "mcp.servers":
		if wrong := ServerName(last.name); wrong != "" {
			r.bad(last.at, prefix, "%s", wrong)
			r.unknown[prefix] = true
			return
		}
		s := &Server{}
		r.servers[last.name] = s
		r.know(prefix+".", s.fields())
		r.tables[prefix+".env"] = true
	case "keys":
		if last.name == "" {
			return
		}
		var action string
		f := str("", &action)
		set := f.set
		f.path, f.set = prefix, func(v value, bad badFunc) {
			set(v, bad)
			if r.cfg.Keys == nil {
				r.cfg.Keys = map[string]string{}
			}
			r.cfg.Keys[last.name] = action
		}
		r.fields[prefix] = f
	case "serve.alias":
		r.openAlias(prefix, last)
	}
	if len(key) == 5 && key[0].name == "mcp" && key[1].name == "servers" && key[3].name == "env" {
		r.openVariable(prefix, last, r.servers[key[2].name])
	}
}

// openAlias makes the key of another name of a model.
func (r *reader) openAlias(prefix string, name part) {
	if !r.goodName([]part{name}) {
		r.unknown[prefix] = true
		return
	}
	var text string
	f := str(prefix, &text, given)
	set := f.set
	f.set = func(v value, bad badFunc) {
		set(v, bad)
		if r.cfg.Serve.Alias == nil {
			r.cfg.Serve.Alias = map[string]string{}
		}
		r.cfg.Serve.Alias[name.name] = text
	}
	r.fields[prefix] = f
}

// openVariable makes the key of a variable of a server's environment.
func (r *reader) openVariable(prefix string, name part, s *Server) {
	if s == nil {
		return
	}
	if wrong := envName(name.name); wrong != "" || name.name == "" {
		r.bad(name.at, prefix, `want the name of an environment variable`)
		r.unknown[prefix] = true
		return
	}
	var text string
	f := str(prefix, &text, func(s string) string {
		if strings.ContainsRune(s, 0) {
			return "a variable cannot hold a NUL"
		}
		return ""
	})
	set := f.set
	f.set = func(v value, bad badFunc) {
		set(v, bad)
		if s.Env == nil {
			s.Env = map[string]string{}
		}
		s.Env[name.name] = text
	}
	r.fields[prefix] = f
}

// goodName reports whether the last part of key may name a preset:
// it is typed in commands and shown in the prompt.
func (r *reader) goodName(key []part) bool {
	last := key[len(key)-1]
	const most = 64
	if last.name != "" && utf8.RuneCountInString(last.name) <= most &&
		!strings.ContainsFunc(last.name, func(c rune) bool { return !unicode.IsGraphic(c) || unicode.IsSpace(c) }) {
		return true
	}
	r.bad(last.at, path(key), "want a name of 1 to %d characters without spaces", most)
	r.unknown[path(key)] = true
	return false
}

// table takes a header [a.b].
func (r *reader) table(key []part) {
	f, known := r.lookup(key, true)
	if known && f != nil {
		f.set(value{kind: unstable.InlineTable, at: key[len(key)-1].at}, r.badAt(path(key)))
		r.unknown[path(key)] = true
	}
}

// keyValue takes key = value in the given table; inline tables are taken key by
// key.
func (r *reader) keyValue(table []part, e *unstable.Node) {
	below, end := parts(e.Key())
	key := slices.Concat(table, below)
	f, known := r.lookup(key, false)
	if !known {
		return
	}
	v := newValue(e.Value(), r.valueAt(end))
	name := path(key)
	if name == strongKey && v.kind == unstable.InlineTable { // the preset of that name
		r.open(key)
		f = nil
	}
	switch {
	case f == nil && v.kind != unstable.InlineTable:
		r.bad(v.at, name, "want a table [%s], got %s", name, v.what())
	case f == nil:
		for it := e.Value().Children(); it.Next(); {
			r.keyValue(key, it.Node())
		}
	default:
		row, _ := r.place(v.at)
		r.cfg.given, r.cfg.rows = append(r.cfg.given, name), append(r.cfg.rows, row)
		r.seen[name] = v.at
		if name == "fallback" {
			for _, e := range v.list {
				r.elems = append(r.elems, e.at)
			}
		}
		f.set(v, r.badAt(name))
	}
}

// valueAt finds where the value begins whose key ends at end: for lists the
// parser does not say.
func (r *reader) valueAt(end int) int {
	i := end
	for i < len(r.src) && strings.IndexByte(" \t=", r.src[i]) >= 0 {
		i++
	}
	return i
}

// bad adds a problem at a byte offset.
func (r *reader) bad(at int, key, format string, args ...any) {
	row, col := r.place(at)
	r.problems = append(r.problems, Problem{r.name, row, col, key, fmt.Sprintf(format, args...)})
}

// missing notes a preset that is named and not there.
func (r *reader) missing(at int, key, format string, args ...any) {
	row, col := r.place(at)
	r.cfg.missing = append(r.cfg.missing, Problem{r.name, row, col, key, fmt.Sprintf(format, args...)})
}

// badAt is bad for the values of one key.
func (r *reader) badAt(key string) badFunc {
	return func(v value, format string, args ...any) { r.bad(v.at, key, format, args...) }
}

// place turns a byte offset into row and column.
func (r *reader) place(at int) (row, col int) {
	at = min(at, len(r.src))
	row, _ = slices.BinarySearch(r.lines, at) // line ends in front of at
	start := 0
	if row > 0 {
		start = r.lines[row-1] + 1
	}
	return row + 1, utf8.RuneCount(r.src[start:at]) + 1
}

// tellUnknown reports that key is not known, and what it may have been.
func (r *reader) tellUnknown(key []part, isTable bool) {
	name, at := path(key), key[len(key)-1].at
	word := "unknown key"
	if isTable {
		word = "unknown table"
	}
	if _, ok := r.fields[name]; ok {
		word = "a value, not a table"
	}
	r.bad(at, name, "%s%s", word, r.meantKey(key, isTable))
}

// syntax reports an error of the decoder. It is a *toml.DecodeError unless the
// decoder itself is at fault.
func (r *reader) syntax(err error) {
	var de *toml.DecodeError
	if !errors.As(err, &de) {
		r.problems = append(r.problems, Problem{File: r.name, What: err.Error()})
		return
	}
	row, col := de.Position() // in bytes
	start := 0
	if row > 1 {
		start = r.lines[row-2] + 1
	}
	row, col = r.place(start + col - 1)
	if slices.ContainsFunc(r.problems, func(p Problem) bool { return p.Row == row }) {
		return // the same mistake, seen from two sides
	}
	what := strings.TrimPrefix(de.Error(), "toml: ")
	r.problems = append(r.problems, Problem{File: r.name, Row: row, Col: col, What: what})
}

// finish puts the named tables into the Config and checks what depends on more
// than one key.
func (r *reader) finish() {
	c := &r.cfg
	for name, m := range r.models {
		if c.Models == nil {
			c.Models = map[string]Model{}
		}
		m.applyTimeout(func(key string) bool { _, ok := r.seen["models."+edit.Key(name)+"."+key]; return ok })
		c.Models[name] = m.Model
	}
	for name, s := range r.servers {
		if c.MCP.Servers == nil {
			c.MCP.Servers = map[string]Server{}
		}
		c.MCP.Servers[name] = *s
	}
	if _, is := r.models[strongPreset]; is && c.Strong != "" {
		r.bad(r.seen[strongKey], strongKey, "there is a preset of this name as well, [models.%s]: it is the one that judges", strongPreset)
	}
	r.checkPreset("model", c.Model, r.seen["model"])
	r.checkPreset(strongKey, c.Strong, r.seen[strongKey])
	r.checkPreset("memory.summarizer_model", c.Memory.SummarizerModel, r.seen["memory.summarizer_model"])
	for i, name := range c.Fallback {
		r.checkPreset("fallback", name, r.elems[i])
	}
}

// applyTimeout spreads timeout_ms, one limit for everything in older presets,
// over the two waits that it stands for, unless they are given themselves.
func (m *preset) applyTimeout(given func(key string) bool) {
	if m.timeoutMS < 0 {
		return
	}
	d := time.Duration(m.timeoutMS) * time.Millisecond
	if !given("first_token_timeout") {
		m.FirstTokenTimeout = d
	}
	if !given("idle_timeout") {
		m.IdleTimeout = d
	}
}

// checkPreset notes if name names no preset: no mistake that keeps the rest of a file from
// being of use, see Config.Missing. "" is none, which is allowed; and where presets
// could not be read, none is missed.
func (r *reader) checkPreset(key, name string, at int) {
	if name == "" || r.cfg.Names(name) {
		return
	}
	if !r.complete || r.unknown["models"] || r.unknown["models."+edit.Key(name)] {
		return
	}
	for i := range name { // PRESET/NAME, and its table could not be read
		if name[i] == '/' && r.unknown["models."+edit.Key(name[:i])] {
			return
		}
	}
	names := slices.Sorted(maps.Keys(r.models))
	if len(names) == 0 {
		r.missing(at, key, "no preset %q: there is no table [models.%s]", clip(name), edit.Key(clip(name)))
		return
	}
	r.missing(at, key, "no preset %q: there is %s%s", clip(name), clip(strings.Join(names, ", ")), meant(name, names))
}
