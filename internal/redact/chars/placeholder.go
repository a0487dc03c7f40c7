package chars

import "strings"

// PlaceholderHead begins a placeholder, which is "[masked:", the kind, ":", four hexadecimal digits, "]".
const PlaceholderHead = "[masked:"

// PlaceholderLen is the length of a placeholder of that kind.
func PlaceholderLen(kind string) int { return len(PlaceholderHead) + len(kind) + len(":0000]") }

// PlaceholderEnd returns the end of the placeholder that starts at s[i], or i.
func PlaceholderEnd(s string, i int) int {
	rest, ok := strings.CutPrefix(s[i:], PlaceholderHead)
	if !ok {
		return i
	}
	kind, rest, ok := strings.Cut(rest, ":")
	if !ok || kind == "" || len(kind) > 32 || len(rest) < 5 || rest[4] != ']' {
		return i
	}
	for _, c := range []byte(kind) {
		if !IsLower(c) && !IsDigit(c) && c != '-' {
			return i
		}
	}
	for _, c := range []byte(rest[:4]) {
		if !IsDigit(c) && (c < 'a' || c > 'f') {
			return i
		}
	}
	return i + PlaceholderLen(kind)
}
