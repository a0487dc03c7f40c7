package app

import (
	"testing"

	"ken/internal/fault"
)

// TestNothingOfThatName: what is named and not there is not found, for every face.
func TestNothingOfThatName(t *testing.T) {
	t.Parallel()
	h := openView(t, "")
	if _, err := h.Settings.Read(); err != nil {
		t.Fatal(err)
	}
	_, policy := h.Settings.Policies().Named("nope")
	_, used := h.Meetings.Decide(MetUse, t.TempDir())
	_, revoked := h.Meetings.Decide(MetRevoke, "/no/repository")
	for name, err := range map[string]error{"policy": policy, "use": used, "revoke": revoked} {
		if err == nil || fault.KindOf(err) != fault.NotFound {
			t.Errorf("%s: kind %v of %v", name, fault.KindOf(err), err)
		}
	}
}
