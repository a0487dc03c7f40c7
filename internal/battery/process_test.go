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

	"ken/internal/engine"
	"ken/internal/jsonl"
	"ken/internal/review"
	"ken/internal/session"
)

// What a copy of this test program that is started as a writer finds in its
// environment: the home, and the seed of what it does.
const (
	writerHome = "KEN_TEST_BATTERY_HOME"
	writerSeed = "KEN_TEST_BATTERY_SEED"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(writerHome); dir != "" {
		seed, err := strconv.ParseUint(os.Getenv(writerSeed), 10, 64)
		if err == nil {
			err = writeOn(context.Background(), dir, seed)
		}
		fmt.Println("!", err)
		return
	}
	os.Exit(m.Run())
}

// writeOn does one thing after the other until it is killed. Before each it says
// "?", and "=" once it is acknowledged, with the realm, what is wanted and the text.
func writeOn(ctx context.Context, dir string, seed uint64) error {
	rng := rand.New(rand.NewPCG(seed, 1))
	h := NewHome(dir)
	h.FS = jsonl.OS{}
	say := func(mark string, r Realm, w Want, text string) { fmt.Println(mark, r, int(w), text) }
	do := func(r Realm, w Want, text string, op func() error) error {
		say("?", r, w, text)
		err := op()
		if err == nil {
			say("=", r, w, text)
		}
		return err
	}
	e := h.Engine()
	w, err := h.Sessions(false).Create(session.Header{Channel: session.ChannelTerminal})
	if err != nil {
		return err
	}
	mine := ""
	for n := 0; ; n++ {
		text := fmt.Sprintf("text %d of %d", n, seed)
		switch rng.IntN(5) {
		case 0, 1:
			err = do(Active, There, text, func() error {
				_, err := e.Remember(ctx, engine.Draft{Content: text})
				return err
			})
			mine = text
		case 2:
			err = do(Said, There, text, func() error {
				_, err := w.AppendTurn(session.Turn{Role: session.RoleUser, Content: text})
				return err
			})
		case 3:
			id, ok, ferr := find(ctx, e, mine)
			if err = ferr; ok {
				err = do(Active, Gone, mine, func() error {
					_, err := e.Forget(ctx, "", id)
					return err
				})
			}
		case 4:
			var ref string
			err = do(Asked, There, text, func() (err error) {
				ref, err = proposed(ctx, NewLedger(), e, text)
				return err
			})
			if err == nil {
				err = do(Active, There, text, func() error {
					_, err := e.Decide(ctx, ref, engine.Answer{Verdict: review.Yes})
					return err
				})
			}
		}
		if err != nil {
			return err
		}
	}
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
	l.Set(Realm(part[1]), part[3], Want(want))
	return err
}

// TestF1 kills four processes that remember, forget, converse, propose and decide
// in one home, at random moments, again and again.
func TestF1(t *testing.T) {
	t.Parallel()
	kills := 40
	if full() {
		kills = 10_000
	}
	var r Report
	rng := rand.New(rand.NewPCG(1, 1))
	seed := uint64(0)
	for r.Cases < kills {
		h := NewHome(temp(t)())
		l := NewLedger()
		if err := Start(t.Context(), h, l); err != nil {
			t.Fatal(err)
		}
		for range 5 { // the same home, five times
			var writers []*exec.Cmd
			var said []*bufio.Scanner
			for range 4 {
				seed++
				cmd := exec.CommandContext(t.Context(), os.Args[0])
				cmd.Env = append(os.Environ(), writerHome+"="+h.Dir, fmt.Sprintf("%s=%d", writerSeed, seed))
				out, err := cmd.StdoutPipe()
				if err == nil {
					err = cmd.Start()
				}
				if err != nil {
					t.Fatal(err)
				}
				writers, said = append(writers, cmd), append(said, bufio.NewScanner(out))
			}
			var errs []error
			for i, scan := range said {
				for n := 5 + rng.IntN(40); n > 0 && scan.Scan(); n-- {
					errs = append(errs, hear(l, scan.Text()))
				}
				if err := writers[i].Process.Kill(); err != nil {
					t.Fatal(err)
				}
				for scan.Scan() { // what it said before its end
					errs = append(errs, hear(l, scan.Text()))
				}
				_ = writers[i].Wait() // it was killed
			}
			errs = append(errs, Check(t.Context(), h, l, false))
			r.Add(errors.Join(errs...), "four writers killed, the last of seed %d", seed)
			r.Cases, r.Survived = r.Cases+3, r.Survived+3
		}
		r.Add(GoOn(t.Context(), h, l, false), "gone on after seed %d", seed)
	}
	report(t, r, nil)
}
