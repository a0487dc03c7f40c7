package jsonc

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const recall = `"recall"`

func TestAdd(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, src, want string }{
		{"empty object", "{}\n", "{\n  \"s\": {\n    \"ken\": [\n      \"recall\"\n    ]\n  }\n}\n"},
		{"one line", `{"x":1}`, `{"x":1, "s": { "ken": [ "recall" ] }}`},
		{"empty list", `{"s": {"ken": []}}`, `{"s": {"ken": ["recall"]}}`},
		{"empty list of lines", "{\"s\": {\"ken\": [\n  ]}}", "{\"s\": {\"ken\": [\"recall\"\n  ]}}"},
		{"others on a line", `{"s": {"ken": ["a", "b"]}}`, `{"s": {"ken": ["a", "b", "recall"]}}`},
		{
			"others in lines", "{\"s\": {\"ken\": [\r\n\t\"a\", // one\r\n\t\"b\" // two\r\n]}}",
			"{\"s\": {\"ken\": [\r\n\t\"a\", // one\r\n\t\"b\", // two\r\n\t\"recall\"\r\n]}}",
		},
		{"only a comment", "{\"s\": {\"ken\": [ // c\n]}}", "{\"s\": {\"ken\": [ // c\n  \"recall\"\n]}}"},
		{"there in another form", `{"s": {"ken": ["rec\u0061ll", 1]}}`, `{"s": {"ken": ["rec\u0061ll", 1]}}`},
		{"not what only looks so", `{"s": {"ken": ["Recall", ["recall"]]}}`, `{"s": {"ken": ["Recall", ["recall"], "recall"]}}`},
		{"twice", `{"s": {"ken": ["recall"], "ken": []}}`, `{"s": {"ken": ["recall"], "ken": ["recall"]}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := Add([]byte(tt.src), recall, "s", "ken")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestAddRefuses(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]error{
		"[]": ErrShape, `{"s": []}`: ErrShape, `{"s": null}`: ErrShape,
		`{"s": {"ken": null}}`: ErrList, `{"s": {"ken": {}}}`: ErrList, `{"s": {"ken": "recall"}}`: ErrList,
	} {
		if _, err := Add([]byte(src), recall, "s", "ken"); !errors.Is(err, want) {
			t.Errorf("Add(%q): %v; want %v", src, err, want)
		}
		if now, was, err := Drop([]byte(src), recall, "s", "ken"); was || err != nil || string(now) != src {
			t.Errorf("Drop(%q): %q, %v, %v", src, now, was, err)
		}
	}
	if _, err := Add([]byte("[]"), recall); !errors.Is(err, ErrShape) {
		t.Error(err)
	}
	fault := (*Fault)(nil)
	if _, err := Add([]byte(`{"s": {"ken": [1 2]}}`), recall, "s", "ken"); !errors.As(err, &fault) {
		t.Error(err)
	}
}

func TestDrop(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, src, want string }{
		{"first", `{"s": {"ken": ["recall", "b"]}}`, `{"s": {"ken": ["b"]}}`},
		{"each", `{"s": {"ken": ["recall", "b", "rec\u0061ll"]}}`, `{"s": {"ken": ["b"]}}`},
		{"a list that was there stays", `{"s": {"ken": ["recall"]}}`, `{"s": {"ken": []}}`},
		{"one that was made goes", "{\n  \"x\": 1,\n  \"s\": {\n    \"ken\": [\n      \"recall\"\n    ]\n  }\n}\n", "{\n  \"x\": 1\n}\n"},
		{"not one with a comment", "{\"s\": { \"ken\": [ /* mine */ \"recall\" ] }}", "{\"s\": { \"ken\": [ /* mine */ ] }}"},
		{"not there", `{"s": {"ken": ["Recall"]}}`, `{"s": {"ken": ["Recall"]}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, was, err := Drop([]byte(tt.src), recall, "s", "ken")
			if err != nil || was != (tt.src != tt.want) {
				t.Fatal(was, err)
			}
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// TestListLaws adds an element to random documents and drops it.
func TestListLaws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) { checkListLaws(t, documents().Draw(t, "src")) })
}

func checkListLaws(t failer, src string) {
	t.Helper()
	is, there, err := Get([]byte(src), "s", "ken")
	if err != nil {
		return
	}
	elements, list := is.([]any)
	out, err := Add([]byte(src), recall, "s", "ken")
	if errors.Is(err, ErrShape) || errors.Is(err, ErrList) && there && !list {
		return
	}
	if err != nil {
		t.Fatalf("add: %v\n%s", err, src)
	}
	had, kept := false, []any{}
	for _, e := range elements {
		if e == "recall" {
			had = true
		} else {
			kept = append(kept, e)
		}
	}
	want := elements
	if !had {
		want = append(append([]any{}, kept...), "recall")
	}
	if got, _, err := Get(out, "s", "ken"); err != nil || !reflect.DeepEqual(got, any(want)) {
		t.Fatalf("add: %v, %v; want %v\n%q\n->\n%q", got, err, want, src, out)
	}
	before, _ := Decode([]byte(src))
	if after, err := Decode(out); err != nil || !reflect.DeepEqual(without(after), without(before)) {
		t.Fatalf("add changed the meaning: %v\n%q\n->\n%q", err, src, out)
	}
	if again, err := Add(out, recall, "s", "ken"); err != nil || !bytes.Equal(again, out) {
		t.Fatalf("add again: %v\n%q\n->\n%q", err, out, again)
	}
	back, was, err := Drop(out, recall, "s", "ken")
	if err != nil || !was {
		t.Fatalf("drop: %v, %v\n%q", was, err, out)
	}
	if strings.Trim(strings.TrimPrefix(src, mark), spaces) != "" && !had && string(back) != src {
		t.Fatalf("drop did not take it back:\n%q\n->\n%q\n->\n%q", src, out, back)
	}
	got, _, err := Get(back, "s", "ken")
	if left, _ := got.([]any); err != nil || len(left) != len(kept) || len(kept) > 0 && !reflect.DeepEqual(left, kept) {
		t.Fatalf("drop left %v, %v; want %v\n%q\n->\n%q", got, err, kept, out, back)
	}
	if after, err := Decode(back); err != nil || !reflect.DeepEqual(without(after), without(before)) {
		t.Fatalf("drop changed the meaning: %v\n%q\n->\n%q", err, out, back)
	}
}

func FuzzAdd(f *testing.F) {
	for _, src := range []string{"", `{"s":{"ken":[]}}`, "{\"s\":{\"ken\":[1 // c\r\n]}}", `{"s":{"ken":[ "recall",/*c*/ ]}}`} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) { checkListLaws(t, src) })
}
