package view

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/termsafe"
)

func TestLogLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ line, want string }{
		{`{"id":1,"ts":"2026-05-01T00:00:00Z","kind":"convention","content":"use pnpm"}`, "    7  (convention) use pnpm"},
		{`{"content":"a\u0020\u202eb\u001b[2J\nc\td","scope":"user","x":{"y":[1]}}`, "    7  (fact) a ‹U+202E›b\\x1b[2J\n     | c\\td  scope=\"user\"  x={\"y\":[1]}"},
		{`{"content":"a","content":"b"}`, "    7  (fact) b"},
		{`{"kind":"rule","content":"never","by":"user"}`, "    7  (rule) never  [a rule: it waits in any case]  by=\"user\""},
		{`{"kind":"meta_policy","content":"never"}`, "    7  (rule) never  [a rule: it waits in any case]"},
		{`{"id":2,"kind":"forget","targets":[1,"desk-0001/3"],"reason":"old"}`, "    7  (forget) #1 #desk-0001/3  reason=\"old\""},
		{`{"id":2,"kind":"edit","target":1,"content":"b","scope":null}`, "    7  (edit) #1: b  scope=null"},
		{`{"kind":"odd` + "\u200b" + `","content":"b"}`, "    7  (odd‹U+200B›) b"},
		{`{"meta":{"format":1,"log":"team"}}`, `    7  (header) {"meta":{"format":1,"log":"team"}}`},
		{"plain \xff text\x1b[31m", `    7  (cannot be read) plain \xff text\x1b[31m`},
		{"", "    7  (blank)"},
		{" \t\r", "    7  (blank)"},
		{`{"id":1,"content":"a"}` + "\r", "    7  (fact) a"},
	} {
		if diff := cmp.Diff(c.want, LogLine(7, []byte(c.line))); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.line, diff)
		}
	}
}

// FuzzLogLine: whatever a line is, nothing of it hides.
func FuzzLogLine(f *testing.F) {
	f.Add(`{"id":1,"content":"a\u0000\u0085"}`)
	f.Add("\x1b]52;c;x\x07")
	f.Add(`{"kind":"forget","target":"a/1"}`)
	f.Fuzz(func(t *testing.T, line string) {
		if shown := LogLine(1, []byte(line)); termsafe.Visible(shown) != shown || termsafe.Clean(shown) != shown {
			t.Errorf("%q is shown as %q", line, shown)
		}
	})
}
