package view

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ken/internal/config"
	"ken/internal/config/edit"
)

// TestDefaultSettings checks the file that shows all defaults: as it stands it
// sets nothing, and with every # taken away it is exactly the defaults.
func TestDefaultSettings(t *testing.T) {
	t.Parallel()
	text := DefaultSettings()
	c, err := config.Parse([]byte(text), "f")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range c.Settings() {
		if s.Row > 0 {
			t.Errorf("%s is set on row %d", s.Key, s.Row)
		}
	}
	all := regexp.MustCompile(`(?m)^#(\S)`).ReplaceAllString(text, "$1")
	if c, err = config.Parse([]byte(all), "f"); err != nil {
		t.Fatalf("%v\n%s", err, all)
	}
	for _, s := range c.Settings() {
		if does := !config.IsUnused(edit.Key(s.Key...)); does != (s.Row > 0) {
			t.Errorf("%s: does something %t, on row %d", s.Key, does, s.Row)
		}
	}
	want := config.Default()
	want.Models = map[string]config.Model{"local": config.DefaultModel()}
	want.Keys = map[string]string{`\C-n`: "auto"}
	if diff := cmp.Diff(want, c, cmpopts.IgnoreUnexported(config.Config{}), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-default +got)\n%s", diff)
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "# ") && !strings.HasPrefix(line, "#[") && !regexp.MustCompile(`  # \S`).MatchString(line) {
			t.Errorf("nothing is said of %s", line)
		}
	}
}

func TestReport(t *testing.T) {
	t.Parallel()
	var r Report
	if got, want := r.Summary(), "checked 0 files, 0 lines: nothing wrong"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	r.Files, r.Lines = 1, 1234567
	r.Add(Finding{Level: LevelError, File: "/d/a", Line: 3, What: `got "abcdefghijklmnopqrstuvwxyz...; ignored`, Hint: "h"})
	r.Add(Finding{Level: LevelWarning, File: "/d/a\x1b[2J", What: "w\x1b[2J", Hint: "h"})
	r.Add(Finding{Level: LevelNote, File: "/d/b", Line: 1, Column: 2, What: `short... and "[masked:key:1a2b...`})
	r.Add(Finding{Level: LevelNote, File: "/d/b", What: "n"})
	if got, want := r.Summary(), "checked 1 file, 1,234,567 lines: 1 error, 1 warning, 2 notes"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	var lines []string
	for _, f := range r.Findings {
		lines = append(lines, f.Text(func(p string) string { return strings.TrimPrefix(p, "/d/") }))
	}
	want := []string{`a:3: error: got "abcdefgh...; ignored`, "a: warning: w", `b:1:2: note: short... and "[masked:key:1a2b...`, "b: note: n"}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]string{"h"}, r.Hints()); diff != "" {
		t.Errorf("hints (-want +got)\n%s", diff)
	}
}

// TestSettingsText checks that what is shown can be saved: it is a file of the
// same settings.
func TestSettingsText(t *testing.T) {
	t.Parallel()
	src := "model = \"my fast\"\n[models.fast]\nmodel = \"a # b\"\n[models.\"1.5b\"]\nbase_url = \"http://h\"\n[mcp.servers.x]\ncommand = [\"a\", \"b\"]\n[keys]\n'\\C-n' = \"auto\"\n[memory.hygiene]\nbatch = 9\n[ui]\nquiet = true\n"
	src = strings.Replace(src, "my fast", "fast", 1)
	want, err := config.Parse([]byte(src), "f")
	if err != nil {
		t.Fatal(err)
	}
	var all []Setting
	for _, s := range want.Settings() {
		all = append(all, Setting{s, "f:1"})
	}
	for _, headers := range []bool{true, false} {
		text := SettingsText(all, headers, func(s string) string { return s })
		got, err := config.Parse([]byte(text), "f")
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(config.Config{}), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("headers %v (-want +got)\n%s\n%s", headers, diff, text)
		}
	}
	if rows := SettingsOf(all, strings.ToUpper); rows[0].Value != "FAST" || rows[0].From != "f:1" || len(rows) != len(all) {
		t.Errorf("%+v", rows[0])
	}
}

func TestSetResult(t *testing.T) {
	t.Parallel()
	parse := func(src string) *config.Config {
		c, err := config.Parse([]byte(src), "f")
		if err != nil {
			t.Fatal(err)
		}
		return &c
	}
	for _, tt := range []struct {
		key      string
		unset    bool
		old, now string
		want     string
		changed  bool
	}{
		{"ui.quiet", false, "", "ui.quiet = true", "config: ui.quiet = true (was the default: false)", true},
		{"ui.quiet", false, "ui.quiet = false", "ui.quiet = true", "config: ui.quiet = true (was: false)", true},
		{"ui.quiet", false, "", "ui.quiet = false", "config: ui.quiet = false (was the default: false)", true},
		{"ui.quiet", false, "ui.quiet = true", "ui.quiet = true", "config: ui.quiet = true (as it was)", false},
		{"ui.quiet", true, "ui.quiet = true", "", "config: ui.quiet = false, the default (was: true)", true},
		{"ui.quiet", true, "", "", "config: ui.quiet = false, the default (as it was)", false},
		{"models.x.model", false, "", "models.x.model = 'a'", `config: models.x.model = "a" (was not set)`, true},
		{"models", true, "models.x.model = 'a'", "", "config: models is not in the file (had 1 setting)", true},
		{"models", true, "", "", "config: models is not in the file (as it was)", false},
	} {
		d := SetResultOf(strings.Split(tt.key, "."), tt.unset, parse(tt.old), parse(tt.now), func(s string) string { return s })
		if d.Text() != tt.want || d.Changed != tt.changed {
			t.Errorf("%q -> %q: %s, changed %v; want %s", tt.old, tt.now, d.Text(), d.Changed, tt.want)
		}
	}
	d := SetResultOf([]string{"ui", "quiet"}, false, nil, parse("ui.quiet = true"), func(s string) string { return s })
	if want := "config: ui.quiet = true (the file had mistakes before)"; d.Text() != want {
		t.Errorf("%s, want %s", d.Text(), want)
	}
}
