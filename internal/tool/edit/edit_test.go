package edit_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/tool/edit"
)

const program = "package a\n\nfunc first() {\n\tcall(\"one thing\")\n\tif ok {\n\t\treturn nothing\n\t}\n}\n" +
	"\nfunc second() {\n\tcall(\"another\")  \n\treturn\n}\n"

// TestReplace: each rung of the ladder finds what it is for, and what comes in its place is
// as the text would have it.
func TestReplace(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name           string
		text, old, new string
		all            bool
		want           string // "": as text, with the line before -> after
		how            edit.How
	}{
		{name: "exact", text: "a\nb\nc\n", old: "b", new: "x\ny", want: "a\nx\ny\nc\n"},
		{name: "within a line", text: "a = b + c\n", old: "b + c", new: "d", want: "a = d\n"},
		{name: "taken away", text: "a\nb\nc\n", old: "b\n", new: "", want: "a\nc\n"},
		{name: "all", text: "a b a b a", old: "a", new: "aa", all: true, want: "aa b aa b aa"},
		{name: "all that overlap", text: "xxxxx", old: "xx", new: "y", all: true, want: "yyx"},
		{name: "whole lines stay lines", text: "a\nb\nc\n", old: "b\n", new: "x", want: "a\nx\nc\n", how: edit.WholeLine},
		{name: "lines joined from within one", text: "f(\n  x)\n", old: "(\n  ", new: "(", want: "f(x)\n"},
		{name: "mark and ends kept", text: "\ufeffa\r\nb\r\nc\r\n", old: "a\nb", new: "a\nx\ny", want: "\ufeffa\r\nx\r\ny\r\nc\r\n"},
		{name: "quoted with its ends", text: "a\nb\nc\n", old: "a\r\nb\r\n", new: "a\r\nx\r\n", want: "a\nx\nc\n"},
		{name: "mixed ends kept", text: "a\r\nb\nc\r\nd\r\n", old: "a\nb\nc\n", new: "a\nb\nx\nc\n", want: "a\r\nb\nx\r\nc\r\nd\r\n"},
		{name: "a return is a character", text: "a\rb\nc\n", old: "c", new: "d", want: "a\rb\nd\n"},
		{name: "no break at the end", text: "a\nb", old: "b", new: "c", want: "a\nc"},
		{
			name: "space at ends", text: program, old: "func second() {\n\tcall(\"another\")\n\treturn\n}",
			new:  "func second() {\n\tcall(\"another\")\n\treturn 1\n}",
			want: strings.Replace(program, "\treturn\n}", "\treturn 1\n}", 1), how: edit.Trailing,
		},
		{
			name: "blank lines around", text: "one of the lines\ntwo of the lines\n", old: "\n\none of the lines\n\n", new: "\nanother\n\n",
			want: "another\ntwo of the lines\n", how: edit.Trailing,
		},
		{
			name: "blank lines around nothing", text: "one of the lines\ntwo of the lines\n", old: "\n\none of the lines\n\n\n", new: "\n\n",
			want: "two of the lines\n", how: edit.Trailing,
		},
		{
			name: "line numbers", text: program, old: "4: \tcall(\"one thing\")\n5: \tif ok {",
			new:  "4: \tcall(\"one thing\")\n5: \tmore()\n6: \tif ok {",
			want: strings.Replace(program, "thing\")\n", "thing\")\n\tmore()\n", 1), how: edit.Numbered,
		},
		{
			name: "line numbers of a listing", text: program, old: "  4|\tcall(\"one thing\")\n  5|\tif ok {",
			new:  "  4|\tcall(\"one thing\")\n\tmore()\n  5|\tif ok {",
			want: strings.Replace(program, "thing\")\n", "thing\")\n\tmore()\n", 1), how: edit.Numbered,
		},
		{
			name: "line numbers and one space", text: program, old: "4| \tcall(\"one thing\")\n5| \tif ok {",
			new:  "4| \tcall(\"two\")\n5| \tif ok {",
			want: strings.Replace(program, "one thing", "two", 1), how: edit.Numbered,
		},
		{
			name: "spaces for tabs", text: program, old: "    if ok {\n        return nothing\n    }",
			new:  "    if ok {\n        if more {\n            stop()\n        }\n        return nothing\n    }",
			want: strings.Replace(program, "\t\treturn nothing", "\t\tif more {\n\t\t\tstop()\n\t\t}\n\t\treturn nothing", 1), how: edit.Indented,
		},
		{
			name: "tabs for spaces", text: "def a():\n    if first_thing:\n        return 12\n", old: "\tif first_thing:\n\t\treturn 12",
			new:  "\tif first_thing:\n\t\tif b:\n\t\t\tc()\n\t\treturn 12",
			want: "def a():\n    if first_thing:\n        if b:\n            c()\n        return 12\n", how: edit.Indented,
		},
		{
			name: "shifted", text: "x:\n      - first_item\n        of: it\n", old: "- first_item\n  of: it",
			new:  "- first_item\n  of: it\n  more: 1",
			want: "x:\n      - first_item\n        of: it\n        more: 1\n", how: edit.Indented,
		},
		{
			name: "typographic", text: "say \"it is so\" - all of it\n", old: "say “it is so” – all of it",
			new: "say “it is not so” – all of it", want: "say \"it is not so\" - all of it\n", how: edit.Plain,
		},
		{
			name: "typographic text", text: "say “it is so” – all of it\n", old: "say \"it is so\" - all of it",
			new:  "say \"it is not so\" - all of it",
			want: "say “it is not so” – all of it\n", how: edit.Plain,
		},
		{
			name: "escapes", text: program, old: `if ok {\n\t\treturn nothing\n\t}`, new: `if ok {\n\t\treturn \"x\"\n\t}`,
			want: strings.Replace(program, "return nothing", `return "x"`, 1), how: edit.Escaped,
		},
		{
			name: "escaped quotes alone", text: program, old: "\tcall(\\\"one thing\\\")\n\tif ok {", new: "\tcall(\\\"two\\n\\\")\n\tif ok {",
			want: strings.Replace(program, `"one thing"`, `"two\n"`, 1), how: edit.Escaped,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r, err := edit.Replace(tt.text, edit.Want{Old: tt.old, New: tt.new, All: tt.all})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, r.Text); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
			if r.How != tt.how {
				t.Errorf("found %s, want %s", r.How, tt.how)
			}
		})
	}
}

