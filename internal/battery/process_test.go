package battery

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"ken/internal/engine"
	"ken/internal/jsonl"
	"ken/internal/proctest"
	"ken/internal/review"
	"ken/internal/session"
)

// What a copy of this test program that is started as a writer finds in its
// environment: the home, what it does there, the seed of that, and how often (0:
// until it is killed).
const (
	writerHome  = "KEN_TEST_BATTERY_HOME"
	writerRole  = "KEN_TEST_BATTERY_ROLE"
	writerSeed  = "KEN_TEST_BATTERY_SEED"
	writerCount = "KEN_TEST_BATTERY_COUNT"
)

func TestMain(m *testing.M) {
	dir, role := os.Getenv(writerHome), os.Getenv(writerRole)
	if role == "" {
		os.Exit(m.Run())
	}
	seed, err := strconv.ParseUint(os.Getenv(writerSeed), 10, 64)
	count, cerr := strconv.Atoi(os.Getenv(writerCount))
	if err = errors.Join(err, cerr); err == nil {
		err = childOf(role)(context.Background(), dir, seed, count)
	}
	if err != nil {
		fmt.Println("!", strings.ReplaceAll(err.Error(), "\n", "; "))
	}
}

// childOf is what a copy of this program does in a role.
func childOf(role string) func(ctx context.Context, dir string, seed uint64, count int) error {
	switch role {
	case "hold":
		return holdOn
	case "walled":
		return walled
	case "read":
		return readOnce
	}
	return func(ctx context.Context, dir string, seed uint64, count int) error {
		return newWriter(dir, seed, role).write(ctx, count)
	}
}

// A writer is a process that does one thing after the other. Before each it says
// "?", and "=" once it is acknowledged, with the realm, what is wanted and the text.
type writer struct {
	h    *Home
	e    *engine.Writer
	rng  *rand.Rand
	seed uint64
	role string
	mine []string // what it remembered and did not forget
	said *session.Writer
}

func newWriter(dir string, seed uint64, role string) *writer {
	h := NewHome(dir)
	h.FS = jsonl.OS{}
	if strings.HasSuffix(dir, "unsynced") { // what a kill shows needs no disk
		h.FS = Unsynced{}
	}
	return &writer{h: h, e: h.Engine(), rng: rand.New(rand.NewPCG(seed, 1)), seed: seed, role: role}
}

func (w *writer) do(r Realm, want Want, text string, op func() error) error {
	fmt.Println("?", r, int(want), text)
	err := op()
	if err == nil {
		fmt.Println("=", r, int(want), text)
	}
	return err
}

// roles are what the processes of one home do: no two of them the same.
func roles() []string { return []string{"memory", "review", "decide", "talk"} }

