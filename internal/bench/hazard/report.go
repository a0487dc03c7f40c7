//go:build unix

package hazard

import (
	"fmt"
	"strings"
	"syscall"
	"time"

	"ken/internal/risk"
)

// goalP99 is what ninety-nine of a hundred verdicts may take, in microseconds.
const goalP99 = 1000

// Report judges the corpus in a file, as the judge of this program does where git is
// trusted, and appends to table what it found and what a verdict costs.
func Report(path string, table *[]string) error {
	if path == "" {
		*table = append(*table, "-corpus FILE counts how the commands in it are judged")
		return nil
	}
	cases, err := Read(path)
	if err != nil {
		return err
	}
	judge := func(cmd string) risk.Level { return risk.Judge(cmd, risk.Here{TrustedGit: true}).Level }
	out := Table(Judge(judge, cases))
	untrusted := func(cmd string) risk.Level { return risk.Judge(cmd, risk.Here{}).Level }
	for _, line := range Table(Judge(untrusted, cases)) {
		if strings.HasPrefix(line, "safe ones") {
			out = append(out, "where git is not trusted, "+line)
		}
	}
	p50, p99 := Cost(judge, cases, cpuTime)
	*table = append(append(*table, out...), fmt.Sprintf("CPU of a verdict: p50 %.1f us, p99 %.1f us (goal %d)", p50, p99, goalP99))
	return nil
}

// cpuTime is what this process has used.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
