package filelog

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"ken/internal/jsonl/jsonltest"
	"ken/internal/memory"
	"ken/internal/proctest"
)

// What a copy of this test program that is started as a writer finds in its
// environment.
const (
	writerDir   = "KEN_TEST_WRITER_DIR"
	writerCount = "KEN_TEST_WRITER_COUNT" // how many records to append
	writerCold  = "KEN_TEST_WRITER_COLD"  // "1": a new Log for each
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(writerDir); dir != "" {
		writeRecords(dir)
		return
	}
	os.Exit(m.Run())
}

// writeRecords appends and says the number of each record once it is
// acknowledged.
func writeRecords(dir string) {
	count, err := strconv.Atoi(os.Getenv(writerCount))
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	l := openIn(dir)
	for range count {
		if os.Getenv(writerCold) == "1" {
			l = openIn(dir)
		}
		tip, err := l.Tip(ctx)
		if err != nil {
			fmt.Println(err)
			return
		}
		n := tip.MaxID
		_, err = l.Append(ctx, tip.At, func(later []memory.Entry) ([]memory.Record, error) {
			for _, e := range later {
				n = max(n, e.MaxID())
			}
			n++
			return []memory.Record{fact(n, fmt.Sprintf("of %d", os.Getpid()))}, nil
		})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(n)
	}
}

// writer starts a writer.
func writer(t testing.TB, dir string, count int, cold string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := proctest.Self(t)
	cmd.Env = append(cmd.Env, writerDir+"="+dir, writerCount+"="+strconv.Itoa(count), writerCold+"="+cold)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, bufio.NewScanner(out)
}

// TestF8Writers has 8 processes append 1,000 records each: none that was
// acknowledged is lost, and the numbers are the ones from 1 on.
func TestF8Writers(t *testing.T) {
	t.Parallel()
	processes, each := 8, 1000
	if brief() {
		processes, each = 4, 60
	}
	writersCase(t, processes, each)
}

// TestS38 has 4 processes append 250 records each while two others read.
func TestS38(t *testing.T) {
	t.Parallel()
	each := 250
	if brief() {
		each = 40
	}
	writersCase(t, 4, each)
}

func writersCase(t *testing.T, processes, each int) {
	t.Helper()
	dir := t.TempDir()
	var scans []*bufio.Scanner
	var cmds []*exec.Cmd
	for p := range processes {
		cmd, scan := writer(t, dir, each, strconv.Itoa(p%2))
		cmds, scans = append(cmds, cmd), append(scans, scan)
	}
	stop, stopped := make(chan bool), make(chan error, 2)
	for range 2 {
		go func() { stopped <- readUntil(t.Context(), openIn(dir), stop) }()
	}
	acked := map[int64]int{}
	for p, scan := range scans {
		for scan.Scan() {
			n, err := strconv.ParseInt(scan.Text(), 10, 64)
			if err != nil {
				t.Errorf("writer %d: %s", p, scan.Text())
				continue
			}
			acked[n]++
		}
		if err := cmds[p].Wait(); err != nil {
			t.Errorf("writer %d: %v", p, err)
		}
	}
	close(stop)
	for range 2 {
		if err := <-stopped; err != nil {
			t.Errorf("a reader: %v", err)
		}
	}
	list := entries(t, openIn(dir), "")
	if len(acked) != processes*each || len(list) != processes*each+1 {
		t.Errorf("%d numbers were acknowledged and %d lines are there, want %d and one more", len(acked), len(list), processes*each)
	}
	for i, e := range list {
		n := e.Record.ID.N
		if e.Bad != nil || n != int64(i) || (e.Meta != nil) != (i == 0) {
			t.Fatalf("line %d is %+v", i+1, e)
		}
		if n > 0 && acked[n] != 1 {
			t.Errorf("the number %d was acknowledged %d times", n, acked[n])
		}
	}
	jsonltest.Survived(t, "F8/Log", len(acked))
}

// readUntil reads what is new again and again. Nothing it sees may be damaged,
// torn or out of order.
func readUntil(ctx context.Context, l *Log, stop chan bool) error {
	var at memory.Cursor
	last := int64(0)
	for {
		for e, err := range l.Records(ctx, at) {
			if err != nil {
				return err
			}
			at = e.At
			if e.Meta != nil {
				continue
			}
			if e.Record.ID.N != last+1 {
				return fmt.Errorf("record %d behind record %d", e.Record.ID.N, last)
			}
			last++
		}
		select {
		case <-stop:
			return nil
		default:
		}
	}
}

// TestF1Killed kills writers at random moments while others write: what they
// acknowledged is there, and every line that can be read is whole.
func TestF1Killed(t *testing.T) {
	t.Parallel()
	kills := 200
	if brief() {
		kills = 24
	}
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(9, 10))
	acked := map[int64]int{}
	for killed := 0; killed < kills; killed += 4 {
		var cmds []*exec.Cmd
		var scans []*bufio.Scanner
		for p := range 4 {
			cmd, scan := writer(t, dir, 1<<20, strconv.Itoa(p%2))
			cmds, scans = append(cmds, cmd), append(scans, scan)
		}
		for p, scan := range scans {
			for range rng.IntN(8) {
				if !scan.Scan() {
					break
				}
				count(t, acked, scan.Text())
			}
			if err := cmds[p].Process.Kill(); err != nil {
				t.Fatal(err)
			}
			for scan.Scan() { // what was said before the end
				count(t, acked, scan.Text())
			}
			_ = cmds[p].Wait() // it was killed
		}
	}
	seen := map[int64]bool{}
	bad := 0
	for _, e := range entries(t, openIn(dir), "") {
		if e.Bad != nil {
			bad++
		}
		if n := e.Record.ID.N; n > 0 && seen[n] {
			t.Errorf("the number %d stands twice", n)
		}
		seen[e.Record.ID.N] = true
	}
	for n, times := range acked {
		if !seen[n] || times != 1 {
			t.Errorf("the number %d was acknowledged %d times; it is there: %v", n, times, seen[n])
		}
	}
	appended(t, openIn(dir), "", "afterwards")
	jsonltest.Survived(t, "F1/Log", kills)
	t.Logf("%d acknowledged, %d lines, %d that cannot be read", len(acked), len(seen), bad)
}

func count(t *testing.T, acked map[int64]int, line string) {
	t.Helper()
	n, err := strconv.ParseInt(line, 10, 64)
	if err != nil {
		t.Errorf("a writer says %q", line)
		return
	}
	acked[n]++
}
