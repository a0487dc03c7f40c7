package session

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// manySessions makes n files of turns turns each, as a year of use leaves them.
func manySessions(tb testing.TB, n, turns int) Dir {
	tb.Helper()
	d := Dir{Path: tb.TempDir()}
	at := time.Date(2026, 5, 10, 19, 0, 1, 0, time.UTC)
	for i := range n {
		id := at.Add(time.Duration(i)*time.Minute).Format(idTime) + fmt.Sprintf("-%04x", i)
		h := Header{Format: Format, Session: id, Started: at, Channel: ChannelTerminal, Scope: "repo:example.org/me/kettle"}
		b, err := h.line()
		if err != nil {
			tb.Fatal(err)
		}
		for j := range turns {
			role := RoleUser
			if j%2 == 1 {
				role = RoleAssistant
			}
			l, err := Turn{N: j + 1, Time: at, Role: role, Content: strings.Repeat("how the kettle is wired, and why; ", 10)}.line()
			if err != nil {
				tb.Fatal(err)
			}
			b = append(b, l...)
		}
		if err := os.WriteFile(filepath.Join(d.Path, id+suffix), b, 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	return d
}

func BenchmarkList(b *testing.B) {
	d := manySessions(b, 1000, 20)
	b.ReportAllocs()
	for b.Loop() {
		list, warnings, err := d.List()
		if err != nil || len(warnings) > 0 || len(list) != 1000 || list[7].Turns != 20 {
			b.Fatal(len(list), warnings, err)
		}
	}
}

func BenchmarkLatest(b *testing.B) {
	d := manySessions(b, 1000, 20)
	for b.Loop() {
		if _, _, err := d.Latest(func(h Header) bool { return h.Channel == ChannelTerminal }); err != nil {
			b.Fatal(err)
		}
	}
}
