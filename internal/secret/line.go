package secret

import (
	"bytes"
	"slices"
	"strings"

	"ken/internal/jsonl"
	"ken/internal/redact"
	"ken/internal/redact/chars"
	"ken/internal/redact/literals"
)

// A Mask replaces the secrets of a text, as redact.Masker.Mask does.
type Mask func(string) (string, []redact.Hit)

// Found is what was found in one line or text.
type Found struct {
	Kinds   []string // each once
	Text    string   // the first string that has a secret, masked
	Secrets []literals.Secret
}

// Any reports whether there is a secret.
func (f Found) Any() bool { return len(f.Kinds) > 0 }

// Line returns a line without its end, with its secrets masked; the line itself if it has
// none. A line that is no JSON object is masked as a text.
func Line(line []byte, mask Mask) ([]byte, Found) {
	w := walker{mask: mask}
	body := bytes.TrimSuffix(bytes.TrimPrefix(line, []byte("\ufeff")), []byte("\r"))
	fields, err := fieldsOf(body)
	if err != nil {
		return Text(line, mask)
	}
	masked := w.object(fields, body, true)
	if !w.found.Any() {
		return line, w.found
	}
	start := bytes.Index(line, body)
	return slices.Concat(line[:start], masked, line[start+len(body):]), w.found
}

// Text returns a text with its secrets masked; the text itself if it has none.
func Text(text []byte, mask Mask) ([]byte, Found) {
	w := walker{mask: mask}
	masked := w.text(string(text))
	if !w.found.Any() {
		return text, w.found
	}
	return []byte(masked), w.found
}

// walker goes through the values of a line.
type walker struct {
	mask  Mask
	found Found
}

func fieldsOf(object []byte) ([]jsonl.Field, error) {
	var fields []jsonl.Field
	for f, err := range jsonl.Object(object) {
		if err != nil {
			return nil, err
		}
		fields = append(fields, f)
	}
	return fields, nil
}

// isName reports whether the value of a field of the format names something, by
// which other lines and files know it.
func isName(field string) bool {
	switch field {
	case "id", "ts", "n", "target", "targets", "cites", "supersedes", "hash", "session", "sessions", "turn", "wrote", "review":
		return true
	}
	return false
}

// isOwn reports whether the format gives a field a meaning that has nothing to do with
// what its name may mean elsewhere.
func isOwn(field string) bool {
	switch field {
	case "key", "kind", "scope", "tags", "origin", "by", "phase", "tier", "role", "content", "summary", "cmd", "why", "reason", "match", "unless":
		return true
	}
	return isName(field)
}

// object is an object with its secrets masked. own says that its fields are those of
// the format.
func (w *walker) object(fields []jsonl.Field, as jsonl.Value, own bool) jsonl.Value {
	out := []byte{'{'}
	changed := false
	for _, f := range fields {
		name := string(f.Name)
		value := f.Value
		switch {
		case own && isName(name):
		case own && isOwn(name):
			value = w.value(f.Value, "", false)
		default:
			below := own && (name == "meta" || name == "record" || name == "source")
			value = w.value(f.Value, name, below)
		}
		shown := w.text(name)
		changed = changed || shown != name || !bytes.Equal(value, f.Value)
		out = append(jsonl.AppendName(out, shown), value...)
	}
	if !changed {
		return as
	}
	return append(out, '}')
}

// value is a value with its secrets masked; name is what says what it is, if
// anything does.
func (w *walker) value(v jsonl.Value, name string, own bool) jsonl.Value {
	switch v.Type() {
	case "string":
		text, _ := v.Text()
		if masked := w.named(name, text); masked != text {
			return jsonl.AppendString(nil, masked)
		}
	case "number":
		if name == "" {
			return v
		}
		if masked := w.named(name, string(v)); masked != string(v) {
			return jsonl.AppendString(nil, masked)
		}
	case "object":
		fields, err := fieldsOf(v)
		if err != nil {
			return v // it was checked with the line
		}
		return w.object(fields, v, own)
	case "array":
		out, changed := []byte{'['}, false
		for el := range v.Elements() {
			if len(out) > 1 {
				out = append(out, ',')
			}
			masked := w.value(el, name, own)
			changed = changed || !bytes.Equal(masked, el)
			out = append(out, masked...)
		}
		if changed {
			return append(out, ']')
		}
	}
	return v
}

// maxRounds bounds how often a value is looked at again: what was masked in it makes
// new neighbours for the rest.
const maxRounds = 8

// named is a text masked, also what only its name shows to be one.
func (w *walker) named(name, text string) string {
	masked := w.text(text)
	for range maxRounds {
		next := w.framed(name, masked)
		if next == masked {
			break
		}
		masked = w.text(next)
	}
	return masked
}

// framed is a text with that masked which its name shows to be secret.
func (w *walker) framed(name, text string) string {
	if name == "" {
		return text
	}
	for _, frame := range [...][2]string{{name + `="`, `"`}, {name + "=", ""}} {
		whole := frame[0] + text + frame[1]
		if frame[1] != "" && strings.ContainsAny(text, "\"\\\n") {
			continue
		}
		masked, hits := w.mask(whole)
		masked, ok := strings.CutPrefix(masked, frame[0])
		if len(hits) == 0 || !ok || hits[0].Start < len(frame[0]) {
			continue
		}
		if masked, ok = strings.CutSuffix(masked, frame[1]); ok {
			w.note(whole, masked, hits)
			return masked
		}
	}
	return text
}

// text is a text masked, and noted.
func (w *walker) text(text string) string {
	masked, hits := w.mask(text)
	if len(hits) > 0 {
		w.note(text, masked, hits)
	}
	return masked
}

func (w *walker) note(text, masked string, hits []redact.Hit) {
	if len(hits) > 0 && w.found.Text == "" {
		w.found.Text = masked
	}
	for _, h := range hits {
		if !slices.Contains(w.found.Kinds, h.Kind) {
			w.found.Kinds = append(w.found.Kinds, h.Kind)
		}
		w.keep(h.Kind, text[h.Start:h.End], 0)
	}
}

// keep notes a secret, and what it holds if it is an encoded text.
func (w *walker) keep(kind, secret string, depth int) {
	w.found.Secrets = append(w.found.Secrets, literals.Secret{Kind: kind, Text: secret})
	if depth == 2 {
		return // as deep as the mask looks
	}
	var inner []string
	if b, ok := chars.Decode64(secret); ok && chars.IsText(b) {
		inner = append(inner, string(b))
	}
	if b, ok := chars.DecodeHex(secret); ok && chars.IsText(b) {
		inner = append(inner, string(b))
	}
	if strings.Contains(secret, "%") {
		text, _ := chars.Unescape(secret)
		inner = append(inner, text)
	}
	if strings.Contains(secret, `\`) {
		text, _ := chars.Unquote(secret)
		inner = append(inner, text)
	}
	for _, text := range inner {
		if text == secret {
			continue
		}
		_, hits := w.mask(text)
		for _, h := range hits {
			w.keep(h.Kind, text[h.Start:h.End], depth+1)
		}
		if len(hits) == 0 && strings.ContainsAny(secret, `%\`) {
			w.keep(kind, text, depth+1) // the secret alone, escaped
		}
	}
}
