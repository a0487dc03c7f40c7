//go:build unix

package hazard

import (
	"context"
	"fmt"
	"strings"
	"syscall"
	"time"

	"ken/bench/paired"
	"ken/internal/risk"
)

// goalP99 is what ninety-nine of a hundred verdicts may take, in microseconds.
const goalP99 = 1000

// What is measured of every verdict, corpus or not.
const (
	shortUS paired.Quantity = "CPU of a verdict on an ordinary command, us"
	longUS  paired.Quantity = "CPU of a verdict on 50 KB, us"
)

// ordinary are commands as people type them.
func ordinary() []string {
	return []string{
		"ls -la", "git status", "git log --oneline -5 | head", "go test ./... 2>&1 | tail -20", "cd /tmp && rm -rf build", "find . -name '*.go' -exec grep -l TODO {} +",
		"docker ps -a --format '{{.Names}}'", "for f in *.txt; do mv \"$f\" \"${f%.txt}.md\"; done", "curl -fsSL https://example.com/install.sh | sh", "sudo systemctl restart nginx",
	}
}

// Report tells what a verdict costs, n times measured, and, of the corpus in a file, as
// the judge of this program does where git is trusted, what is found. No path: no
// corpus.
func Report(ctx context.Context, path string, n int, rep *paired.Report) error {
	judge := func(cmd string) risk.Level { return risk.Judge(cmd, risk.Here{TrustedGit: true}).Level }
	long := "echo" + strings.Repeat(" "+strings.Repeat("x", 60), 800)
	cost := func(times int, lines ...string) float64 {
		began := cpuTime()
		for range times {
			for _, line := range lines {
				judge(line)
			}
		}
		return float64(cpuTime()-began) / 1000 / float64(times*len(lines))
	}
	r := paired.Readings{}
	err := r.Take(ctx, n, []paired.Trial{{Name: "judge", Run: func(context.Context) (paired.Reading, error) {
		return paired.Single(map[paired.Quantity]float64{shortUS: cost(500, ordinary()...), longUS: cost(50, long)}), nil
	}}})
	if err != nil {
		return err
	}
	rep.Add(r, paired.Want{What: "a verdict on an ordinary command, CPU", Unit: "us", Trial: "judge", Of: shortUS, Goal: goalP99})
	rep.Add(r, paired.Want{What: "a verdict on 50 KB, CPU", Unit: "us", Trial: "judge", Of: longUS, Goal: goalP99})
	if path == "" {
		rep.Note("-corpus FILE counts how the commands in it are judged")
		return nil
	}
	cases, err := Read(path)
	if err != nil {
		return err
	}
	rep.Table = Table(Judge(judge, cases))
	untrusted := func(cmd string) risk.Level { return risk.Judge(cmd, risk.Here{}).Level }
	for _, line := range Table(Judge(untrusted, cases)) {
		if strings.HasPrefix(line, "safe ones") {
			rep.Table = append(rep.Table, "where git is not trusted, "+line)
		}
	}
	p50, p99 := Cost(judge, cases, cpuTime)
	rep.Table = append(rep.Table, fmt.Sprintf("CPU of a verdict: p50 %.1f us, p99 %.1f us (goal %d)", p50, p99, goalP99))
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
