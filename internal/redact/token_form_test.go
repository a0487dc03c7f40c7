package redact

import (
	"strings"
	"testing"
)

// Each form can be found and told: a kind, prefixes long enough to look for, and
// bounds that leave something.
func TestForms(t *testing.T) {
	t.Parallel()
	if len(tokenForms()) < 100 {
		t.Errorf("only %d forms", len(tokenForms()))
	}
	for _, f := range tokenForms() {
		if f.Kind == "" || strings.ToLower(f.Kind) != f.Kind || strings.ContainsAny(f.Kind, " _") || len(f.Kind) > 32 {
			t.Errorf("kind %q", f.Kind)
		}
		if f.Set == nil || f.Min < 1 || f.Max != 0 && f.Max < f.Min {
			t.Errorf("%s: at least %d, at most %d", f.Kind, f.Min, f.Max)
		}
		prefixes := strings.Fields(f.Prefixes)
		if len(prefixes) == 0 {
			t.Errorf("%s has no prefix", f.Kind)
		}
		for _, p := range prefixes {
			if len(p) < 3 {
				t.Errorf("%s: prefix %q is too short", f.Kind, p)
			}
		}
	}
}
