package archtest

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
)

// Words that say nothing of what a thing is, or that mean two things here
// ("store" is the log or the index). docs/terms.md has the words to use.
func unusedWords() []string {
	return []string{"manager", "service", "helper", "util", "utils", "common", "base", "store", "impl"}
}

// Words that may not end the name of a type: every value is data.
func vagueEndings() []string { return []string{"info", "item", "data"} }

// namedAnyway are the exceptions, package by package: memory.Item is what the
// word means, and view.Item is how it looks.
func namedAnyway(pkg, typ string) bool { return (pkg == "memory" || pkg == "view") && typ == "Item" }

func nameGates() []gate {
	return []gate{{
		name:  "words not used",
		check: checkNames,
		bad: []badTree{
			{map[string]string{"internal/memstore/a.go": "package memstore\n"}, `internal/memstore: "store" is not used in names of packages`},
			{map[string]string{"internal/llm/http_helpers.go": "package llm\n"}, `"helper" is not used in names of files`},
			{map[string]string{"internal/llm/a.go": "package llm\ntype sessionManager struct{}\n"}, `sessionManager: "manager" is not used`},
			{map[string]string{"internal/llm/a_test.go": "package llm\nfunc f() { type HTTPStore int }\n"}, `HTTPStore: "store" is not used`},
			{map[string]string{"internal/llm/a.go": "package llm\ntype ModelInfo struct{}\n"}, `ModelInfo: "info" says nothing`},
			{map[string]string{"internal/session/a.go": "package session\ntype Item struct{}\n"}, `Item: "item" says nothing`},
			{map[string]string{"internal/agent/a.go": "package agent\ntype turnHandler struct{}\n"}, `turnHandler: "handler" is for HTTP`},
		},
		good: map[string]string{
			"internal/memory/storage.go": "package memory\ntype Item struct{}\ntype restored int\ntype itemOrder int\ntype dataset int\n",
			"internal/httpapi/a.go":      "package httpapi\ntype askHandler struct{}\n",
		},
	}}
}

func checkNames(tr *tree) []string {
	var out []string
	for _, files := range tr.packages() {
		dir := files[0].dir
		last := path.Base(dir)
		for _, w := range unusedWords() {
			if last == w || strings.HasSuffix(last, w) || strings.HasPrefix(last, w) {
				out = append(out, fmt.Sprintf("%s: %q is not used in names of packages", dir, w))
			}
		}
	}
	for _, f := range tr.files {
		stem := strings.TrimSuffix(path.Base(f.path), ".go")
		if w := unusedIn(strings.Split(stem, "_")); w != "" {
			out = append(out, fmt.Sprintf("%s: %q is not used in names of files", f.path, w))
		}
		for spec := range typeSpecs(f) {
			if why := badTypeName(short(f.dir), spec.Name.Name); why != "" {
				out = append(out, tr.at(spec.Pos(), "type %s: %s", spec.Name.Name, why))
			}
		}
	}
	return out
}

func badTypeName(pkg, name string) string {
	words := camelWords(name)
	if w := unusedIn(words); w != "" {
		return fmt.Sprintf("%q is not used", w)
	}
	last := words[len(words)-1]
	switch {
	case namedAnyway(pkg, name):
		return ""
	case slices.Contains(vagueEndings(), last):
		return fmt.Sprintf("%q says nothing of what it is", last)
	case last == "handler" && !speaksHTTP(pkg):
		return `"handler" is for HTTP`
	}
	return ""
}

func speaksHTTP(pkg string) bool {
	for _, h := range homes() {
		if h.covers("net/http") {
			return h.admits(pkg)
		}
	}
	return false
}

func unusedIn(words []string) string {
	for _, w := range words {
		w = strings.ToLower(w)
		for _, unused := range unusedWords() {
			if w == unused || w == unused+"s" {
				return unused
			}
		}
	}
	return ""
}

// camelWords splits HTTPStore into "http" and "store".
func camelWords(name string) []string {
	var words []string
	start := 0
	runes := []rune(name)
	for i := 1; i < len(runes); i++ {
		up := unicode.IsUpper(runes[i])
		afterLower := up && !unicode.IsUpper(runes[i-1])
		beforeLower := up && i+1 < len(runes) && unicode.IsLower(runes[i+1])
		if afterLower || beforeLower {
			words = append(words, strings.ToLower(string(runes[start:i])))
			start = i
		}
	}
	return append(words, strings.ToLower(string(runes[start:])))
}