func (w *writer) write(ctx context.Context, count int) error {
	for n := 0; count == 0 || n < count; n++ {
		text := fmt.Sprintf("text %d of %d", n, w.seed)
		role := w.role
		if role == "all" {
			role = roles()[w.rng.IntN(4)]
		}
		var err error
		switch role {
		case "memory":
			err = w.remember(ctx, text)
		case "append":
			err = w.do(Active, Stands, text, func() error {
				_, err := w.e.Remember(ctx, engine.Draft{Content: text})
				return err
			})
		case "review":
			err = w.do(Asked, Stands, text, func() error {
				_, err := proposed(ctx, NewLedger(), w.e, text)
				return err
			})
		case "decide":
			err = w.decide(ctx, text)
		case "talk":
			err = w.talk(text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// remember remembers, and now and then forgets or erases what it remembered.
func (w *writer) remember(ctx context.Context, text string) error {
	pick := w.rng.IntN(40)
	if len(w.mine) == 0 || pick < 36 {
		if pick == 0 {
			text = toErase + " " + strings.ReplaceAll(text, " ", "-") + "."
		}
		w.mine = append(w.mine, text)
		return w.do(Active, Stands, text, func() error {
			_, err := w.e.Remember(ctx, engine.Draft{Content: text})
			return err
		})
	}
	last := w.mine[len(w.mine)-1]
	w.mine = w.mine[:len(w.mine)-1]
	id, ok, err := find(ctx, w.e, last)
	if !ok {
		return fmt.Errorf("%w: %q (%v)", ErrLost, last, err)
	}
	if strings.HasPrefix(last, toErase) {
		err = w.do(Active, Gone, last, func() error { return eraseEverywhere(ctx, w.h, id) })
		if err == nil {
			fmt.Println("=", Bytes, int(Gone), last)
		}
		return err
	}
	return w.do(Active, Gone, last, func() error {
		_, err := w.e.Forget(ctx, "", id)
		return err
	})
}

// decide answers what anybody suggested; if nothing waits, it suggests something.
func (w *writer) decide(ctx context.Context, text string) error {
	waiting, _, _, err := w.e.Queue(ctx)
	if err != nil {
		return err
	}
	if len(waiting) == 0 {
		return w.do(Asked, Stands, text, func() error {
			_, err := proposed(ctx, NewLedger(), w.e, text)
			return err
		})
	}
	p := waiting[w.rng.IntN(len(waiting))].Proposal
	realm, verdict := Active, review.Yes
	if w.rng.IntN(3) == 0 {
		realm, verdict = Refused, review.No
	}
	err = w.do(realm, Stands, p.Record.Content, func() error {
		_, err := w.e.Decide(ctx, fmt.Sprintf("p%d", p.ID), engine.Answer{Verdict: verdict})
		return err
	})
	if errors.Is(err, review.ErrDecided) || errors.Is(err, review.ErrNotWaiting) {
		err = nil // another was faster
	}
	return err
}

// talk has conversations: new ones, and those that others left.
func (w *writer) talk(text string) error {
	if w.said != nil && w.rng.IntN(8) == 0 {
		err := w.said.Close()
		if w.said = nil; err != nil {
			return err
		}
	}
	if w.said == nil {
		d := w.h.Sessions(false)
		path, _, err := d.Latest(nil)
		if err == nil && w.rng.IntN(2) == 0 {
			w.said, _, err = d.Open(path)
		}
		if err != nil && !errors.Is(err, session.ErrHeld) && !errors.Is(err, session.ErrNone) {
			return err
		}
		if w.said == nil {
			if w.said, err = d.Create(session.Header{Channel: session.ChannelTerminal}); err != nil {
				return err
			}
		}
	}
	return w.do(Said, Stands, text, func() error {
		_, err := w.said.AppendTurn(session.Turn{Role: session.RoleUser, Content: text})
		return err
	})
}

// holdOn takes the lock, writes a part of a line, says so, and waits for its end.
func holdOn(ctx context.Context, dir string, seed uint64, _ int) error {
	if _, err := jsonl.LockDir(ctx, dir, time.Minute); err != nil {
		return err
	}
	h := NewHome(dir)
	for _, path := range []string{h.Memory(), h.Review()} {
		line := string(record(int64(seed), "cut off in the hands of who held the lock"))
		if err := appendRaw(path, line[:10+seed%20]); err != nil {
			return err
		}
	}
	fmt.Println("held")
	time.Sleep(time.Hour)
	return nil
}

// hear takes into the ledger what a writer says.
func hear(l *Ledger, line string) error {
	part := strings.SplitN(line, " ", 4)
	if len(part) != 4 || part[0] != "?" && part[0] != "=" {
		return fmt.Errorf("a writer says %q", line)
	}
	want, err := strconv.Atoi(part[2])
	if part[0] == "?" {
		want = int(Either)
	}
	if before, _ := l.Get(Realm(part[1]), part[3]); before == Gone {
		return err // what another says of it is of before
	}
	l.Set(Realm(part[1]), part[3], Want(want))
	return err
}

// A child is a copy of this program at work.
type child struct {
	cmd  *exec.Cmd
	said *bufio.Scanner
}

// startChild starts one. The test's end kills it.
func startChild(t testing.TB, dir, role string, seed uint64, count int) child {
	t.Helper()
	cmd := proctest.Self(t)
	cmd.Env = append(cmd.Env, writerHome+"="+dir, writerRole+"="+role, fmt.Sprintf("%s=%d", writerSeed, seed), fmt.Sprintf("%s=%d", writerCount, count))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	return child{cmd, bufio.NewScanner(out)}
}

// end kills the child, and hears what it said before.
func (c child) end(l *Ledger) error {
	err := c.cmd.Process.Kill()
	for c.said.Scan() {
		err = errors.Join(err, hear(l, c.said.Text()))
	}
	_ = c.cmd.Wait() // it was killed
	return err
}

// unsyncedHome is a home in which processes do not wait for a disk.
func unsyncedHome(t testing.TB, root func() string) *Home {
	t.Helper()
	dir := root() + "unsynced"
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) }) // the test's directory goes at its end
	return NewHome(dir)
}

// TestF1 kills four processes in one home at random moments, again and again: one
// remembers, forgets and erases, one suggests, one answers what is suggested, and
// one has conversations; in every second home each of them does all of it.
func TestF1(t *testing.T) {
	t.Parallel()
	kills := 40
	if full() {
		kills = 10_000
	}
	var r Report
	rng := rand.New(rand.NewPCG(1, 1))
	seed, root := uint64(0), temp(t)
	for home := 0; r.Cases < kills; home++ {
		h, l := unsyncedHome(t, root), NewLedger()
		if err := Start(t.Context(), h, l); err != nil {
			t.Fatal(err)
		}
		for range 5 { // the same home, five times
			var writers []child
			for _, role := range roles() {
				seed++
				if home%2 == 1 {
					role = "all"
				}
				writers = append(writers, startChild(t, h.Dir, role, seed, 0))
			}
			var errs []error
			for _, w := range writers {
				for n := 5 + rng.IntN(40); n > 0 && w.said.Scan(); n-- {
					errs = append(errs, hear(l, w.said.Text()))
				}
				errs = append(errs, w.end(l))
			}
			errs = append(errs, Check(t.Context(), h, l, false))
			r.Add(errors.Join(errs...), "four writers killed, the last of seed %d", seed)
			r.Cases, r.Survived, r.Distinct = r.Cases+3, r.Survived+3, r.Distinct+3 // the other three processes
		}
		r.Add(GoOn(t.Context(), h, l, false), "gone on after seed %d", seed)
		if err := os.RemoveAll(h.Dir); err != nil {
			t.Error(err)
		}
	}
	report(t, r, nil)
}

// TestF8HolderKilled kills, again and again, a process that holds the lock and has
// written a part of a line, while others wait for the lock. Each of these goes on.
func TestF8HolderKilled(t *testing.T) {
	t.Parallel()
	homes, kills := 1, 4
	if full() {
		homes, kills = 10, 20
	}
	var r Report
	root := temp(t)
	seed := uint64(1)
	for range homes {
		h, l := unsyncedHome(t, root), NewLedger()
		if err := Start(t.Context(), h, l); err != nil {
			t.Fatal(err)
		}
		var writers []child
		for i, role := range roles() {
			writers = append(writers, startChild(t, h.Dir, role, seed+uint64(i)*1000, 0))
		}
		for range kills {
			seed++
			holder := startChild(t, h.Dir, "hold", seed, 0)
			if !holder.said.Scan() || holder.said.Text() != "held" {
				t.Fatalf("the holder says %q", holder.said.Text())
			}
			err := holder.cmd.Process.Kill()
			_ = holder.cmd.Wait() // it was killed
			for _, w := range writers {
				for acked := false; !acked && err == nil; {
					if !w.said.Scan() {
						err = errors.New("a writer ended")
						break
					}
					err = hear(l, w.said.Text())
					acked = strings.HasPrefix(w.said.Text(), "=")
				}
			}
			r.Add(err, "holder %d killed", seed)
		}
		var errs []error
		for _, w := range writers {
			errs = append(errs, w.end(l))
		}
		errs = append(errs, Check(t.Context(), h, l, false), GoOn(t.Context(), h, l, false))
		r.Add(errors.Join(errs...), "after holder %d", seed)
	}
	report(t, r, nil)
}

// TestF8Processes has 2, 4 and 8 processes append, forget and erase at once. A case
// is something that was acknowledged.
func TestF8Processes(t *testing.T) {
	t.Parallel()
	runs, each := []int{2, 4, 8}, 30
	if full() {
		each = 1000
		for len(runs) < 200 {
			runs = append(runs, []int{2, 2, 4, 2, 4, 8}[len(runs)%6])
		}
	}
	var r Report
	root := temp(t)
	for n, processes := range runs {
		h, l := unsyncedHome(t, root), NewLedger()
		if err := Start(t.Context(), h, l); err != nil {
			t.Fatal(err)
		}
		count := each
		if n >= 3 { // the larger a memory gets, the longer a forgetting takes
			count = each / 4
		}
		acked, errs := eachWrites(t, h, l, "memory", processes, count, uint64(n*100+1))
		r.Add(errors.Join(append(errs, Check(t.Context(), h, l, false))...), "run %d: %d processes, %d times each", n, processes, count)
		r.Cases, r.Survived, r.Distinct = r.Cases+acked-1, r.Survived+acked-1, r.Distinct+acked-1
		if err := os.RemoveAll(h.Dir); err != nil {
			t.Error(err)
		}
	}
	report(t, r, nil)
}

// eachWrites has processes do count things each, and returns how many of them were
// acknowledged.
func eachWrites(t testing.TB, h *Home, l *Ledger, role string, processes, count int, seed uint64) (acked int, errs []error) {
	t.Helper()
	var writers []child
	for p := range processes {
		writers = append(writers, startChild(t, h.Dir, role, seed+uint64(p), count))
	}
	type heard struct {
		lines []string
		err   error
	}
	all := make(chan heard)
	for _, w := range writers {
		go func() {
			var said heard
			for w.said.Scan() {
				said.lines = append(said.lines, w.said.Text())
			}
			said.err = w.cmd.Wait()
			all <- said
		}()
	}
	for range writers {
		said := <-all
		errs = append(errs, said.err)
		for _, line := range said.lines {
			errs = append(errs, hear(l, line))
			if strings.HasPrefix(line, "=") {
				acked++
			}
		}
	}
	if acked < processes*count {
		errs = append(errs, fmt.Errorf("%d of %d were acknowledged", acked, processes*count))
	}
	return acked, errs
}
