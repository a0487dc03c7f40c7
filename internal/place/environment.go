package place

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// An Environment is what a model is told of where, when and with what a person works. A
// field that is "" is not told. There is nothing in it that changes by the minute, and
// neither the name of the machine nor that of the account.
type Environment struct {
	OS         string // "Debian 12"
	Shell      string // "zsh"
	Directory  string // with "~" for the home directory: "~/src/tea"
	Repository string // "tea"
	Branch     string // "main"
	Date       string // "2026-11-22, Sunday"
	Zone       string // "Europe/Lisbon (UTC+00:00)"
}

// Lines returns the environment a field a line: "os: Debian 12". The values stand as they
// are: whoever sends them cleans them.
func (e Environment) Lines() []string {
	var lines []string
	for _, f := range e.fields() {
		if f[1] != "" {
			lines = append(lines, f[0]+": "+f[1])
		}
	}
	return lines
}

func (e Environment) fields() [][2]string {
	return [][2]string{
		{"os", e.OS},
		{"shell", e.Shell},
		{"directory", e.Directory},
		{"repository", e.Repository},
		{"branch", e.Branch},
		{"date", e.Date},
		{"time zone", e.Zone},
	}
}

// Map returns e with each value as f makes it.
func (e Environment) Map(f func(string) string) Environment {
	for _, v := range []*string{&e.OS, &e.Shell, &e.Directory, &e.Repository, &e.Branch, &e.Date, &e.Zone} {
		*v = f(*v)
	}
	return e
}

// OS returns the name by which people know the operating system, "Debian 12", and as much
// of it as can be read. No program is run.
func OS() string { return osName(filepath.FromSlash("/")) }

// Day returns the day of a moment as a model reads it best, where the person is.
func Day(at time.Time) string { return at.Format("2006-01-02, Monday") }

// Zone returns the time zone of day's location as people and models know it: by the name
// that the variable TZ or the system gives it, with its distance from UTC at noon of that
// day, so that it is the same all day long.
func Zone(day time.Time, tz, link string) string {
	y, m, d := day.Date()
	offset := time.Date(y, m, d, 12, 0, 0, 0, day.Location()).Format("-07:00")
	if offset == "+00:00" {
		offset = ""
	}
	offset = "UTC" + offset
	for _, name := range []string{strings.TrimPrefix(tz, ":"), link} {
		if _, below, ok := strings.Cut(name, "zoneinfo/"); ok {
			name = below
		}
		if named().MatchString(name) && !strings.HasPrefix(name, "Etc/") {
			return name + " (" + offset + ")"
		}
		if tz != "" {
			break // what the system has does not count
		}
	}
	return offset
}

// named matches the names of zones: Europe/Lisbon, America/Argentina/Ushuaia.
func named() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z_]{2,20}(/[A-Za-z0-9_+-]{2,20}){1,2}$`)
}

// Unnamed returns a path with "$USER" in the place of each part that is one of the names,
// which are those of the account: a shell still finds the way.
func Unnamed(path string, names ...string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		if p != "" && slices.Contains(names, p) {
			parts[i] = "$USER"
		}
	}
	return strings.Join(parts, "/")
}

// release returns the name of a system by its file os-release: NAME and VERSION_ID, as
// "Debian GNU/Linux" and "12" are "Debian 12".
func release(src string) string {
	fields := make(map[string]string)
	for line := range strings.Lines(src) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), "=")
		if ok {
			fields[key] = strings.Trim(value, `"'`)
		}
	}
	name := strings.TrimSuffix(fields["NAME"], " GNU/Linux")
	if name == "" {
		return fields["PRETTY_NAME"]
	}
	return strings.TrimSpace(name + " " + fields["VERSION_ID"])
}

// productVersion returns the version of macOS in SystemVersion.plist: "15.2"; "" if there
// is none.
func productVersion(src string) string {
	_, rest, _ := strings.Cut(src, "<key>ProductVersion</key>")
	_, rest, ok := strings.Cut(rest, "<string>")
	version, _, end := strings.Cut(rest, "</string>")
	if !ok || !end {
		return ""
	}
	return strings.TrimSpace(version)
}
