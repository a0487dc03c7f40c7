package edit

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2/unstable"
)

// ParseKey cuts a key as TOML writes it (a.b, keys."\\C-n") into its parts.
func ParseKey(s string) ([]string, error) {
	if strings.TrimSpace(s) == "" {
		return nil, errors.New("the key is empty")
	}
	d, err := parse([]byte(s + " = 0"))
	if err != nil || len(d.entries) != 1 || len(d.sections) != 1 || d.entries[0].value != len(s)+len(" = ") {
		return nil, fmt.Errorf("%s is no key: want parts with dots between, in quotes where they hold more than letters, digits, _ and -", Quote(s))
	}
	return d.entries[0].path, nil
}

// CutPair cuts KEY=VALUE at the first = that stands in no quotes.
func CutPair(s string) (key, value string, ok bool) {
	quote := rune(0)
	for i, r := range s {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
		case r == '"' || r == '\'':
			quote = r
		case r == '=':
			return s[:i], s[i+1:], true
		}
	}
	return s, "", false
}

// Key writes the parts of a key as TOML does: those that are not bare in
// quotes.
func Key(parts ...string) string {
	quoted := make([]string, len(parts))
	for i, p := range parts {
		quoted[i] = p
		if !bare(p) {
			quoted[i] = Quote(p)
		}
	}
	return strings.Join(quoted, ".")
}

// bare reports whether a part of a key needs no quotes.
func bare(s string) bool {
	for _, c := range []byte(s) {
		if c != '_' && c != '-' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return s != ""
}

// Quote writes s as a basic string of TOML, on one line. What is not UTF-8
// becomes U+FFFD: TOML has no way to say it.
func Quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029':
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// Literal writes a value as TOML: a string, bool, int, float64, list of
// strings, or a length of time in the form that time.ParseDuration reads. Any
// other type is written as the string that fmt makes of it.
func Literal(v any) string {
	switch v := v.(type) {
	case string:
		return Quote(v)
	case bool:
		return strconv.FormatBool(v)
	case int:
		return strconv.Itoa(v)
	case float64:
		s := strconv.FormatFloat(v, 'f', -1, 64)
		if !strings.Contains(s, ".") {
			s += ".0"
		}
		return s
	case []string:
		quoted := make([]string, len(v))
		for i, s := range v {
			quoted[i] = Quote(s)
		}
		return "[" + strings.Join(quoted, ", ") + "]"
	case time.Duration:
		return Quote(Span(v))
	}
	return Quote(fmt.Sprint(v))
}

// Span writes a length of time without the parts that are zero: "10m", not
// "10m0s"; none is "0".
func Span(d time.Duration) string {
	if d == 0 {
		return "0"
	}
	s := d.String()
	if rest, ok := strings.CutSuffix(s, "m0s"); ok {
		s = rest + "m"
	}
	if rest, ok := strings.CutSuffix(s, "h0m"); ok {
		s = rest + "h"
	}
	return s
}

// Value reports whether s is one value of TOML and nothing else, no space around
// it either, and of what
// kind.
func Value(s string) (unstable.Kind, bool) {
	const key = "x = "
	if !utf8.ValidString(s) || strings.TrimSpace(s) != s {
		return unstable.Invalid, false
	}
	var p unstable.Parser
	p.Reset([]byte(key + s))
	if !p.NextExpression() || p.Expression().Kind != unstable.KeyValue {
		return unstable.Invalid, false
	}
	e := p.Expression()
	kind, whole := e.Value().Kind, int(e.Raw.Offset+e.Raw.Length) == len(key+s)
	return kind, whole && !p.NextExpression() && p.Error() == nil
}
