package jsonltest

import "testing"

// Tally says in one form what a test of a fault came to, so that `make battery`
// can add it up: how many cases were tried, how many were survived, and in how
// many an acknowledged write was lost.
func Tally(t testing.TB, fault string, cases, survived, lost int) {
	t.Helper()
	if cases == 0 {
		t.Error("no case was tried")
	}
	t.Logf("battery: %s: %d of %d survived, %d lost acknowledged writes", fault, survived, cases, lost)
}

// Survived is Tally for a test that fails with the first case that is not survived:
// where it failed, nothing is counted.
func Survived(t testing.TB, fault string, cases int) {
	t.Helper()
	if !t.Failed() {
		Tally(t, fault, cases, cases, 0)
	}
}
