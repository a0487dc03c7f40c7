//go:build unix

package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"syscall"
	"time"

	"ken/bench/crowd"
	"ken/bench/edits"
	"ken/bench/hazard"
	"ken/bench/paired"
	"ken/bench/projects"
	"ken/bench/rank"
	"ken/bench/taught"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "bench: error:", err)
		os.Exit(1)
	}
}

// options are the flags.
type options struct {
	rows     *regexp.Regexp // names of the rows to run
	n        int            // runs of each thing; rows that take long do fewer
	quick    bool
	big      bool
	ken, vs  string // binaries; "" = built, and none
	jsonFile string
	recall   string
	dir      string
	npm      bool
	corpus   string
	writer   string
	teach    string
	edits    string
	scale    bool
}

func parseFlags(args []string, stderr io.Writer) (options, error) {
	var o options
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	f.SetOutput(stderr)
	pattern := f.String("run", ".", "run the rows whose name matches `REGEXP`")
	f.IntVar(&o.n, "n", 0, "measure each thing `RUNS` times (20, with -quick 2)")
	f.BoolVar(&o.quick, "quick", false, "tiny counts: shows that everything can be measured, and no more")
	f.BoolVar(&o.big, "big", false, "also add to a memory of a million items, in process")
	f.StringVar(&o.jsonFile, "json", "", "also write what was measured to `FILE`")
	f.StringVar(&o.ken, "ken", "", "measure this `FILE` instead of building ken")
	f.StringVar(&o.vs, "vs", "", "measure the ken in `FILE` beside it, turn by turn")
	f.StringVar(&o.recall, "recall", "", "measure only how good recall is, on the conversations and questions in `DIR`")
	f.StringVar(&o.dir, "dir", "", "keep all data below `DIR`, whose disk is then the one measured")
	f.BoolVar(&o.npm, "npm", false, "in the row writers, install the reference memory server by npm, from the network, and measure it too")
	f.StringVar(&o.corpus, "corpus", "", "in the row mask, also count what is found in the texts of `FILE`, or of a directory; in the row risk, judge the commands in it")
	f.StringVar(&o.teach, "teach", "", "measure only how the typed lines in `FILE` are read")
	f.StringVar(&o.edits, "edits", "", "measure only how edits that are quoted badly are made, in the files of `DIR`")
	f.BoolVar(&o.scale, "scale", false, "measure only what short queries cost as the texts grow, and making the index of a million")
	f.StringVar(&o.writer, "writer", "", "measure nothing: be a writer of the row writers, with the memory in `HOME`")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() > 0 {
		return o, fmt.Errorf("unknown argument %q", f.Arg(0))
	}
	var err error
	if o.rows, err = regexp.Compile(*pattern); err != nil {
		return o, fmt.Errorf("-run: %w", err)
	}
	switch {
	case o.n < 0:
		return o, fmt.Errorf("-n %d: must be 1 or more", o.n)
	case o.n == 0 && o.quick:
		o.n = 2
	case o.n == 0:
		o.n = 20
	}
	return o, nil
}

// run measures what args ask for. Missed goals are no error; rows that could
// not be measured are.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	o, err := parseFlags(args, stderr)
	if err != nil {
		return err
	}
	if o.writer != "" {
		return crowd.Obey(ctx, o.writer, os.Stdin, stdout, time.Now)
	}
	if o.teach != "" {
		return taught.Report(stdout, o.teach, time.Now)
	}
	if o.edits != "" {
		return edits.Report(stdout, os.DirFS(o.edits), 150*o.n, time.Now)
	}
	b, err := newBench(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	if o.recall != "" {
		dir := filepath.Join(b.dir, "rank")
		if err := os.Mkdir(dir, 0o700); err != nil {
			return err
		}
		if projects.Has(o.recall) {
			return projects.Run(ctx, stdout, o.recall, dir)
		}
		return rank.Run(ctx, stdout, rank.Options{Data: o.recall, Ken: b.kens[0].bin, Dir: dir, Clock: time.Now})
	}
	if o.scale {
		return b.scale(ctx, stdout)
	}
	if err := b.writeHead(stdout); err != nil {
		return err
	}
	var failed []error
	for _, r := range rows() {
		if !o.rows.MatchString(r.name) {
			continue
		}
		rep := &paired.Report{Row: r.name}
		if err := r.measure(ctx, b, rep); err != nil {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			failed = append(failed, fmt.Errorf("row %s: %w", r.name, err))
			rep.Error = err.Error()
		}
		b.reports = append(b.reports, rep)
		if err := rep.Write(stdout); err != nil {
			return err
		}
	}
	if len(b.reports) == 0 {
		return fmt.Errorf("-run %s: no row has such a name", o.rows)
	}
	if err := paired.WriteSum(stdout, b.reports); err != nil {
		return err
	}
	if o.jsonFile != "" {
		failed = append(failed, b.writeJSON(o.jsonFile))
	}
	return errors.Join(failed...)
}

// A row is what is measured together, turn by turn.
type row struct {
	name    string
	measure func(ctx context.Context, b *bench, rep *paired.Report) error
}

func rows() []row {
	return []row{
		{"version", version},
		{"help", help},
		{"shell", shell},
		{"ask", ask},
		{"request", request},
		{"visible", visible},
		{"stream", stream},
		{"remember", remember},
		{"engine", addWarm},
		{"search", searches},
		{"writers", writers},
		{"import", imports},
		{"erase", erases},
		{"hands", onTerminal},
		{"mask", masks},
		{"risk", func(ctx context.Context, b *bench, r *paired.Report) error {
			return hazard.Report(ctx, b.o.corpus, b.o.n, r)
		}},
	}
}

// writeHead says what runs where.
func (b *bench) writeHead(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s %s/%s, %d CPUs, %d runs, medians; spread: from the lower to the upper quartile\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), b.o.n)
	if b.o.quick {
		_, err = fmt.Fprintln(w, "quick: the counts are far too small for the numbers to mean anything")
	}
	return err
}

// writeJSON writes every figure to a file, for tools that compare runs.
func (b *bench) writeJSON(file string) error {
	text, err := json.MarshalIndent(struct {
		Go    string           `json:"go"`
		OS    string           `json:"os"`
		Arch  string           `json:"arch"`
		CPUs  int              `json:"cpus"`
		Runs  int              `json:"runs"`
		Quick bool             `json:"quick,omitempty"`
		Rows  []*paired.Report `json:"rows"`
	}{runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), b.o.n, b.o.quick, b.reports}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o600)
}
