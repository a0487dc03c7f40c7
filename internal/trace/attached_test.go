package trace

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"ken/internal/session"
)

// TestAttached: what went along with a question is read back as it was written, in the line of
// its turn; what cannot be read costs that part alone.
func TestAttached(t *testing.T) {
	t.Parallel()
	list := []Attached{
		{Name: `a "b".txt`, Kind: "text", Bytes: 12},
		{Name: "pic.png", Kind: "image", Bytes: 207, Path: "/tmp/pic.png", Hash: "1a2b3c4d"},
		{Name: "src/", Kind: "directory"},
	}
	line, err := session.Turn{Role: session.RoleUser, Content: "x", N: 1, Attached: AttachedJSON(list)}.Line()
	if err != nil {
		t.Fatal(err)
	}
	read, err := session.Read(bytes.NewReader(line), "s")
	if err != nil || len(read.Problems) > 0 || !slices.Equal(ReadAttached(read.Turns()[0].Attached), list) {
		t.Errorf("%s: %+v, %v", line, read, err)
	}
	for raw, want := range map[string]int{
		"": 0, "null": 0, "{}": 0, `"x"`: 0, `[1,null,"x",{}]`: 0, `[{"name":3},{"name":"a","bytes":"no","new":[1]}]`: 1, `[{"name":"a"}`: 1,
	} {
		if got := ReadAttached(json.RawMessage(raw)); len(got) != want {
			t.Errorf("%s: %+v", raw, got)
		}
	}
	if AttachedJSON(nil) != nil {
		t.Error("nothing is something")
	}
}
