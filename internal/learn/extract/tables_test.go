package extract

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestTables: each table that is read is there, and holds what a text can have: no name that stands for
// nothing, no word twice in a phrase.
func TestTables(t *testing.T) {
	t.Parallel()
	st, su := statements(), suspicions()
	phrases := map[string][]phrase{
		"tasks": st.tasks, "relative": st.relative, "handing": st.handing,
		"orders": su.orders, "permissions": su.permissions, "triggers": su.triggers, "sendings": su.sendings,
		"secrets": su.secrets, "identities": su.identities, "persons": su.persons, "bidding": su.bidding,
		"claims": su.claims, "conditions": su.conditions, "addressing": su.addressing, "hints": su.hints,
	}
	words := map[string][]string{
		"names": su.names, "near": su.near, "marks": su.marks, "dense": su.dense, "domains": su.domains,
	}
	for w := range st.frames {
		words["frames"] = append(words["frames"], w)
	}
	for w := range st.denials {
		words["denials"] = append(words["denials"], w)
	}
	for name, list := range phrases {
		if len(list) == 0 {
			t.Errorf("%s is empty", name)
		}
		for _, p := range list {
			for _, e := range p {
				all := slices.Concat(e.words, e.prefixes)
				if len(all) == 0 && e.gap == 0 && !e.anchor || strings.ContainsAny(fmt.Sprint(all), "$|^.\"") || slices.Contains(all, "") {
					t.Errorf("%s: %q", name, all)
				}
			}
		}
	}
	for name, list := range words {
		if len(list) == 0 || slices.ContainsFunc(list, func(s string) bool { return s == "" || strings.HasPrefix(s, "$") }) {
			t.Errorf("%s: %q", name, list)
		}
	}
	for file, tables := range map[string]tables{"statements.txt": readTables(statementTables), "suspicion.txt": readTables(suspicionTables)} {
		for name := range tables {
			if phrases[name] == nil && words[name] == nil {
				t.Errorf("%s: nobody reads the table %s", file, name)
			}
		}
	}
}
