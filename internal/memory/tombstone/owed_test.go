package tombstone_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/memory"
	"ken/internal/memory/tombstone"
)

func lines(texts ...string) (list []memory.Entry) {
	for i, text := range texts {
		e := memory.ParseLine([]byte(text))
		e.Line = i + 1
		list = append(list, e)
	}
	return list
}

// TestOwed: what another log says is erased and a file still has, by the log that has it.
func TestOwed(t *testing.T) {
	t.Parallel()
	own := memory.Lines{Log: "laptop-0001", Own: true, Entries: lines(
		`{"id":1,"content":"gone elsewhere"}`, `{"id":2,"kind":"edit","target":1,"content":"gone elsewhere too"}`,
		`{"id":3,"content":"stays"}`, `{"id":4,"kind":"erased"}`, `{"id":5,"content":"forgotten"}`, `{"id":6,"kind":"forget","target":5}`,
	)}
	desk := memory.Lines{Log: "desk-0002", Entries: lines(
		`{"id":1,"kind":"erased","target":"laptop-0001/1"}`, `{"id":2,"content":"of the desk"}`, `{"id":3,"kind":"erased","target":"phone-0003/1"}`,
	)}
	phone := memory.Lines{Log: "phone-0003", Entries: lines(`{"id":1,"content":"of the phone"}`)}
	guest := memory.Lines{Log: "team", Ceiling: memory.OriginExternal, By: "trust:1", Entries: lines(
		`{"id":1,"content":"of a repository"}`, `{"id":2,"kind":"erased","target":1}`, `{"id":3,"kind":"erased","target":"laptop-0001/3"}`,
	)}
	want := []tombstone.Debt{
		{ID: memory.Num(1), In: []string{"laptop-0001"}, Own: true},
		{ID: memory.Num(1).In("phone-0003"), In: []string{"phone-0003"}},
	}
	for _, logs := range [][]memory.Lines{{own, desk, phone, guest}, {guest, phone, desk, own}} {
		if diff := cmp.Diff(want, tombstone.Owed(memory.Fold(logs...))); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
}
