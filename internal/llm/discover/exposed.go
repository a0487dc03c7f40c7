package discover

import (
	"net/url"
	"slices"
	"strings"
)

// Exposed reports whether a request to an address carries a key in plain text to
// another machine, or to a proxy on the way: over http, and not to this machine itself.
// key says that one goes with it; one that stands in the address counts as well.
func Exposed(address string, key bool) bool {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Scheme != "http" || isLocalHost(u.Hostname()) {
		return false
	}
	named := slices.ContainsFunc([]string{"key", "token", "secret", "password", "sig"}, func(word string) bool {
		return strings.Contains(strings.ToLower(u.RawQuery), word)
	})
	return key || u.User != nil || named
}
