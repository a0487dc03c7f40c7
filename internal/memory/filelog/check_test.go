package filelog

import (
	"errors"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/jsonl/jsonltest"
	"ken/internal/memory"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	const head = `{"meta":{"format":1,"log":"laptop-7f3a"}}` + "\n"
	for _, tt := range []struct {
		name, text string
		want       []Finding
		entries    int
	}{
		{"nothing", "", nil, 0},
		{"in order", head + `{"id":1,"content":"a"}` + "\n", nil, 2},
		{"blank lines", "\n" + head + "\n\n", nil, 1},
		{"no last line end", head + `{"id":1,"content":"a"}`, []Finding{{2, Note, "the last line has no end; the next write gives it one"}}, 2},
		{"torn", head + `{"id":1,"cont`, nil, 2},
		{"a second header", head + head, []Finding{{2, Doubt, "a header that is not the first line"}}, 2},
		{"a newer format", `{"meta":{"format":2}}` + "\n", []Finding{{1, Doubt, "written by a newer ken: format 2, and this one knows 1"}}, 1},
		{"an unknown kind", `{"id":1,"kind":"hunch","content":"a"}` + "\n", []Finding{{1, Note, `kind "hunch" is not known: kept, and taken as text`}}, 1},
		{"without content it is the fold's", `{"id":1,"kind":"hunch"}` + "\n", nil, 1},
		{"the same line", `{"id":1,"content":"a"}` + "\n" + `{"id":1,"content":"a"}` + "\n", []Finding{{2, Note, "the same as line 1"}}, 2},
		{"another line is the fold's", `{"id":1,"content":"a"}` + "\n" + `{"id":1,"content":"b"}` + "\n", nil, 2},
		{"few numbers left", `{"id":9007199254740990,"content":"a"}` + "\n", []Finding{{1, Doubt, "the number 9007199254740990: only 1 are left, and each new line takes one"}}, 1},
	} {
		l := openIn(jsonltest.Dir(t))
		if tt.text != "" {
			write(t, l.path, tt.text)
		}
		entries, got, err := l.Check(t.Context())
		if err != nil || len(entries) != tt.entries {
			t.Errorf("%s: %d entries, %v; want %d", tt.name, len(entries), err, tt.entries)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", tt.name, diff)
		}
		if after, _ := os.ReadFile(l.path); string(after) != tt.text {
			t.Errorf("%s: the file was changed", tt.name)
		}
	}
}

// TestIdentity checks that what Identity says is what an append then does.
func TestIdentity(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, device, first string
		want                string
		adopts              bool
		err                 error
	}{
		{name: "nothing yet"},
		{name: "a known device", device: `{"log":"laptop-7f3a"}`, want: "laptop-7f3a"},
		{name: "its log", device: `{"log":"laptop-7f3a"}`, first: "laptop-7f3a", want: "laptop-7f3a"},
		{name: "another's log", device: `{"log":"laptop-7f3a"}`, first: "desk-0001", err: memory.ErrForeign},
		{name: "forgotten", first: "laptop-7f3a", want: "laptop-7f3a", adopts: true},
		{name: "another host's log", first: "desk-7f3a", err: memory.ErrForeign},
	} {
		l := openIn(jsonltest.Dir(t))
		if tt.device != "" {
			write(t, l.o.DeviceFile, tt.device)
		}
		if tt.first != "" {
			write(t, l.path, `{"meta":{"format":1,"log":"`+tt.first+`"}}`+"\n")
		}
		name, adopts, err := l.Identity()
		if !errors.Is(err, tt.err) || err == nil && (name != tt.want || adopts != tt.adopts) {
			t.Errorf("%s: %q, %v, %v", tt.name, name, adopts, err)
		}
		if _, err := os.Stat(l.o.DeviceFile); tt.device == "" && err == nil {
			t.Errorf("%s: device.json was made", tt.name)
		}
	}
	l := openIn(jsonltest.Dir(t))
	write(t, l.o.DeviceFile, "{}")
	if _, _, err := l.Identity(); err == nil {
		t.Error("a device file without a name is taken")
	}
}

func TestCheckHead(t *testing.T) {
	t.Parallel()
	l := openIn(jsonltest.Dir(t))
	if got := l.CheckHead(); got != "" {
		t.Errorf("none: %q", got)
	}
	_, err := l.Append(t.Context(), "", func([]memory.Entry) ([]memory.Record, error) { return []memory.Record{fact(1, "one")}, nil })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(l.o.Head); err != nil {
		t.Skip("this file system keeps no stamps, so there is no head")
	}
	if got := l.CheckHead(); got != "" {
		t.Errorf("just written: %q", got)
	}
	write(t, l.path, "{\"id\":1,\"content\":\"by hand\"}\n")
	if got := l.CheckHead(); got != "the log was changed since by another program" {
		t.Errorf("edited: %q", got)
	}
	if err := os.Remove(l.path); err != nil {
		t.Fatal(err)
	}
	if got := l.CheckHead(); got != "the log that it describes is not there" {
		t.Errorf("removed: %q", got)
	}
	write(t, l.o.Head, "nonsense\n")
	if got := l.CheckHead(); got != "damaged" {
		t.Errorf("damaged: %q", got)
	}
}
