package view

import (
	_ "embed" // for what is said of the settings
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"ken/internal/config"
	"ken/internal/config/edit"
	"ken/internal/termsafe"
)

// A Setting is one with where it comes from: "default", "FILE:ROW",
// "environment NAME" or "flag".
type Setting struct {
	config.Setting
	From string
}

// SettingsText writes settings as TOML, each value, masked, with where it comes
// from behind it: whole tables with their headers, or the whole key on each line.
func SettingsText(all []Setting, headers bool, mask func(string) string) string {
	var lines []string
	var comments []string // behind lines, "" for none
	table := ""
	for _, s := range all {
		key := edit.Key(s.Key...)
		if headers {
			last := len(s.Key) - 1
			if t := edit.Key(s.Key[:last]...); t != table {
				table = t
				lines, comments = append(lines, "", "["+t+"]"), append(comments, "", "")
			}
			key = edit.Key(s.Key[last])
		}
		lines = append(lines, termsafe.Line(key+" = "+mask(edit.Literal(s.Value))))
		comments = append(comments, termsafe.Line(s.From))
	}
	wide := 0
	const most = 44 // a longer line does not push the others
	for _, l := range lines {
		if n := termsafe.Width(l); n <= most {
			wide = max(wide, n)
		}
	}
	for i, c := range comments {
		if c != "" {
			lines[i] += strings.Repeat(" ", max(0, wide-termsafe.Width(lines[i]))) + "  # " + c
		}
	}
	return strings.Join(lines, "\n")
}

// DefaultSettings returns a file of settings with every key that does something at its
// default, commented out. Lines whose # is followed by no space are TOML.
func DefaultSettings() string {
	c := config.Default()
	c.Models = map[string]config.Model{"local": config.DefaultModel()}
	c.Keys = map[string]string{`\C-n`: "auto"}
	var b strings.Builder
	b.WriteString(`# The settings of ken, all at their defaults. To change one, take away the # in
# front of its line. A key that ken does not know is an error, told with its row.

`)
	const wide = 32 // longer lines do not push the others
	table := ""
	for _, s := range c.Settings() {
		if config.IsUnused(edit.Key(s.Key...)) {
			continue
		}
		last := len(s.Key) - 1
		if t := edit.Key(s.Key[:last]...); t != table {
			table = t
			fmt.Fprintf(&b, "\n%s\n", headerOf(s.Key[:last]))
		}
		line := "#" + edit.Key(s.Key[last]) + " = " + edit.Literal(s.Value)
		fmt.Fprintf(&b, "%-*s  # %s\n", wide, line, aboutSetting(s))
	}
	return b.String()
}

// headerOf writes the header of a table. Of those whose names a person chooses
// there is an example.
func headerOf(table []string) string {
	header := "[" + edit.Key(table...) + "]"
	switch {
	case table[0] == "models" && len(table) > 1:
		return "# A preset says where a model is and how to talk to it. Any name will do.\n#" + header
	case table[0] == "keys":
		return "# Key sequences of the shell, as in inputrc, and what they do.\n" + header
	}
	return header
}

// aboutSetting is what a setting does, and what it may be.
func aboutSetting(s config.Setting) string {
	text := settingAbout(s.Key)
	switch s.Value.(type) {
	case bool, []string, time.Duration:
		return text
	}
	if s.Want == "a string" {
		return text
	}
	return text + " (" + s.Want + ")"
}

// settingAbout is what a setting does, in a few words; "" for one that is not in the
// list. A name that the person chooses stands there as *.
func settingAbout(key []string) string {
	key = slices.Clone(key)
	switch key[0] {
	case "models":
		if len(key) > 2 {
			key[1] = "*"
		}
	case "keys":
		key[1] = "*"
	case "mcp":
		if len(key) >= 4 {
			key[2] = "*"
		}
		if len(key) == 5 {
			key[4] = "*" // a variable
		}
	}
	name := strings.ReplaceAll(edit.Key(key...), `"*"`, "*")
	for line := range strings.Lines(abouts) {
		if text, ok := strings.CutPrefix(line, name+": "); ok {
			return strings.TrimSpace(text)
		}
	}
	return ""
}

//go:embed settings.txt
var abouts string

