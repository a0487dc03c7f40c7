package config

import (
	"fmt"
	"math"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2/unstable"
)

// A field is one known key: its path below the table it belongs to, how a value
// gets from the file into the Config, and the value that the Config has. set
// calls bad for everything that is wrong with the value; with nothing wrong the
// Config has it.
type field struct {
	path string
	want string // what the value may be, in words
	get  func() any
	set  func(v value, bad badFunc)
}

// A badFunc takes what is wrong with a value.
type badFunc func(v value, format string, args ...any)

// A rule says what is wrong with a string, or "" if nothing is.
type rule func(s string) string

// str is a key whose value is a string that keeps all rules.
func str(path string, dst *string, rules ...rule) field {
	return field{path, "a string", func() any { return *dst }, func(v value, bad badFunc) {
		if v.kind != unstable.String {
			bad(v, "want a string, got %s", v.what())
			return
		}
		for _, r := range rules {
			if wrong := r(v.text); wrong != "" {
				bad(v, "%s", wrong)
				return
			}
		}
		*dst = v.text
	}}
}

// list is a key whose value is a list of strings that keep all rules.
func list(path string, dst *[]string, rules ...rule) field {
	return field{path, "a list of strings", func() any { return *dst }, func(v value, bad badFunc) {
		if v.kind != unstable.Array {
			bad(v, `want a list of strings such as ["a", "b"], got %s`, v.what())
			return
		}
		var all []string
		for _, e := range v.list {
			var s string
			str(path, &s, rules...).set(e, bad)
			all = append(all, s)
		}
		*dst = all
	}}
}

// boolean is a key whose value is true or false.
func boolean(path string, dst *bool) field {
	return field{path, "true or false", func() any { return *dst }, func(v value, bad badFunc) {
		if v.kind != unstable.Bool {
			bad(v, "want true or false, got %s", v.what())
			return
		}
		*dst = v.text == "true"
	}}
}

// whole is a key whose value is an integer from lo to hi.
func whole(path string, dst *int, lo, hi int) field {
	want := allowed(float64(lo), float64(hi))
	return field{path, want, func() any { return *dst }, func(v value, bad badFunc) {
		if v.kind != unstable.Integer {
			bad(v, "want a whole number, %s, got %s", want, v.what())
			return
		}
		n, ok := v.int()
		if !ok || n < lo || n > hi {
			bad(v, "%s is out of range: want %s", clip(v.text), want)
			return
		}
		*dst = n
	}}
}

// unbounded is the upper end of a range of integers without one. It is also the
// largest that every system's int holds.
const unbounded = math.MaxInt32

// allowed says a range in words.
func allowed(lo, hi float64) string {
	if hi >= unbounded {
		return fmt.Sprintf("%g or more", lo)
	}
	return fmt.Sprintf("%g to %g", lo, hi)
}

// atLeast is a key whose value is an integer of lo or more.
func atLeast(path string, dst *int, lo int) field { return whole(path, dst, lo, unbounded) }

// orNone is a key whose value is an integer of lo or more, or 0.
func orNone(path string, dst *int, lo int) field {
	f := atLeast(path, dst, lo)
	known := f.set
	f.want = "0, or " + f.want
	f.set = func(v value, bad badFunc) {
		if n, ok := v.int(); ok && v.kind == unstable.Integer && n == 0 {
			*dst = 0
			return
		}
		known(v, bad)
	}
	return f
}

// number is a key whose value is a number from lo to hi, fractions allowed.
func number(path string, dst *float64, lo, hi float64) field {
	return field{path, allowed(lo, hi), func() any { return *dst }, func(v value, bad badFunc) {
		f, ok := v.float()
		if !ok {
			bad(v, "want a number, %s, got %s", allowed(lo, hi), v.what())
			return
		}
		if !(f >= lo && f <= hi) || math.IsInf(f, 0) { // not the reverse: NaN is in no range
			bad(v, "%s is out of range: want %s", clip(v.text), allowed(lo, hi))
			return
		}
		*dst = f
	}}
}

// span is a key whose value is a length of time; 0, with or without quotes, is
// none.
func span(path string, dst *time.Duration) field {
	const want = `want a time such as "500ms", "10s" or "2m", or 0 for none`
	return field{path, want[len("want "):], func() any { return *dst }, func(v value, bad badFunc) {
		n, isInt := v.int()
		switch {
		case isInt && n == 0:
			*dst = 0
			return
		case v.kind == unstable.Integer || v.kind == unstable.Float:
			bad(v, "%s has no unit: %s", clip(v.text), want)
			return
		case v.kind != unstable.String:
			bad(v, "%s, got %s", want, v.what())
			return
		}
		d, err := time.ParseDuration(v.text)
		if err != nil || d < 0 {
			bad(v, "%q is no time: %s", clip(v.text), want)
			return
		}
		*dst = d
	}}
}

// choice is a key whose value is one of a few words.
func choice(path string, dst *string, words ...string) field {
	f := str(path, dst, oneOf(words...))
	last := len(words) - 1
	f.want = strings.Join(words[:last], ", ") + " or " + words[last]
	return f
}

// oneOf is the rule of a short list of allowed words.
func oneOf(words ...string) rule {
	return func(s string) string {
		for _, w := range words {
			if s == w {
				return ""
			}
		}
		return fmt.Sprintf("%q is not one of %s", clip(s), strings.Join(words, ", ")) + meant(s, words)
	}
}

// webURL is the rule of an address of a web service; empty is allowed.
// Messages do not repeat it: an address may hold a password.
func webURL(s string) string {
	if s == "" {
		return ""
	}
	const want = `want an address such as "http://127.0.0.1:11434/v1"`
	u, err := url.Parse(s)
	switch {
	case err != nil || strings.ContainsAny(s, " \t\r\n"):
		return "not an address: " + want
	case u.Scheme != "http" && u.Scheme != "https":
		return "no http:// or https:// in front: " + want
	case u.Hostname() == "":
		return "no host: " + want
	}
	return ""
}

// envName is the rule of the name of an environment variable; empty is
// allowed. The message does not repeat the value: it may be the secret itself,
// put in the wrong place.
func envName(s string) string {
	for i, c := range []byte(s) {
		if c != '_' && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && (i == 0 || c < '0' || c > '9') {
			return `want the name of an environment variable such as "OPENAI_API_KEY", not the secret itself`
		}
	}
	return ""
}

// filePath is the rule of a path that does not depend on the working
// directory; empty is allowed.
func filePath(s string) string {
	switch {
	case s == "" || s == "~" || strings.HasPrefix(s, "~/") || filepath.IsAbs(s):
	case strings.HasPrefix(s, "~"):
		return `another person's home is not looked up: want an absolute path, or one that begins with "~/"`
	default:
		return `want an absolute path, or one that begins with "~/"`
	}
	if strings.ContainsRune(s, 0) {
		return "a path cannot hold a NUL"
	}
	return ""
}

// label is the rule of user_namespace; empty is allowed.
func label(s string) string {
	const want = "want 1 to 32 of a-z, 0-9 and -"
	if len(s) > 32 {
		return fmt.Sprintf("%d characters: %s", len([]rune(s)), want)
	}
	for _, c := range []byte(s) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return fmt.Sprintf("%q: %s", s, want)
		}
	}
	return ""
}
