package extract

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"

	"ken/internal/text"
)

//go:embed statements.txt
var statementTables string

//go:embed suspicion.txt
var suspicionTables string

// Tables are the lines of a file of phrases and words by the name of their table, with the names in
// them replaced. The head of statements.txt says how such a file is written.
type tables map[string][]string

var (
	// statements are what makes a sentence a statement, and what keeps it from being one.
	statements = sync.OnceValue(func() *statementTable {
		t := readTables(statementTables)
		return &statementTable{
			tasks: t.phrases("tasks"), relative: t.phrases("relative"), handing: t.phrases("handing"),
			frames: t.set("frames"), denials: t.set("denials"),
		}
	})
	// suspicions are what makes a text suspect.
	suspicions = sync.OnceValue(func() *suspicionTable {
		t := readTables(suspicionTables)
		s := &suspicionTable{
			orders: t.phrases("orders"), permissions: t.phrases("permissions"), triggers: t.phrases("triggers"),
			sendings: t.phrases("sendings"), secrets: t.phrases("secrets"), identities: t.phrases("identities"),
			persons: t.phrases("persons"), bidding: t.phrases("bidding"), claims: t.phrases("claims"),
			conditions: t.phrases("conditions"), addressing: t.phrases("addressing"), hints: t.phrases("hints"),
			names: t.phrases("names")[0][0].words, near: t.words("near"),
			marks: t.texts("marks"), dense: t.texts("dense"), domains: t.texts("domains"),
		}
		for i, m := range s.dense {
			s.dense[i] = text.Fold(m) // as the texts are
		}
		return s
	})
)

// A statementTable is statements.txt; its head and its tables say what each is.
type statementTable struct {
	tasks, relative, handing []phrase
	frames, denials          map[string]bool
}

// A suspicionTable is suspicion.txt.
type suspicionTable struct {
	orders, permissions, triggers, sendings, secrets, identities []phrase
	persons, bidding, claims, conditions, addressing, hints      []phrase
	names, near, marks, dense, domains                           []string
}

func readTables(file string) tables {
	t := make(tables)
	var names []string // in pairs, as strings.NewReplacer takes them
	name := ""
	for line := range strings.Lines(file) {
		line = strings.TrimSuffix(line, "\n")
		short, words, named := strings.Cut(line, " = ")
		switch {
		case line == "" || strings.HasPrefix(line, "# ") || line == "#":
		case named && strings.HasPrefix(short, "$"):
			names = append(names, short, words)
		case strings.HasPrefix(line, "["):
			name = strings.Trim(line, "[]")
		default:
			t[name] = append(t[name], line)
		}
	}
	r := strings.NewReplacer(names...)
	for _, lines := range t {
		for i := range lines {
			lines[i] = r.Replace(lines[i])
		}
	}
	return t
}

func (t tables) phrases(name string) []phrase { return readPhrases(t[name]...) }

func (t tables) words(name string) []string { return text.WordsInOrder(strings.Join(t[name], " ")) }

func (t tables) set(name string) map[string]bool {
	set := make(map[string]bool)
	for _, w := range t.words(name) {
		set[w] = true
	}
	return set
}

// texts are lines as they stand, without the quotes that some have.
func (t tables) texts(name string) []string {
	list := make([]string, len(t[name]))
	for i, line := range t[name] {
		list[i] = line
		if s, err := strconv.Unquote(line); err == nil {
			list[i] = s
		}
	}
	return list
}
