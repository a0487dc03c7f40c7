package archtest

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"ken/internal/proctest"
)

const (
	// maxInit is what all package initialisers together may take, in
	// milliseconds: everybody pays for it at every start.
	maxInit = 3.0
	// maxInitOurs and maxInitBytes are what one package of this module may take.
	// Sentinel errors are about a hundred bytes; a table or a compiled regular
	// expression is more, and belongs behind sync.OnceValue.
	maxInitOurs  = 0.1
	maxInitBytes = 4096
	// initRuns is how often the program is started. The least of the times
	// counts: it is what the work costs when nothing else runs.
	initRuns = 7
)

// TestStartIsCheap builds ken as it is shipped and reads what its package
// initialisers cost.
func TestStartIsCheap(t *testing.T) {
	t.Parallel()
	bin := filepath.Join(t.TempDir(), "ken")
	if runtime.GOOS == "windows" {
		bin += ".exe"
	}
	build := proctest.Go(t, "build", "-trimpath", "-buildvcs=false", "-o", bin, "./cmd/ken")
	build.Dir = "../.."
	build.Env = append(build.Env, "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build ./cmd/ken: %v\n%s", err, out)
	}
	least := map[string]initCost{}
	for range initRuns {
		cmd := proctest.Command(t, bin, "--version")
		cmd.Env = append(cmd.Env, "GODEBUG=inittrace=1", "KEN_HOME="+t.TempDir())
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		if err := cmd.Run(); err != nil {
			t.Fatalf("ken --version: %v\n%s", err, stderr.Bytes())
		}
		for pkg, c := range parseInitTrace(t, stderr.Bytes()) {
			if old, ok := least[pkg]; !ok || c.ms < old.ms {
				least[pkg] = c
			}
		}
	}
	// The sum of the least, not the least sum: on a busy machine no run is left alone from end to end.
	total := 0.0
	for _, c := range least {
		total += c.ms
	}
	t.Logf("all package initialisers: %.2f ms", total)
	if total > maxInit {
		t.Errorf("all package initialisers take %.2f ms, want <= %g: %v", total, maxInit, least)
	}
	for pkg, c := range least {
		ours := pkg == "main" || strings.HasPrefix(pkg, modulePath+"/")
		if ours && (c.ms > maxInitOurs || c.bytes > maxInitBytes) {
			t.Errorf("package %s takes %.3f ms and %d bytes at every start, want <= %g and %d", pkg, c.ms, c.bytes, maxInitOurs, maxInitBytes)
		}
	}
	testGreeting(t, bin)
}

// testGreeting has an assistant greeted that starts ken with a thousand memories. That takes less than four megabytes, so that
// the garbage collector does not run: it costs the greeting a millisecond of two processors, and the process a megabyte. A
// quarter more is not yet a failure: what the goroutines leave of the blocks of their processors differs from run to run.
func testGreeting(t *testing.T, bin string) {
	t.Helper()
	dir := t.TempDir()
	var lines bytes.Buffer
	for i := range 1000 {
		fmt.Fprintf(&lines, `{"id":%d,"kind":"fact","content":"drawer %d of desk %d holds string number %d"}`+"\n", i+1, i%97, i%31, i)
	}
	if err := os.WriteFile(filepath.Join(dir, "memory.jsonl"), lines.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := proctest.Command(t, bin, "mcp")
	cmd.Env = append(cmd.Env, "GODEBUG=gctrace=1", "GOGC=125", "GOMAXPROCS=2", "KEN_HOME="+dir)
	cmd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",` +
		`"capabilities":{},"clientInfo":{"name":"c","version":"1"}}}` + "\n")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil || !strings.Contains(out.String(), `"result"`) {
		t.Fatalf("ken mcp: %v\n%s%s", err, out.Bytes(), errs.Bytes())
	}
	if strings.Contains(errs.String(), "gc 1 @") {
		t.Errorf("ken mcp collects garbage while it greets:\n%s", errs.Bytes())
	}
}

// An initCost is what the initialiser of one package took.
type initCost struct {
	ms    float64
	bytes int
}

// parseInitTrace reads lines of the form
//
//	init unicode @0.1 ms, 0.012 ms clock, 9232 bytes, 4 allocs
func parseInitTrace(t *testing.T, trace []byte) map[string]initCost {
	t.Helper()
	line := regexp.MustCompile(`^init (\S+) @\S+ ms, (\S+) ms clock, (\d+) bytes, \d+ allocs$`)
	costs := map[string]initCost{}
	sc := bufio.NewScanner(bytes.NewReader(trace))
	for sc.Scan() {
		m := line.FindStringSubmatch(sc.Text())
		if m == nil {
			continue
		}
		ms, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		n, err := strconv.Atoi(m[3])
		if err != nil {
			t.Fatal(err)
		}
		costs[m[1]] = initCost{ms, n}
	}
	if len(costs) < 5 {
		t.Fatalf("no init trace in:\n%s", trace)
	}
	return costs
}
