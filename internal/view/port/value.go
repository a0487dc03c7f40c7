package port

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// A value is any JSON. As the text of a memory a string is itself, and everything else
// its JSON in the shortest form; so is a string that would be read as JSON, or of which
// a line would not keep all.

// TextOf is a value as a text; false if there is none.
func TextOf(value json.RawMessage) (string, bool) {
	var short bytes.Buffer
	if len(value) == 0 || json.Compact(&short, value) != nil {
		return "", false
	}
	var s string
	if short.Bytes()[0] != '"' || json.Unmarshal(value, &s) != nil {
		return short.String(), true
	}
	plain := s != "" && s == strings.Join(strings.Fields(s), " ") && !strings.ContainsRune(s, utf8.RuneError) && !json.Valid([]byte(s)) &&
		strings.IndexFunc(s, func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 }) < 0
	if plain {
		return s, true
	}
	return short.String(), true
}

// ValueIn is the value that somebody types as one word: JSON where it is some, else a string of it.
func ValueIn(typed string) json.RawMessage {
	if json.Valid([]byte(typed)) {
		return json.RawMessage(typed)
	}
	b, _ := json.Marshal(typed) // a string always can be
	return b
}

// ValueOf is the value that a memory of that key states: of what stands behind the key
// and a colon, or of all of it. Words that nobody gave as a value are a string, also
// if they are a number.
func ValueOf(key, content string) json.RawMessage {
	text, named := content, false
	if key != "" {
		text, named = strings.CutPrefix(content, key+": ")
	}
	var b bytes.Buffer
	given := named || key != "" && strings.ContainsAny(text[:min(len(text), 1)], `{["`)
	if given && json.Compact(&b, []byte(text)) == nil {
		return b.Bytes()
	}
	b.Reset()
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(text) // a string always can be
	return bytes.TrimSpace(b.Bytes())
}
