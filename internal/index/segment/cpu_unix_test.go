//go:build unix

package segment

import (
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// cpu reports the processor time of an operation when the benchmark ends: what a
// busy machine does not lengthen.
func cpu(b *testing.B) (report func()) {
	used := func() time.Duration {
		var u unix.Rusage
		if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
			b.Fatal(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	before := used()
	return func() { b.ReportMetric(float64((used()-before).Microseconds())/float64(b.N), "cpu-µs/op") }
}
