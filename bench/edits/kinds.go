package edits

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
)

// Kinds are the ways to quote that are measured.
func Kinds() []Kind {
	return []Kind{
		{Name: "as it stands", Quote: func(_ *rand.Rand, e Edit) (text, old, now string, ok bool) { return e.Text, e.Old, e.New, true }},
		{Name: "tabs as spaces and back", Quote: both(swapTabs)},
		{Name: "indentation dropped", Quote: dedented},
		{Name: "all indentation dropped", Quote: both(unindented)},
		{Name: "trailing space", Quote: trailing},
		{Name: "CRLF quoted", Quote: both(func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") })},
		{Name: "CRLF in the file", Quote: func(_ *rand.Rand, e Edit) (text, old, now string, ok bool) {
			return strings.ReplaceAll(e.Text, "\n", "\r\n"), e.Old, e.New, true
		}},
		{Name: `line numbers "12: "`, Quote: numbered("%d: ")},
		{Name: `line numbers "12|"`, Quote: numbered("%d|")},
		{Name: `line numbers "12| "`, Quote: numbered("%4d| ")},
		{Name: "typographic signs", Quote: both(typographic)},
		{Name: "blank lines around", Quote: both(func(s string) string { return "\n\n" + s + "\n\n\n" })},
		{Name: "escaped", Quote: both(escaped)},
		{Name: "a line left out", Refuse: true, Quote: func(r *rand.Rand, e Edit) (text, old, now string, ok bool) {
			lines := strings.Split(e.Old, "\n")
			if len(lines) < 3 {
				return "", "", "", false
			}
			at := 1 + r.IntN(len(lines)-2)
			old = strings.Join(append(lines[:at:at], lines[at+1:]...), "\n")
			return e.Text, old, e.New, strings.TrimSpace(lines[at]) != "" && !strings.Contains(e.Text, old)
		}},
		{Name: `"..." for lines`, Refuse: true, Quote: func(_ *rand.Rand, e Edit) (text, old, now string, ok bool) {
			lines := strings.Split(e.Old, "\n")
			if len(lines) < 3 {
				return "", "", "", false
			}
			return e.Text, lines[0] + "\n...\n" + lines[len(lines)-1], e.New, true
		}},
		{Name: "a word changed", Refuse: true, Quote: func(r *rand.Rand, e Edit) (text, old, now string, ok bool) {
			words := strings.Fields(e.Old)
			old = strings.Replace(e.Old, words[r.IntN(len(words))], "mistaken", 1)
			return e.Text, old, e.New, !strings.Contains(e.Text, old)
		}},
	}
}

// both quotes old and new alike.
func both(by func(string) string) func(*rand.Rand, Edit) (text, old, now string, ok bool) {
	return func(_ *rand.Rand, e Edit) (text, old, now string, ok bool) {
		old = by(e.Old)
		return e.Text, old, by(e.New), old != e.Old
	}
}

func eachLine(text string, to func(string) string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = to(line)
	}
	return strings.Join(lines, "\n")
}

func swapTabs(text string) string {
	tabs := strings.HasPrefix(text, "\t") || strings.Contains(text, "\n\t")
	return eachLine(text, func(line string) string {
		rest := strings.TrimLeft(line, " \t")
		lead := line[:len(line)-len(rest)]
		if tabs {
			return strings.ReplaceAll(lead, "\t", "    ") + rest
		}
		return strings.ReplaceAll(lead, "    ", "\t") + rest
	})
}

// dedented takes off the indentation that all lines have.
func dedented(_ *rand.Rand, e Edit) (text, old, now string, ok bool) {
	lead := ""
	for i, line := range strings.Split(e.Old+"\n"+e.New, "\n") {
		rest := strings.TrimLeft(line, " \t")
		if rest == "" {
			continue
		}
		this := line[:len(line)-len(rest)]
		if i == 0 {
			lead = this
		}
		for !strings.HasPrefix(this, lead) {
			lead = lead[:len(lead)-1]
		}
	}
	cut := func(text string) string {
		return eachLine(text, func(line string) string { return strings.TrimPrefix(line, lead) })
	}
	return e.Text, cut(e.Old), cut(e.New), lead != ""
}

// trailing has space behind some lines of the quote, and the same behind the new lines that
// equal them.
func trailing(r *rand.Rand, e Edit) (text, old, now string, ok bool) {
	became := map[string]string{}
	for line := range strings.SplitSeq(e.Old, "\n") {
		if r.IntN(3) == 0 {
			became[line] = line + strings.Repeat(" ", 1+r.IntN(3))
		}
	}
	to := func(line string) string {
		if now, ok := became[line]; ok {
			return now
		}
		return line
	}
	return e.Text, eachLine(e.Old, to), eachLine(e.New, to), len(became) > 0
}

func numbered(form string) func(*rand.Rand, Edit) (text, old, now string, ok bool) {
	return func(_ *rand.Rand, e Edit) (text, old, now string, ok bool) {
		first := 1 + strings.Count(e.Text[:strings.Index(e.Text, e.Old)], "\n")
		by := func(text string) string {
			n := first - 1
			return eachLine(text, func(line string) string { n++; return fmt.Sprintf(form, n) + line })
		}
		return e.Text, by(e.Old), by(e.New), true
	}
}

func typographic(text string) string {
	open := true
	return strings.Map(func(r rune) rune {
		switch r {
		case '"':
			open = !open
			if open {
				return '”'
			}
			return '“'
		case '\'':
			return '’'
		}
		return r
	}, text)
}

// escaped is text as it stands in a string of JSON.
func escaped(text string) string {
	var sb strings.Builder
	enc := json.NewEncoder(&sb)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(text); err != nil {
		return text
	}
	s := strings.TrimSuffix(sb.String(), "\n")
	return s[1 : len(s)-1]
}
