package distill

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"ken/internal/memory"
	"ken/internal/termsafe"
	"ken/internal/text"
)

const (
	// Most is the most candidates that one extraction gives.
	Most = 10
	// MostRunes is the longest candidate: what is longer is no fact but a text.
	MostRunes = 400
	// MostAnswer is how much of an answer is read, in bytes.
	MostAnswer = 64 << 10
)

// A Line is a candidate as an answer has it.
type Line struct {
	Kind    memory.Kind
	Content string
}

// An Answer is what a model's answer comes to.
type Answer struct {
	Lines []Line // at most Most
	// Nothing says that the answer says so: there is nothing to remember.
	Nothing bool
	Refused int // lines that were no candidates for being too long, empty or of a kind that is not extracted
}

// Parse reads a model's answer. It takes what models write in the place of what they
// were asked for: bullets, numbers, emphasis, headings in front, fences, JSON. What
// has no kind is prose and passed over.
func Parse(answer string) Answer {
	if len(answer) > MostAnswer {
		answer = answer[:MostAnswer]
		answer = answer[:max(0, strings.LastIndexByte(answer, '\n'))] // a cut line says something else
	}
	answer = withoutThoughts(strings.TrimPrefix(strings.ToValidUTF8(answer, "\uFFFD"), "\ufeff"))
	var a Answer
	if saysNothing(answer) {
		a.Nothing = true
		return a
	}
	seen := make(map[string]bool)
	add := func(kind, said string) {
		k, ok := kindOf(kind)
		said = tidy(said)
		switch {
		case k == "" && !ok:
			return
		case k == "" || said == "" || utf8.RuneCountInString(said) > MostRunes:
			a.Refused++
			return
		case saysNothing(said) || seen[text.Normal(said)] || len(a.Lines) == Most:
			return
		}
		seen[text.Normal(said)] = true
		a.Lines = append(a.Lines, Line{k, said})
	}
	if body := unfenced(answer); strings.HasPrefix(body, "[") || strings.HasPrefix(body, "{") {
		if fromJSON([]byte(body), add) {
			a.Nothing = len(a.Lines) == 0 && a.Refused == 0
			return a
		}
	}
	for line := range strings.Lines(answer) {
		if kind, text, ok := prefixed(line); ok {
			add(kind, text)
		}
	}
	return a
}

// withoutThoughts leaves out what a model thought aloud before it answered.
func withoutThoughts(s string) string {
	for _, tag := range [...]string{"think", "thinking", "reasoning"} {
		for {
			start := strings.Index(s, "<"+tag+">")
			end := strings.Index(s, "</"+tag+">")
			if end < 0 {
				break
			}
			if start < 0 || start > end {
				start = 0 // some servers keep the opening tag
			}
			s = s[:start] + s[end+len(tag)+3:]
		}
	}
	return s
}

// saysNothing reports whether a whole answer says that there is nothing.
func saysNothing(s string) bool {
	w := strings.Join(text.WordsInOrder(s), " ")
	switch w {
	case "nothing", "none", "no facts", "no fact", "no candidates", "na", "n a", "null", "empty", "nothing to remember",
		"nothing worth remembering", "nothing to extract", "no new facts", "no facts found", "there is nothing worth remembering",
		"nichts", "keine", "keine fakten", "nada", "ninguno", "ningun hecho", "rien", "aucun", "aucun fait", "niente":
		return true
	}
	return false
}

// unfenced is an answer without the fence around it.
func unfenced(s string) string {
	s = strings.TrimSpace(s)
	if rest, ok := strings.CutPrefix(s, "```"); ok {
		if _, after, ok := strings.Cut(rest, "\n"); ok {
			s = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(after), "```"))
		}
	}
	return s
}

// prefixed splits "- **fact**: a" and its like into kind and text.
func prefixed(line string) (kind, text string, ok bool) {
	line = strings.TrimSpace(line)
	if inner, found := strings.CutPrefix(line, "|"); found { // a row of a table
		cells := strings.SplitN(strings.Trim(inner, "| "), "|", 2)
		if len(cells) == 2 {
			return cells[0], cells[1], true
		}
	}
	line = unbulleted(line)
	if strings.HasPrefix(line, "{") {
		var b strings.Builder
		if fromJSON([]byte(strings.TrimSuffix(line, ",")), func(k, t string) { kind, text = k, t; b.WriteByte('x') }) && b.Len() == 1 {
			return kind, text, true
		}
		return "", "", false
	}
	i := strings.IndexAny(line, ":：")
	if i <= 0 || i > 40 {
		return "", "", false
	}
	_, size := utf8.DecodeRuneInString(line[i:])
	return line[:i], line[i+size:], true
}

