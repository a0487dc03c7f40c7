package place

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // the zones are here on every machine

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestE3Release(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nNAME=\"Debian GNU/Linux\"\nVERSION_ID=\"12\"\nID=debian\n": "Debian 12",
		"NAME=\"Ubuntu\"\nVERSION_ID=\"24.04\"\n":  "Ubuntu 24.04",
		"NAME='Fedora Linux'\r\nVERSION_ID=41\r\n": "Fedora Linux 41",
		"NAME=\"Arch Linux\"\nBUILD_ID=rolling\n":  "Arch Linux",
		"# none\nPRETTY_NAME=\"Some Thing 3\"\n":   "Some Thing 3",
		"":                                         "",
		strings.Repeat("X=1\n", 1000) + "NAME=Alpine\nVERSION_ID=3.20": "Alpine 3.20",
	} {
		if got := release(src); got != want {
			t.Errorf("%q is %q, want %q", src[:min(len(src), 60)], got, want)
		}
	}
	plist := "<dict>\n<key>ProductName</key>\n<string>macOS</string>\n<key>ProductVersion</key>\n\t<string>15.2</string>\n</dict>"
	if got := productVersion(plist); got != "15.2" {
		t.Errorf("macOS %q", got)
	}
	for _, src := range []string{"", "<key>ProductVersion</key>", "<key>ProductVersion</key><string>15"} {
		if got := productVersion(src); got != "" {
			t.Errorf("%q is %q", src, got)
		}
	}
	if OS() == "" {
		t.Error("this system has no name")
	}
}

// TestE3Zone: a zone has a name where the system gives it one, and one distance from UTC a day.
func TestE3Zone(t *testing.T) {
	t.Parallel()
	lisbon, err := time.LoadLocation("Europe/Lisbon")
	if err != nil {
		t.Fatal(err)
	}
	july, west := time.Date(2026, 7, 1, 0, 30, 0, 0, lisbon), time.FixedZone("x", -3*3600-1800)
	for _, c := range []struct {
		at             time.Time
		tz, link, want string
	}{
		{july, "Europe/Lisbon", "", "Europe/Lisbon (UTC+01:00)"},
		{july, ":Europe/Lisbon", "", "Europe/Lisbon (UTC+01:00)"},
		{july, "", "/usr/share/zoneinfo/Europe/Lisbon", "Europe/Lisbon (UTC+01:00)"},
		{july, "", "../usr/share/zoneinfo.default/x", "UTC+01:00"},
		{july, "x\n[rules]/y", "/usr/share/zoneinfo/Europe/Lisbon", "UTC+01:00"},
		{time.Date(2026, 1, 1, 0, 30, 0, 0, lisbon), "WET0WEST", "", "UTC"},
		{time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), "UTC", "", "UTC"},
		{time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), "", "/usr/share/zoneinfo/Etc/UTC", "UTC"},
		{time.Date(2026, 1, 1, 0, 0, 0, 0, west), "America/Argentina/Ushuaia", "", "America/Argentina/Ushuaia (UTC-03:30)"},
	} {
		if got := Zone(c.at, c.tz, c.link); got != c.want {
			t.Errorf("%v, %q, %q: %q, want %q", c.at, c.tz, c.link, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) { // the days on which the clocks change as well
		day := time.Date(2026, 1, rapid.IntRange(1, 365).Draw(t, "day"), 0, 0, 0, 0, lisbon)
		at := time.Date(day.Year(), day.Month(), day.Day(), rapid.IntRange(0, 23).Draw(t, "hour"), 59, 0, 0, lisbon)
		if at.Day() != day.Day() {
			return // there is no such hour
		}
		if Day(at) != Day(day) || Zone(at, "Europe/Lisbon", "") != Zone(day, "Europe/Lisbon", "") {
			t.Fatalf("%v: %s, %s", at, Day(at), Zone(at, "Europe/Lisbon", ""))
		}
	})
}

// TestE3Unnamed: no part of a path is the name of the account.
func TestE3Unnamed(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"~/src/tea": "~/src/tea", "/srv/ada/x": "/srv/$USER/x", "/srv/ada": "/srv/$USER", "ada/fix": "$USER/fix",
		"/srv/adam/x": "/srv/adam/x", "": "", "/": "/",
	} {
		if got := Unnamed(path, "ada", "ada"); got != want {
			t.Errorf("%q is %q, want %q", path, got, want)
		}
	}
}

// TestE3Branch: the branch is what git's file says now, and a file that is none says nothing.
func TestE3Branch(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	for _, dir := range []string{".git/refs", ".git/objects"} {
		if err := os.MkdirAll(filepath.Join(top, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	head := filepath.Join(top, ".git", "HEAD")
	for src, want := range map[string]string{
		"ref: refs/heads/main\n": "main", "ref: refs/heads/fix/spout": "fix/spout", "ref:refs/heads/x\r\n": "x",
		"ref: refs/heads/.invalid\n":                 "",
		"0123456789abcdef0123456789abcdef01234567\n": Detached, "": "", "noise": "", "ref: refs/remotes/o/m": "refs/remotes/o/m",
		strings.Repeat("x", maxGitFile+1): "",
	} {
		if err := os.WriteFile(head, []byte(src), 0o600); err != nil {
			t.Fatal(err)
		}
		p, err := Find(top, "")
		if err != nil || p.Repo == nil {
			t.Fatal(p, err)
		}
		if got := p.Repo.Branch(); got != want {
			t.Errorf("%q: %q, want %q", src[:min(len(src), 40)], got, want)
		}
	}
	p, err := Find(top, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(head); err != nil {
		t.Fatal(err)
	}
	if got := p.Repo.Branch(); got != "" {
		t.Errorf("without a file: %q", got)
	}
	if got, want := p.Repo.Name(), filepath.Base(p.Repo.Top); got != want {
		t.Errorf("called %q, want %q", got, want)
	}
	p.Repo.Identities = []string{"example.org/me/kettle"}
	if got := p.Repo.Name(); got != "kettle" {
		t.Errorf("called %q by its remote", got)
	}
}

func TestE3Lines(t *testing.T) {
	t.Parallel()
	e := Environment{OS: "Debian 12", Branch: "main", Date: "2026-11-22, Sunday"}
	if diff := cmp.Diff([]string{"os: Debian 12", "branch: main", "date: 2026-11-22, Sunday"}, e.Lines()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if lines := (Environment{}).Lines(); len(lines) > 0 {
		t.Errorf("of nothing: %q", lines)
	}
	if got := e.Map(strings.ToUpper); got.OS != "DEBIAN 12" || got.Branch != "MAIN" || got.Zone != "" {
		t.Errorf("mapped: %+v", got)
	}
}
