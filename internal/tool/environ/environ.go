package environ

import (
	"slices"
	"strconv"
	"strings"
)

// Why a variable stays.
const (
	WhyUsed  = "a key that ken uses"
	WhyName  = "its name says a secret"
	WhyValue = "its value looks like a secret"
)

// A Filter knows what it takes to tell a secret. The zero Filter tells by name and value.
type Filter struct {
	// Used are the names of the variables that hold keys which ken itself uses.
	Used []string
	// Pass are the names of the variables that the person lets through, whatever they hold.
	Pass []string
	// Known reports whether a text holds a secret that is known as such; nil: none is known.
	Known func(text string) bool
}

// A Kept is a variable that stays at home.
type Kept struct {
	Name string
	Why  string // WhyUsed, WhyName or WhyValue
}

// Split returns the variables ("NAME=value") of env that go, in their order, and those that
// stay, by name. A setting of git that is in the environment (GIT_CONFIG_KEY_n and its value)
// goes or stays as a pair, and those that go are counted anew: git refuses to run otherwise.
func (f Filter) Split(env []string) (pass []string, kept []Kept) {
	gone := map[string]bool{} // numbers of the settings of git that stay
	for _, v := range env {
		name, value, _ := strings.Cut(v, "=")
		why := f.Why(name, value)
		if why == "" {
			pass = append(pass, v)
			continue
		}
		kept = append(kept, Kept{name, why})
		if n, ok := strings.CutPrefix(name, gitValue); ok {
			gone[n] = true
		}
	}
	if len(gone) > 0 {
		pass = recount(pass, gone)
	}
	slices.SortFunc(kept, func(a, b Kept) int { return strings.Compare(a.Name, b.Name) })
	return pass, kept
}

// Why returns why a variable stays; "" if it goes.
func (f Filter) Why(name, value string) string {
	switch {
	case slices.Contains(f.Pass, name):
		return ""
	case slices.Contains(f.Used, name):
		return WhyUsed
	case isOfSystem(name), isNothing(value), strings.HasPrefix(name, gitKey):
		return ""
	case f.Known != nil && f.Known(value):
		return WhyUsed
	case says(name, value):
		return WhyName
	case holds(name, value):
		return WhyValue
	}
	return ""
}

// The names of settings of git in an environment, before their numbers.
const (
	gitKey   = "GIT_CONFIG_KEY_"
	gitValue = "GIT_CONFIG_VALUE_"
)

// recount takes the settings of git with the numbers gone out of env and numbers the others
// from 0.
func recount(env []string, gone map[string]bool) []string {
	var numbers []int
	for _, v := range env {
		name, _, _ := strings.Cut(v, "=")
		if n, ok := strings.CutPrefix(name, gitKey); ok && !gone[n] {
			if i, err := strconv.Atoi(n); err == nil {
				numbers = append(numbers, i)
			}
		}
	}
	slices.Sort(numbers)
	var out []string
	for _, v := range env {
		name, value, _ := strings.Cut(v, "=")
		if name == "GIT_CONFIG_COUNT" {
			v = name + "=" + strconv.Itoa(len(numbers))
		}
		for _, head := range []string{gitKey, gitValue} {
			if n, ok := strings.CutPrefix(name, head); ok {
				i, _ := strconv.Atoi(n)
				v = ""
				if at := slices.Index(numbers, i); at >= 0 {
					v = head + strconv.Itoa(at) + "=" + value
				}
			}
		}
		if v != "" {
			out = append(out, v)
		}
	}
	return out
}
