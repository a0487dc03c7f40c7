package scales

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"ken/bench/fts"
	"ken/bench/paired"
	"ken/bench/zipf"
	"ken/internal/index"
	"ken/internal/index/indextest"
)

// Options say what is measured.
type Options struct {
	Ken    string // the program
	Dir    string // an empty directory for its data
	Peaker string // a program that runs another one and writes its peak memory to file 3
	Sizes  []int  // how many texts
	Most   int    // how many the index is built of whose memory is measured; 0: none
	Each   int    // how many queries of each number of words
	Runs   int    // how often each is asked
}

// mostWords is how many words the longest queries have.
const mostWords = 4

// A bed is a home with texts, and the same texts for the others.
type bed struct {
	o    *Options
	n    int
	dir  string
	docs []index.Document
}

// Run measures, and writes the tables to out.
func Run(ctx context.Context, out io.Writer, o Options) error {
	if err := o.queries(ctx, out); err != nil {
		return err
	}
	if err := o.unindexed(ctx, out); err != nil {
		return err
	}
	return o.building(ctx, out)
}

// queries writes what short queries cost.
func (o *Options) queries(ctx context.Context, out io.Writer) error {
	_, err := fmt.Fprintf(out, "CPU of a command on a short query, user and system, ms: medians; 50 hits, as printed by default\n"+
		"%-8s %-10s %5s %8s %8s %8s %8s %8s\n",
		"texts", "in", "words", "ken", "FTS5", "share", "rg", "share")
	if err != nil {
		return err
	}
	for _, n := range o.Sizes {
		b := &bed{o: o, n: n, dir: filepath.Join(o.Dir, paired.Label(n)), docs: indextest.Documents(n, 1)}
		if err := b.make(ctx); err != nil {
			return err
		}
		for _, in := range [...]string{"memory", "sessions"} {
			if err := b.row(ctx, out, in); err != nil {
				return err
			}
		}
	}
	_, err = fmt.Fprintln(out)
	return err
}

// table is the name of the table of sqlite3.
const table = "texts.db"

// home is where ken has the texts as memories, or as conversations.
func (b *bed) home(in string) string { return filepath.Join(b.dir, in) }

// make writes the texts for all programs, and has the indexes made.
func (b *bed) make(ctx context.Context) error {
	for _, in := range [...]string{"memory", "sessions"} {
		if err := os.MkdirAll(b.home(in), 0o700); err != nil {
			return err
		}
	}
	if err := zipf.WriteTexts(b.home("memory"), b.docs); err != nil {
		return err
	}
	turns := filepath.Join(b.dir, "turns.jsonl")
	if err := zipf.WriteTurns(turns, b.docs); err != nil {
		return err
	}
	if _, err := run(b.ken("sessions", "import", "--format", "turns", turns).command(ctx)); err != nil {
		return err
	}
	for _, in := range [...]string{"memory", "sessions"} {
		if _, err := run(b.ken(in, "recall", "--in", in, "server").command(ctx)); err != nil {
			return err
		}
	}
	sql, err := os.Open(filepath.Join(b.home("memory"), zipf.Texts))
	if err != nil {
		return err
	}
	defer func() { _ = sql.Close() }() // it is only read
	if bin, err := exec.LookPath("sqlite3"); err == nil {
		cmd := exec.CommandContext(ctx, bin, filepath.Join(b.dir, table))
		cmd.Env, cmd.Stdin = []string{}, sql
		if _, err := run(cmd); err != nil {
			return fmt.Errorf("%w: %w", fts.ErrMissing, err)
		}
	}
	return nil
}

// A line is a command line.
type line struct {
	bin  string
	args []string
	env  []string
	dir  string
}

func (l line) command(ctx context.Context) *exec.Cmd {
	cmd := exec.CommandContext(ctx, l.bin, l.args...)
	cmd.Env, cmd.Dir = append([]string{}, l.env...), l.dir // never nil: nothing is inherited
	return cmd
}

// ken is ken at home.
func (b *bed) ken(in string, args ...string) line { return b.o.at(b.home(in), args...) }

// at is ken in a home.
func (o *Options) at(home string, args ...string) line {
	return line{o.Ken, args, []string{"HOME=" + home, "KEN_HOME=" + home, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "TZ=UTC"}, home}
}

// run runs a command and returns its CPU time in milliseconds.
func run(cmd *exec.Cmd) (float64, error) {
	var said strings.Builder
	cmd.Stderr = &said
	if err := cmd.Run(); err != nil {
		return 0, fmt.Errorf("run %s: %w; it said: %s", filepath.Base(cmd.Path), err, said.String())
	}
	return float64(cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()) / 1e6, nil
}

// asked draws queries of k words of a text, the same ones each time.
func (b *bed) asked(k int) (list []string) {
	random := rand.New(rand.NewPCG(uint64(k), uint64(b.n)))
	for range 100 * b.o.Each {
		words := fts.Words(b.docs[random.IntN(len(b.docs))].Content)
		if len(words) < 2*mostWords {
			continue
		}
		random.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
		if list = append(list, strings.Join(words[:k], " ")); len(list) == b.o.Each {
			break
		}
	}
	return list
}

// row asks the queries, of memories or of conversations.
func (b *bed) row(ctx context.Context, out io.Writer, in string) error {
	for k := 1; k <= mostWords; k++ {
		took := paired.Readings{}
		for _, q := range b.asked(k) {
			if err := took.Take(ctx, b.o.Runs, b.trials(in, q)); err != nil {
				return err
			}
		}
		ken, sqlite, rg := took.Of("ken", cpu), took.Of("sqlite3", cpu), took.Of("rg", cpu)
		_, err := fmt.Fprintf(out, "%-8s %-10s %5d %8s %8s %8s %8s %8s\n", paired.Label(b.n), in, k,
			figure(ken), figure(sqlite), figure(ken.Over(sqlite, paired.Median)), figure(rg), figure(ken.Over(rg, paired.Median)))
		if err != nil {
			return err
		}
	}
	return nil
}

const cpu paired.Quantity = "CPU, user and system, ms"

// figure is a median; "-" of nothing.
func figure(s paired.Series) string {
	if len(s) == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", s.Quantile(paired.Median))
}

// trials are one query asked of each program.
func (b *bed) trials(in, q string) []paired.Trial {
	lines := map[string]line{"ken": b.ken(in, "recall", "--in", in, q)}
	if bin, err := exec.LookPath("sqlite3"); err == nil {
		sql := `SELECT rowid, bm25(texts), text FROM texts WHERE texts MATCH '` + fts.Any(strings.Fields(q)) + `' ORDER BY bm25(texts) LIMIT 50;`
		lines["sqlite3"] = line{bin: bin, args: []string{table, sql}, dir: b.dir}
	}
	if bin, err := exec.LookPath("rg"); err == nil {
		lines["rg"] = line{bin: bin, args: []string{"-i", "-w", strings.Join(strings.Fields(q), "|"), zipf.Memory}, dir: b.home("memory")}
	}
	var list []paired.Trial
	for name, l := range lines {
		list = append(list, paired.Trial{Name: name, Run: func(ctx context.Context) (paired.Reading, error) {
			ms, err := run(l.command(ctx))
			if exit := new(exec.ExitError); name == "rg" && errors.As(err, &exit) && exit.ExitCode() == 1 {
				err, ms = nil, float64(exit.UserTime()+exit.SystemTime())/1e6 // it found nothing
			}
			return paired.Single(map[paired.Quantity]float64{cpu: ms}), err
		}})
	}
	slices.SortFunc(list, func(x, y paired.Trial) int { return strings.Compare(x.Name, y.Name) })
	return list
}
