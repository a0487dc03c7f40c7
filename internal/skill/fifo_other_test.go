//go:build !unix

package skill

import "testing"

// fifo is asked for where there are pipes in directories alone.
func fifo(t *testing.T, _ string) {
	t.Helper()
	t.Skip("no pipes")
}