// Places are where ken's files are, for a program.
type Places struct {
	Config   string `json:"config"`
	Policies string `json:"policies"`
	Data     string `json:"data"`
	Memory   string `json:"memory"`
	Sessions string `json:"sessions"`
	Peers    string `json:"peers"`
	State    string `json:"state"`
	Cache    string `json:"cache"`
	Runtime  string `json:"runtime"`
}

// PlacesOf is p for a program.
func PlacesOf(p config.Paths) Places {
	return Places{
		Config: p.ConfigFile(), Policies: p.Policies(), Data: p.Data, Memory: p.Memory(), Sessions: p.Sessions(),
		Peers: p.Peers(), State: p.State, Cache: p.Cache, Runtime: p.Runtime,
	}
}

// A SettingRow is the JSON shape of a setting.
type SettingRow struct {
	Key   string `json:"key"`
	Value any    `json:"value"`
	From  string `json:"from"`
}

// SettingsOf is settings for a program, masked.
func SettingsOf(all []Setting, mask func(string) string) []SettingRow {
	rows := make([]SettingRow, len(all))
	for i, s := range all {
		rows[i] = SettingRow{edit.Key(s.Key...), plain(mask, s.Value), s.From}
	}
	return rows
}

// plain is a value for a program, with secrets masked.
func plain(mask func(string) string, v any) any {
	switch v := v.(type) {
	case string:
		return mask(v)
	case time.Duration:
		return edit.Span(v)
	case []string:
		list := make([]string, len(v))
		for i, s := range v {
			list[i] = mask(s)
		}
		return list
	}
	return v
}

// A SetResult is what was done to one key.
type SetResult struct {
	Key     string `json:"key"`
	Value   any    `json:"value"`           // that holds now; null if nothing does
	Was     any    `json:"was"`             // that held before; null if nothing did, or if it could not be read
	Unset   bool   `json:"unset,omitempty"` // it was taken out of the file
	Changed bool   `json:"changed"`
	DryRun  bool   `json:"dry_run,omitempty"`
	now     string // Value as TOML
	was     string // what was before, in words
}

// SetResultOf compares what holds for a key before and after. old is nil if the file
// was broken.
func SetResultOf(key []string, unset bool, old, now *config.Config, mask func(string) string) SetResult {
	d := SetResult{Key: edit.Key(key...), Unset: unset, Changed: true, was: "the file had mistakes before"}
	literal := func(v any) string { return termsafe.Line(mask(edit.Literal(v))) }
	after, is := settingAt(*now, key)
	if is {
		d.Value, d.now = plain(mask, after.Value), literal(after.Value)
	}
	if old == nil {
		return d
	}
	before, was := settingAt(*old, key)
	d.Changed = was != is || before.Row > 0 != (after.Row > 0) || !reflect.DeepEqual(before.Value, after.Value)
	switch {
	case was:
		d.Was, d.was = plain(mask, before.Value), "was: "+literal(before.Value)
		if before.Row == 0 {
			d.was = "was the default: " + literal(before.Value)
		}
	case is:
		d.was = "was not set"
	default: // a table
		n := 0
		for _, s := range old.Settings() {
			if IsUnder(key, s.Key) && s.Row > 0 {
				n++
			}
		}
		d.Changed, d.was = n > 0, "had "+Count(n, "setting")
	}
	if !d.Changed {
		d.was = "as it was"
	}
	return d
}

func settingAt(c config.Config, key []string) (config.Setting, bool) {
	all := c.Settings()
	i := slices.IndexFunc(all, func(s config.Setting) bool { return slices.Equal(s.Key, key) })
	if i < 0 {
		return config.Setting{}, false
	}
	return all[i], true
}

// Text returns what was done, for a person.
func (d SetResult) Text() string {
	switch {
	case d.now == "":
		return fmt.Sprintf("config: %s is not in the file (%s)", d.Key, d.was)
	case d.Unset:
		return fmt.Sprintf("config: %s = %s, the default (%s)", d.Key, d.now, d.was)
	}
	return fmt.Sprintf("config: %s = %s (%s)", d.Key, d.now, d.was)
}

// IsUnder reports whether key is above, or in that table.
func IsUnder(above, key []string) bool {
	return len(above) <= len(key) && slices.Equal(above, key[:len(above)])
}
