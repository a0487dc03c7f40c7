package memory

import (
	"strings"
	"testing"
)

// TestKindTable: each row is whole, no name stands for two kinds, and every chapter has a place of its own.
func TestKindTable(t *testing.T) {
	t.Parallel()
	names, chapters := make(map[string]Kind), make(map[int8]Kind)
	stating := 0
	for _, r := range kindTable {
		for _, name := range append(strings.Fields(r.older), string(r.kind)) {
			if other, taken := names[name]; taken {
				t.Errorf("%q is %s and %s", name, other, r.kind)
			}
			names[name] = r.kind
		}
		changes := r.traits&Changes != 0
		if changes {
			if r.did == "" || r.about+r.title+r.older != "" || r.chapter != 0 || r.traits&^(Changes|Shapes|PersonsAlone) != 0 {
				t.Errorf("%s changes another line: %+v", r.kind, r)
			}
			continue
		}
		if stating++; r.about == "" || r.title == "" || r.did != "" || r.traits&(Shapes|PersonsAlone) != 0 || chapters[r.chapter] != "" {
			t.Errorf("%s states something: %+v, and %s", r.kind, r, chapters[r.chapter])
		}
		chapters[r.chapter] = r.kind
	}
	for i := range stating {
		if chapters[int8(i+1)] == "" {
			t.Errorf("no kind has chapter %d", i+1)
		}
	}
}
