package literals

import "testing"

// TestTelling: what may stand in any text is not looked for by itself.
func TestTelling(t *testing.T) {
	t.Parallel()
	for secret, want := range map[string]bool{
		"orchid": false, "Elizabeth": false, "opensesame": false, "481219": false, "x1": false,
		"48121976": true, "hunter2": true, "openSesame": true, "open!sesame": true,
		"orbit cactus velvet ladder pigeon": true, "St. James": false,
	} {
		if Telling(secret) != want {
			t.Errorf("Telling(%q) is %v", secret, !want)
		}
	}
}
