package session

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// A vector is a session file and what any reader makes of it. Other
// implementations can run these files too.
type vector struct {
	About string   `json:"about"`
	Name  string   `json:"name"`  // of the file, without suffix
	Lines []string `json:"lines"` // without line ends
	Ended *bool    `json:"ended"` // false: the last line has no line end
	Want  struct {
		Session  string           `json:"session"`
		Turns    []map[string]any `json:"turns"` // each as the line that would be written for it
		Live     []int            `json:"live"`  // the numbers of the live turns
		Summary  string           `json:"summary"`
		Warnings []int            `json:"warnings"` // line numbers
		Next     int              `json:"next"`     // the number that the next turn gets
	} `json:"want"`
}

func TestVectors(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("../../testdata/vectors/sessions/*.json")
	if err != nil || len(paths) < 30 {
		t.Fatalf("%d vectors, %v", len(paths), err)
	}
	for _, path := range paths {
		t.Run(stem(strings.TrimSuffix(path, ".json")), func(t *testing.T) {
			t.Parallel()
			var v vector
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			dec := json.NewDecoder(bytes.NewReader(b))
			dec.DisallowUnknownFields()
			if err := dec.Decode(&v); err != nil || v.About == "" {
				t.Fatalf("the vector: %v", err)
			}
			file := strings.Join(v.Lines, "\n")
			if len(v.Lines) > 0 && (v.Ended == nil || *v.Ended) {
				file += "\n"
			}
			tr, err := Read(strings.NewReader(file), v.Name)
			if err != nil {
				t.Fatal(err)
			}
			got := v
			got.Want.Session, got.Want.Next = tr.Header.Session, tr.Last()+1
			got.Want.Turns, got.Want.Live, got.Want.Warnings = nil, nil, nil
			for _, turn := range tr.Turns() {
				b, err := turn.Line()
				if err != nil {
					t.Fatal(err)
				}
				var m map[string]any
				if err := json.Unmarshal(b, &m); err != nil {
					t.Fatal(err)
				}
				got.Want.Turns = append(got.Want.Turns, m)
			}
			live := tr.Live()
			got.Want.Summary = live.Summary
			for _, turn := range live.Turns {
				got.Want.Live = append(got.Want.Live, turn.N)
			}
			for _, p := range tr.Problems {
				got.Want.Warnings = append(got.Want.Warnings, p.Line)
			}
			if d := cmp.Diff(v.Want, got.Want, cmpopts.EquateEmpty()); d != "" {
				t.Errorf("%s (-want +got):\n%s", v.About, d)
			}
		})
	}
}
