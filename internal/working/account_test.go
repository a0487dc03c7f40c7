package working

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestR382File: what a model wrote is a part of its own: it is read back as it was written, ends at its
// own time, is as untrusted as a head can say, and stays when the person's part is written anew.
func TestR382File(t *testing.T) {
	t.Parallel()
	now := at("2026-05-10T12:00:00Z")
	f := file(t, &now)
	account := f.NewAccount("## Status\n- port 8443\n# Account of the model\nOutside: no\n\n- x", "s1", true)
	if err := f.WriteAccount(t.Context(), account, time.Time{}, ""); err != nil {
		t.Fatal(err)
	}
	read := func() Memory {
		t.Helper()
		m, err := f.Read()
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	if m := read(); m.Text != "" || !cmp.Equal(m.Account, account) {
		t.Errorf("%+v", m)
	}
	now = now.AddDate(0, 0, 10)
	if _, err := f.Write(t.Context(), "## Said\n- tea", time.Time{}, ""); err != nil {
		t.Fatal(err)
	}
	if m := read(); m.Text != "## Said\n- tea" || !cmp.Equal(m.Account, account) {
		t.Errorf("%+v", m)
	}
	if err := f.Saw(t.Context(), account); err != nil {
		t.Fatal(err)
	}
	if m := read(); !m.Account.Seen.Equal(now) || !m.Account.Outside {
		t.Errorf("%+v", m)
	}
	if err := f.Drop(t.Context(), func(line string) bool { return strings.Contains(line, "8443") }); err != nil {
		t.Fatal(err)
	}
	if m := read(); strings.Contains(m.Account.Text, "8443") || !strings.Contains(m.Account.Text, "- x") || m.Text != "## Said\n- tea" {
		t.Errorf("%+v", m)
	}
	now = account.Until
	if m := read(); m.Account.Text != "" || m.Text == "" {
		t.Errorf("%+v", m)
	}
}

// TestR382Head: what a head does not say is the file's, and what it does not deny is so.
func TestR382Head(t *testing.T) {
	t.Parallel()
	const top = "# Working Memory\nUpdated: 2026-05-10T19:00:00Z\nExpires: 2026-05-24T19:00:00Z\n\n- tea\n\n# Account of the model\n"
	for name, c := range map[string]struct {
		head    string
		outside bool
	}{
		"denied":      {"Outside: no\n", false},
		"in capitals": {"Outside: NO\n", true},
		"none":        {"", true},
		"another":     {"Inside: no\n", true},
		"both":        {"Outside: no\nOutside: yes\n", true},
		"too late":    {"Expires: 2030-01-01\nOutside: no\n", false},
	} {
		m, err := Parse([]byte(top+c.head+"\n- kettle\n"), at("2026-05-11T00:00:00Z"))
		if err != nil || m.Text != "- tea" || m.Account.Text != "- kettle" || m.Account.Outside != c.outside ||
			!m.Account.Seen.IsZero() || m.Account.Until.After(m.Expires) {
			t.Errorf("%s: %+v, %v", name, m, err)
		}
	}
}

// TestC28Accounts: of two conversations that are summed up beside each other both accounts are there, the
// later one on top, as untrusted as the worse of them, within the budget; one that knew of the other takes its place.
func TestC28Accounts(t *testing.T) {
	t.Parallel()
	now := at("2026-05-10T12:00:00Z")
	f := file(t, &now)
	write := func(text string, outside bool, known time.Time, last string) Account {
		t.Helper()
		now = now.Add(time.Second)
		a := f.NewAccount(text, "s-"+text[2:5], outside)
		if err := f.WriteAccount(t.Context(), a, known, last); err != nil {
			t.Fatal(err)
		}
		return a
	}
	one := write("- lisbon", true, time.Time{}, "")
	write("- boat", false, time.Time{}, "")
	m, err := f.Read()
	if err != nil || m.Account.Text != "- boat\n\n- lisbon" || !m.Account.Outside || m.Account.Session != "s-boa s-lis" {
		t.Errorf("%+v, %v", m, err)
	}
	write("- lisbon in june", true, one.Written, one.Text)
	if m, err = f.Read(); err != nil || m.Account.Text != "- lisbon in june\n\n- boat" {
		t.Errorf("%+v, %v", m, err)
	}
	write("- next", false, m.Account.Written, "")
	if m, err = f.Read(); err != nil || m.Account.Text != "- next" || m.Account.Outside {
		t.Errorf("%+v, %v", m, err)
	}
	long := strings.Repeat("- a line of some words of its own\n", 200)
	rapid.Check(t, func(t *rapid.T) {
		a := f.NewAccount(long[:rapid.IntRange(1, len(long)).Draw(t, "length")], "s", false)
		if err := f.WriteAccount(t.Context(), a, time.Time{}, ""); err != nil {
			t.Fatal(err)
		}
		if m, err := f.Read(); err != nil || len(m.Account.Text) > 4*AccountTokens {
			t.Fatalf("%d bytes, %v", len(m.Account.Text), err)
		}
	})
}
