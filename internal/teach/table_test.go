package teach

import "testing"

// TestTables: every file of a language can be read, and has the tables that each act needs.
func TestTables(t *testing.T) {
	t.Parallel()
	all := tongues()
	if len(all) != 14 {
		t.Errorf("%d languages", len(all))
	}
	for _, l := range all {
		for _, name := range [...]string{
			"keep", "after", "standing", "order", "forget", "correct", "state", "kinds", "question", "none", "moment", "task",
		} {
			if len(l.lists[name].frames) == 0 {
				t.Errorf("%s has nothing in [%s]", l.name, name)
			}
		}
	}
}

// TestTableErrors: a line that cannot be read is named.
func TestTableErrors(t *testing.T) {
	t.Parallel()
	for _, file := range []string{
		"[nothing]\na", "a b", "[keep]\n(a | b", "[keep]\na ..x", "[keep]\n$x", "[keep]\na )", "$a = b )\n", "[keep]\n!",
		"[keep]\na|,b @", "[keep]\na, @", "[keep]\na| , b", "[keep]\nx|..3", "[keep]\n..3|x", "[keep]\na|!b", "[keep]\na|&b",
		"[keep]\na?|b", "[keep]\n!a?", "[keep]\n&a?", "[keep]\n!!a", "[keep]\na*b @", "[keep]\na*-b", "[keep]\n**", "[keep]\na: @",
		"[keep]\n[ab]", "[keep]\na.b", "[keep]\na$b", "[keep]\na -> nokind", "[keep]\na -> scope nowhere", "[keep]\na ->", "[keep]\na = b",
		"[keep]\na+b", "[keep]\n@b", "[keep]\na|b?|c", "[keep]\na (b | c)*",
	} {
		if _, err := readTongue("xx", file); err == nil {
			t.Errorf("%q is read", file)
		}
	}
}
