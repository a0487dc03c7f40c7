package jsonltest

import (
	"os"
	"testing"
)

// Dir returns a directory for the test, in memory where the machine has such a
// thing: nothing on a Disk is really synced, and thousands of cases need not
// wait for a real disk.
func Dir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "ken") //nolint:usetesting // t.TempDir is on a disk
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Errorf("clean up: %v", err)
		}
	})
	return dir
}
