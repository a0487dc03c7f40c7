package audit_test

import (
	"testing"

	"ken/internal/audit"
)

// TestRehash: the hash of a command is sealed once, and nothing else changes.
func TestRehash(t *testing.T) {
	t.Parallel()
	seal := func(hash string) string { return hash + "!" }
	for line, want := range map[string]string{
		`{"act":"run","cmd":"5f","approval":3}`:             `{"act":"run","cmd":"5f!","approval":3,"keyed":true}`,
		`{"act":"run","cmd":"5f!","keyed":true,"lane":"u"}`: "",
		`{"act":"archive","refs":["cmd"]}`:                  "",
		`{"act":"run","cmd":5}`:                             "",
		`"cmd"`:                                             "",
	} {
		out, ok := audit.Rehash([]byte(line), seal)
		if want == "" && (ok || string(out) != line) || want != "" && (!ok || string(out) != want) {
			t.Errorf("%s became %s, %v", line, out, ok)
		}
	}
}
