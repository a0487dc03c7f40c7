package conflict

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"
)

//go:embed tables/*.txt
var tableFiles embed.FS

// A part is what a word or a phrase is in a table.
type part struct {
	table string // "fill", "not", "slot language", ...
	line  string // the name of its line: "with", "german", "port"; "" in a table without
}

// A lexicon is all tables as one.
type lexicon struct {
	parts   map[string][]part // by the words of a phrase, with hyphens between them
	longest map[string]int    // words of a phrase, by the first of them
	rows    []row
	plain   *strings.Replacer // has each sign as the tables have it
}

// A row is one that says what ends.
type row struct {
	words   []element
	renames bool // it has another name, and goes on
}

// An element stands for one word, or for what is free.
type element struct {
	any      []string // one of these
	free     rune     // '^', '~' or '@' in their place
	optional bool
}

var words = sync.OnceValue(func() *lexicon {
	files, err := tableFiles.ReadDir("tables")
	if err != nil {
		panic(err) // they are part of the program
	}
	x := &lexicon{
		parts: make(map[string][]part), longest: make(map[string]int),
		plain: strings.NewReplacer("’", "'", "—", " , ", "。", " , ", "，", " , ", "、", " , ", " - ", " , "),
	}
	for _, f := range files {
		text, err := tableFiles.ReadFile("tables/" + f.Name())
		if err == nil {
			err = x.read(string(text))
		}
		if err != nil {
			panic(fmt.Errorf("%s: %w", f.Name(), err)) // a test reads them all
		}
	}
	return x
})

// read takes a file of tables in.
func (x *lexicon) read(text string) error {
	table := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			table = strings.Trim(line, "[]")
		case table == "":
			return fmt.Errorf("%q is in no table", line)
		case table == "end":
			x.rows = append(x.rows, x.row(line))
		default:
			name, list, named := strings.Cut(line, " = ")
			if !named {
				name, list = "", line
			}
			for _, phrase := range strings.Fields(list) {
				x.add(phrase, part{table, name})
			}
		}
	}
	return nil
}

func (x *lexicon) add(phrase string, p part) {
	key := keyOf(phrase)
	first, _, _ := strings.Cut(key, "-")
	x.longest[first] = max(x.longest[first], strings.Count(key, "-")+1)
	if !slices.Contains(x.parts[key], p) {
		x.parts[key] = append(x.parts[key], p)
	}
}

// keyOf is a phrase of a table as parts has it.
func keyOf(phrase string) string {
	list := make([]string, 0, 4)
	for word := range strings.SplitSeq(phrase, "-") {
		for _, l := range letters(word) {
			list = append(list, stem(l))
		}
	}
	return strings.Join(list, "-")
}

// row reads a row of what ends.
func (x *lexicon) row(line string) row {
	line, note, _ := strings.Cut(line, " -> ")
	r := row{renames: note == "name"}
	for _, f := range strings.Fields(line) {
		e := element{}
		f, e.optional = strings.CutSuffix(f, "?")
		if strings.ContainsAny(f, "^~@") {
			e.free = rune(f[0])
		} else {
			for w := range strings.SplitSeq(f, "|") {
				x.add(w, part{table: "ends"})
				e.any = append(e.any, keyOf(w))
			}
		}
		r.words = append(r.words, e)
	}
	return r
}

// letters are the words of a word: one for each letter of a script without blanks.
func letters(word string) []string {
	var list []string
	from := 0
	for i, r := range word {
		if !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) {
			continue
		}
		if from < i {
			list = append(list, word[from:i])
		}
		list = append(list, string(r))
		from = i + len(string(r))
	}
	if from < len(word) {
		list = append(list, word[from:])
	}
	return list
}