// TestRefuse: what is not clear is not done, and the answer says what to do.
func TestRefuse(t *testing.T) {
	t.Parallel()
	many := strings.Repeat("x = 1\n", 30)
	for _, tt := range []struct {
		name, text, old, new string
		all                  bool
		want                 string
	}{
		{name: "nothing quoted", text: "a", old: "", new: "b", want: "old is empty: copy the lines that are to change, or use write_file"},
		{name: "equal", text: "a", old: "a", new: "a", want: "no change: old and new are equal"},
		{name: "equal but for ends", text: "a\nb", old: "a\r\n", new: "a\n", want: "no change: old and new are equal"},
		{
			name: "equal but for blank lines", text: "one of the lines\n", old: "\n\none of the lines\n", new: "one of the lines",
			want: "no change: old and new are equal",
		},
		{name: "twice", text: "a\nb\na\n", old: "a", new: "c", want: "found 2 times in a.go, at lines 1, 3: copy more lines, or all"},
		{name: "overlapping", text: "aaa", old: "aa", new: "c", want: "found 2 times in a.go, at lines 1, 1: copy more lines, or all"},
		{
			name: "often", text: many, old: "x = 1", new: "y",
			want: "found 30 times in a.go, at lines " +
				"1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, ...: copy more lines, or all",
		},
		{
			name: "twice but for space", text: "call_this_thing()\nb\n  call_this_thing() \n", old: "\ncall_this_thing()\n\n", new: "c",
			want: "done", // only one of them begins at the margin
		},
		{
			name: "twice but for indentation", text: "call_this_thing()\n    b\n  call_this_thing() \n", old: "\tcall_this_thing()", new: "c",
			all:  true,
			want: "found 2 times in a.go, at lines 1, 3: copy more lines, or all",
		},
		{
			name: "too short for a guess", text: "a {\n\t}\n", old: "    }", new: "    ]",
			want: "not found in a.go. The nearest lines are 2-2:\n\t}",
		},
		{
			name: "one indentation for two", text: program, old: "call(\"one thing\")\nif ok {\nreturn nothing\n}",
			new: "call(\"two\")\nif ok {\nreturn nothing\n}",
			want: "the indentation of old stands for two in a.go. Copy the lines as they are, 4-7:\n" +
				"\tcall(\"one thing\")\n\tif ok {\n\t\treturn nothing\n\t}",
		},
		{
			name: "line left out", text: program, old: "func first() {\n\tif ok {\n\t\treturn nothing", new: "x",
			want: "not found in a.go. The nearest lines are 4-6:\n\tcall(\"one thing\")\n\tif ok {\n\t\treturn nothing",
		},
		{
			name: "a word changed", text: program, old: "\tcall(\"one thong\")\n\tstop()", new: "x",
			want: "not found in a.go: read it again, and copy the lines",
		},
		{
			name: "half numbered", text: program, old: "4: \tcall(\"one thing\")\n5: \tif ok {", new: "4: \tcall(\"one thing\")\n8: 9\n\tif ok {",
			want: "some lines of new have line numbers and some have none: write new without them",
		},
		{
			name: "a string with a break", text: program, old: `if ok {\n\t\treturn nothing`, new: `if ok {\n\t\tlog(\"x\n\")\n\t\treturn nothing`,
			want: `the \n, \t and \" in old or new can be read in two ways: write line breaks, tabs and quotes as they are`,
		},
		{
			name: "two signs for one", text: "say “it is so” to me\n", old: "say \"it is so\" to me", new: "tell \"you\" \"it\"",
			want: "the indentation of old stands for two in a.go. Copy the lines as they are, 1-1:\nsay “it is so” to me",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := edit.Replace(tt.text, edit.Want{Old: tt.old, New: tt.new, All: tt.all})
			var refusal *edit.Refusal
			if !errors.As(err, &refusal) {
				if tt.want != "done" {
					t.Errorf("%v, want a refusal", err)
				}
				return
			}
			if diff := cmp.Diff(tt.want, refusal.Answer("a.go")); diff != "" {
				t.Errorf("answer (-want +got):\n%s", diff)
			}
		})
	}
}

