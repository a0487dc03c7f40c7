package teach

import (
	"testing"
)

func TestTables(t *testing.T) {
	t.Parallel()
	for _, tongue := range tongues() {
		if len(tongue.known) < 20 {
			t.Errorf("%s knows %d words", tongue.name, len(tongue.known))
		}
	}
}
