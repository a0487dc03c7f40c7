package index

import (
	"strings"
	"testing"
)

// TestIdentifiers: names of things, and what only looks like them.
func TestIdentifiers(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"what does fetchUser do with E4107?":       "fetchuser e4107",
		"is /etc/hosts read by v1.2 or by C++?":    "etc/hosts v1.2 c++",
		"KEN_HOME, KEN_HOME and a@b.example":       "ken_home a@b.example",
		"a well-known 18-year-old on the 2nd, 9am": "",
		"Ada McDonald in 2026, NATO and the U.K.":  "mcdonald u.k",
		"红茶v2 🎉 茶":                                 "",
		"":                                         "",
	} {
		var list []string
		all := Terms(query)
		for _, id := range Identifiers(query) {
			list = append(list, id.Text)
			found := false
			for _, t := range all {
				found = found || t == id
			}
			if !found {
				t.Errorf("%q: %q is no term of it", query, id.Text)
			}
		}
		if got := strings.Join(list, " "); got != want {
			t.Errorf("%q: %q, want %q", query, got, want)
		}
	}
}
