package agent

import (
	"bytes"
	"encoding/json"
	"strings"

	"ken/internal/jsonl"
	"ken/internal/session"
	"ken/internal/termsafe"
)

// safe gives t as it may be recorded and sent: clean text, secrets masked. What
// is to be sent back as it was received is masked only. It is idempotent, so
// that a turn that comes back from its session is the same bytes.
func (o *Options) safe(t session.Turn) session.Turn {
	t.Content = o.mask(termsafe.Clean(t.Content))
	t.ToolCalls = maskJSON(oneLine(t.ToolCalls), o.mask)
	t.Attached = maskJSON(oneLine(t.Attached), o.mask)
	var raw map[string]json.RawMessage
	for name, v := range t.Raw {
		if v = maskJSON(oneLine(v), o.mask); v != nil {
			if raw == nil {
				raw = make(map[string]json.RawMessage, len(t.Raw))
			}
			raw[name] = v
		}
	}
	t.Raw = raw
	t.Finish = reasonOf(o.mask(t.Finish))
	return t
}

// finishOther is recorded where a server says at length how its answer ended.
const finishOther = "other"

// reasonOf is how an answer ended in a word: a server may say anything there, and what
// it says is kept.
func reasonOf(finish string) string {
	const longest = 40
	word := strings.IndexFunc(finish, func(r rune) bool {
		return r != '_' && r != '-' && r != '.' && (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z')
	}) < 0
	if len(finish) > longest || !word {
		return finishOther
	}
	return finish
}

// oneLine puts a JSON value on one line, as a session keeps it: between its
// tokens a line end is white space, and inside a string it cannot stand.
func oneLine(v json.RawMessage) json.RawMessage {
	if !bytes.ContainsAny(v, "\n\r") {
		return v
	}
	v = bytes.ReplaceAll(v, []byte("\n"), []byte(" "))
	return bytes.ReplaceAll(v, []byte("\r"), []byte(" "))
}

// maskJSON masks a JSON value. Its strings are looked at as the texts that they stand for, then the whole,
// since the name of a field may be what gives a secret away. Where masking
// breaks the syntax the secret was no string, and the value is left out: nil.
func maskJSON(v json.RawMessage, mask func(string) string) json.RawMessage {
	if len(v) == 0 || !json.Valid(v) {
		return nil
	}
	var out []byte
	for rest := []byte(v); len(rest) > 0; {
		i := bytes.IndexByte(rest, '"')
		if i < 0 {
			out = append(out, rest...)
			break
		}
		end := i + stringEnd(rest[i:])
		out = append(out, rest[:i]...)
		out = append(out, maskString(rest[i:end], mask)...)
		rest = rest[end:]
	}
	masked := mask(string(out))
	if masked != string(out) && !json.Valid([]byte(masked)) {
		return nil
	}
	return json.RawMessage(masked)
}

// stringEnd returns the length of the string literal that lit, valid JSON,
// begins with.
func stringEnd(lit []byte) int {
	for i := 1; i < len(lit); i++ {
		switch lit[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(lit)
}

// maskString masks what a string literal stands for. Arguments of a call are
// JSON in a string.
func maskString(lit []byte, mask func(string) string) []byte {
	var text string
	if err := json.Unmarshal(lit, &text); err != nil {
		return lit
	}
	masked := ""
	if s := strings.TrimSpace(text); strings.HasPrefix(s, "{") || strings.HasPrefix(s, "[") {
		masked = string(maskJSON(json.RawMessage(text), mask))
	}
	if masked == "" {
		masked = mask(text)
	}
	if masked == text {
		return lit
	}
	return jsonl.AppendString(nil, masked)
}