// unbulleted leaves out what lists begin their lines with.
func unbulleted(s string) string {
	for {
		t := strings.TrimLeftFunc(s, func(r rune) bool {
			return unicode.IsSpace(r) || strings.ContainsRune("-*+•‣●○▪◦–—·・※>→✓✔☐☑#", r)
		})
		for _, box := range [...]string{"[ ]", "[x]", "[X]"} {
			t = strings.TrimPrefix(t, box)
		}
		if n := numbered(t); n > 0 {
			t = t[n:]
		}
		if t == s {
			return s
		}
		s = t
	}
}

// numbered is the length of "1.", "2)", "(3)" or "4、" at the start of s; 0 if it
// begins otherwise.
func numbered(s string) int {
	i := 0
	if strings.HasPrefix(s, "(") {
		i++
	}
	digits := i
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	if i == digits || i-digits > 2 || i == len(s) {
		return 0
	}
	if r, size := utf8.DecodeRuneInString(s[i:]); strings.ContainsRune(".)、．", r) {
		return i + size
	}
	return 0
}

// fromJSON reads candidates from JSON of the usual shapes, and from several values
// one behind the other. ok is false if it is none; what was read until then counts.
func fromJSON(b []byte, add func(kind, text string)) (ok bool) {
	dec := json.NewDecoder(bytes.NewReader(b))
	for {
		var v any
		if err := dec.Decode(&v); err != nil {
			return ok
		}
		ok = true
		values(v, "", add)
	}
}

// values walks a JSON value. Names of fields that are kinds say what stands below
// them.
func values(v any, under string, add func(kind, text string)) {
	switch v := v.(type) {
	case string:
		if kind, text, ok := prefixed(v); ok {
			if k, known := kindOf(kind); known || k != "" {
				add(kind, text)
				return
			}
		}
		if under != "" {
			add(under, v)
		}
	case []any:
		for _, e := range v {
			values(e, under, add)
		}
	case map[string]any:
		kind, text := under, ""
		for _, name := range [...]string{"kind", "type", "category"} {
			if s, ok := v[name].(string); ok {
				kind = s
				break
			}
		}
		for _, name := range [...]string{"content", "text", "fact", "memory", "value", "candidate"} {
			if s, ok := v[name].(string); ok && text == "" {
				text = s
				if kind == "" && name == "fact" {
					kind = "fact"
				}
			}
		}
		if text != "" {
			add(kind, text)
			return
		}
		for _, name := range sortedKeys(v) {
			below := under
			if k, known := kindOf(name); known || k != "" {
				below = name
			}
			values(v[name], below, add)
		}
	}
}

// kindOf is the kind that an answer calls so. known is true, and the kind empty, for
// kinds that are not extracted: nothing that a model writes becomes a rule.
func kindOf(name string) (kind memory.Kind, known bool) {
	name = strings.Join(text.WordsInOrder(strings.Trim(name, "*_`\"' \t")), " ")
	switch name {
	case "facts", "fakt", "fakten", "tatsache", "hecho", "hechos", "dato", "fait", "faits", "fatto", "fato", "feit", "факт", "事实", "事実":
		return memory.KindFact, true
	case "prefs", "preference", "preferences", "praferenz", "praferenzen", "vorliebe", "preferencia", "preferencias", "preferenza", "voorkeur", "предпочтение", "偏好":
		return memory.KindPref, true
	case "kontext", "contexto", "contexte", "contesto", "контекст", "上下文":
		return memory.KindSetting, true
	case "decisions", "entscheidung", "decisione", "besluit", "решение", "决定":
		return memory.KindDecision, true
	case "goals", "ziel", "objetivo", "objectif":
		return memory.KindGoal, true
	case "conventions", "konvention":
		return memory.KindConvention, true
	case "lessons":
		return memory.KindLesson, true
	case "rule", "rules", "regel", "regla", "regle", "policy", "instruction", "forget", "edit", "erased", "undo", "pin", "tier", "phase":
		return "", true
	}
	if kind = memory.Kind(name); kind.Is(memory.ReadingMay) {
		return kind, true
	}
	return "", false
}

// tidy is the text of a candidate on one line, clean, without the emphasis and
// quotes around it.
func tidy(s string) string {
	s = strings.TrimSpace(termsafe.Line(s))
	s = strings.TrimSpace(strings.TrimLeft(s, "*_")) // of "**fact:** a"
	for _, mark := range [...]string{"**", "__", "`", `"`, "“", "*"} {
		closing := mark
		if mark == "“" {
			closing = "”"
		}
		if inner, ok := strings.CutPrefix(s, mark); ok && len(inner) > len(closing) {
			if inner, ok = strings.CutSuffix(inner, closing); ok && !strings.Contains(inner, mark) {
				s = strings.TrimSpace(inner)
			}
		}
	}
	if !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return ""
	}
	return s
}
