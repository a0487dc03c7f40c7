package scan

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"ken/internal/redact"
)

// Line looks for secrets in one line of a file, in the strings that stand in it if
// it is JSON. kinds are those found, each once; text is the string that has the
// first, masked.
func Line(line []byte, mask func(string) (string, []redact.Hit)) (kinds []string, text string) {
	look := func(s string) {
		masked, hits := mask(s)
		for _, h := range hits {
			if !slices.Contains(kinds, h.Kind) {
				kinds = append(kinds, h.Kind)
			}
		}
		if len(hits) > 0 && text == "" {
			text = masked
		}
	}
	if bytes.HasPrefix(bytes.TrimSpace(line), []byte("{")) {
		var v any
		if json.Unmarshal(line, &v) == nil {
			each(v, look)
			return kinds, text
		}
	}
	look(strings.ToValidUTF8(string(line), "\uFFFD"))
	return kinds, text
}

// each yields the strings in a value, in a fixed order.
func each(v any, yield func(string)) {
	switch v := v.(type) {
	case string:
		yield(v)
	case []any:
		for _, el := range v {
			each(el, yield)
		}
	case map[string]any:
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			each(v[name], yield)
		}
	}
}
