package config

import (
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// A value is one value of a file with the place where it stands.
type value struct {
	kind unstable.Kind
	text string  // as in the file, for a string what it stands for
	list []value // of an array
	at   int     // byte offset in the source
}

// newValue copies node out of the parser's memory. at is used where the parser
// does not say where the value begins.
func newValue(node *unstable.Node, at int) value {
	if node.Raw.Length > 0 {
		at = int(node.Raw.Offset)
	}
	v := value{kind: node.Kind, text: string(node.Data), at: at}
	if node.Kind == unstable.Array {
		for it := node.Children(); it.Next(); {
			v.list = append(v.list, newValue(it.Node(), at))
		}
	}
	return v
}

// what names the type of v as a person would.
func (v value) what() string {
	switch v.kind {
	case unstable.String:
		return "a string"
	case unstable.Bool:
		return v.text
	case unstable.Integer, unstable.Float:
		return "the number " + clip(v.text)
	case unstable.Array:
		return "a list"
	case unstable.InlineTable:
		return "a table"
	}
	return "a date or time"
}

// int gives the number of v if it is an integer; 1.0 is none.
func (v value) int() (int, bool) {
	if v.kind != unstable.Integer {
		return 0, false
	}
	// Base 0 knows the prefixes and underscores of TOML; a leading zero, which
	// it would read as octal, is no TOML.
	n, err := strconv.ParseInt(v.text, 0, 0)
	return int(n), err == nil
}

// float gives the number of v, integer or not.
func (v value) float() (float64, bool) {
	if v.kind != unstable.Float && v.kind != unstable.Integer {
		return 0, false
	}
	if n, ok := v.int(); ok {
		return float64(n), true
	}
	f, err := strconv.ParseFloat(strings.ReplaceAll(v.text, "_", ""), 64)
	return f, err == nil
}

// clip shortens s for a message.
func clip(s string) string {
	const most = 40
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "..."
	}
	return s
}
