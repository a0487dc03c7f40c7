//go:build unix

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/bench/floors"
	"ken/bench/paired"
)

// results runs the bench and returns what it printed and what it wrote.
func results(t *testing.T, args ...string) (string, []*paired.Report) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "out.json")
	data := filepath.Join(dir, "data")
	if err := os.Mkdir(data, 0o700); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr strings.Builder
	err := run(t.Context(), append([]string{"-quick", "-json", file, "-dir", data}, args...), &stdout, &stderr)
	if err != nil {
		t.Fatalf("%v\n%s%s", err, stdout.String(), stderr.String())
	}
	if left, err := os.ReadDir(data); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var got struct{ Rows []*paired.Report }
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	return stdout.String(), got.Rows
}

// TestQuick builds and measures everything once. Whether goals are met is not
// its business: on a loaded machine none may be.
func TestQuick(t *testing.T) {
	t.Parallel()
	printed, reports := results(t, "-n", "1")
	if len(reports) != len(rows()) {
		t.Fatalf("%d rows were reported, want %d:\n%s", len(reports), len(rows()), printed)
	}
	for i, rep := range reports {
		if want := rows()[i].name; rep.Row != want {
			t.Errorf("row %d is %s, want %s", i, rep.Row, want)
		}
		if len(rep.Lines) == 0 {
			t.Errorf("row %s has no line", rep.Row)
		}
		for _, l := range rep.Lines {
			// What the difference of two small costs came to may be lost in the noise.
			if l.Got.N == 0 || l.Got.Value <= 0 && !strings.Contains(l.What, "CPU per token") {
				t.Errorf("row %s: %s: %v", rep.Row, l.What, l.Got)
			}
			if !strings.Contains(printed, "  "+l.What+"  ") {
				t.Errorf("row %s: the line %q was not printed", rep.Row, l.What)
			}
		}
	}
	if !strings.Contains(printed, "\ngoals: ") || !strings.Contains(printed, "rows that failed: 0\n") {
		t.Errorf("no sum was printed:\n%s", printed)
	}
}

// TestCompare measures one ken beside itself.
func TestCompare(t *testing.T) {
	t.Parallel()
	ken := filepath.Join(t.TempDir(), "ken")
	if err := floors.Build(t.Context(), "..", ken, "./cmd/ken"); err != nil {
		t.Fatal(err)
	}
	printed, reports := results(t, "-n", "1", "-run", "^(version|shell|ask|request|visible|remember)$", "-ken", ken, "-vs", ken)
	for _, rep := range reports {
		for _, l := range rep.Lines {
			if l.Unit == "x" {
				continue
			}
			if len(l.Beside) == 0 || !strings.HasPrefix(l.Beside[0].Name, "vs") || l.Beside[0].Value <= 0 {
				t.Errorf("row %s: %s: the other ken does not stand beside it: %v\n%s", rep.Row, l.What, l.Beside, printed)
			}
		}
	}
}

// TestFaults checks that what cannot be measured is told, by name, and does
// not pass for a run.
func TestFaults(t *testing.T) {
	t.Parallel()
	silent := filepath.Join(t.TempDir(), "silent")
	if err := os.WriteFile(silent, []byte("#!/bin/sh\ncase $1 in ask|remember|--version|'') ;; *) echo boom >&2; exit 3;; esac\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		row, want string
	}{
		{"help", "exit status 3; it said: boom"},
		{"shell", "no such file"}, // it did not begin the memory
		{"request", "the model was not asked"},
		{"stream", "the model was not asked"},
	}
	for _, tt := range tests {
		t.Run(tt.row, func(t *testing.T) {
			t.Parallel()
			var stdout, stderr strings.Builder
			err := run(t.Context(), []string{"-quick", "-run", "^" + tt.row + "$", "-ken", silent, "-dir", t.TempDir()}, &stdout, &stderr)
			if err == nil || !strings.Contains(err.Error(), "row "+tt.row+": ") || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one of row %s with %q", err, tt.row, tt.want)
			}
			for _, want := range []string{"  FAILED: ", "rows that failed: 1\n"} {
				if !strings.Contains(stdout.String(), want) {
					t.Errorf("printed %q, want %q in it", stdout.String(), want)
				}
			}
		})
	}
}

func TestFlags(t *testing.T) {
	t.Parallel()
	tests := []struct {
		args string
		want string
	}{
		{"-run [", "-run: error parsing regexp"},
		{"-n -1", "-n -1: must be 1 or more"},
		{"version", `unknown argument "version"`},
		{"-frobnicate", "flag provided but not defined"},
	}
	for _, tt := range tests {
		var out strings.Builder
		err := run(t.Context(), strings.Fields(tt.args), &out, &out)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("bench %s: error %v, want %q", tt.args, err, tt.want)
		}
	}
	for args, want := range map[string]int{"": 20, "-quick": 2, "-quick -n 7": 7, "-n 1": 1} {
		o, err := parseFlags(strings.Fields(args), &strings.Builder{})
		if err != nil || o.n != want {
			t.Errorf("bench %s: %d runs, %v; want %d", args, o.n, err, want)
		}
	}
}

func TestLabel(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{0: "0", 20: "20", 1000: "1k", 1500: "1500", 100_000: "100k", 1_000_000: "1M"} {
		if got := paired.Label(n); got != want {
			t.Errorf("paired.Label(%d) = %q, want %q", n, got, want)
		}
	}
}