// TestAnswer: what was not found as it stands is said, with the lines that stand there now.
func TestAnswer(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		old, new string
		all      bool
		want     string
	}{
		{"one thing", "two\n\tmore", false, "done: src/a.go, 1 place, +2 -1"},
		{"call(", "ask(", true, "done: src/a.go, 2 places, +2 -2"},
		{
			"    if ok {\n        return nothing", "    if ok {\n        log()\n        return nothing", false,
			"done: src/a.go, 1 place, +1 -0\nmatched without its indentation; now reads:\n\tif ok {\n\t\tlog()\n\t\treturn nothing",
		},
		{"    if ok {\n        return nothing", "", false, "done: src/a.go, 1 place, +0 -2\nmatched without its indentation"},
		{
			"func first() {\n", "func last() {", false,
			"done: src/a.go, 1 place, +1 -1\nmatched with the line break behind it kept; now reads:\nfunc last() {",
		},
	} {
		r, err := edit.Replace(program, edit.Want{Old: tt.old, New: tt.new, All: tt.all})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, r.Answer("src/a.go")); diff != "" {
			t.Errorf("answer (-want +got):\n%s", diff)
		}
	}
}

// TestDiff: the form that people and programs know.
func TestDiff(t *testing.T) {
	t.Parallel()
	got := edit.Diff("a.txt", "one\ntwo\nthree\n", "one\n2\nthree")
	want := "--- a.txt\n+++ a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n-three\n+2\n+three\n\\ No newline at end of file\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if added, removed := edit.Count(edit.Diff("a", "--- x\n+++ y\n", "-- z\n")); added != 1 || removed != 2 {
		t.Errorf("counted +%d -%d", added, removed)
	}
	if got := edit.Diff("a", "x", "x"); got != "" {
		t.Errorf("of equal texts %q", got)
	}
}

// TestDoubt: a new text for a whole file that is only a part of it.
func TestDoubt(t *testing.T) {
	t.Parallel()
	file := strings.Repeat("a line of this file\n", 201)
	for _, tt := range []struct {
		before, after string
		want          string // how the doubt begins
	}{
		{file, file + "x", ""},
		{file, file[:len(file)*6/10+1], ""},
		{file, file[:len(file)*6/10-20], "not written: the file has 201 lines and the content 119: "},
		{strings.Repeat("x\n", 200), "", ""},
		{"", "a\n// ... existing code ...\nb\n", `not written: the content holds "// ... existing code ..."`},
		{"", "a\n    # … rest of the code …\nb\n", `not written: the content holds "# … rest of the code …"`},
		{"", "<!-- ...existing code... -->\n", "not written: the content holds"},
		{"// ... existing code ...\n", "// ... existing code ...\nmore\n", ""},
		{"", "wait ...\n", ""},
		{"", "...\n", ""},
		{"", "... and so on ...\n", ""},
	} {
		got := edit.Doubt(tt.before, tt.after)
		if (got == "") != (tt.want == "") || !strings.HasPrefix(got, tt.want) {
			t.Errorf("of %.40q: %q, want %q", tt.after, got, tt.want)
		}
	}
}
