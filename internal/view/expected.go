package view

import (
	"fmt"
	"strings"

	"ken/internal/termsafe"
)

// widest is the most of a memory's text that is quoted, in cells.
const widest = 80

// An ExpectedReport says how tests went.
type ExpectedReport struct {
	Tests   int              `json:"tests"`
	Failed  int              `json:"failed"`
	Results []ExpectedResult `json:"results"` // in the order of the files; never null
}

// An ExpectedResult says how one test went.
type ExpectedResult struct {
	File string `json:"file"`
	N    int    `json:"n"` // its number in the file, from 1; 0: the file cannot be read
	Name string `json:"name,omitempty"`
	Ask  string `json:"ask,omitempty"`
	In   string `json:"in,omitempty"` // the directory, if the test names one
	At   string `json:"at,omitempty"` // the time, if the test names one
	OK   bool   `json:"ok"`
	// Missing are those of "these" that were not there, Unwanted those of "not" that were.
	// Neither is null.
	Missing  []ExpectedMiss `json:"missing"`
	Unwanted []ExpectedMiss `json:"unwanted"`
	Error    string         `json:"error,omitempty"` // why the test could not be run
}

// An ExpectedMiss is a memory that was not there or should not have been, and why.
type ExpectedMiss struct {
	Said    string   `json:"said"` // as the test has it
	Ref     string   `json:"ref,omitempty"`
	Content string   `json:"content,omitempty"` // masked
	Reason  string   `json:"reason"`
	Score   *float64 `json:"score,omitempty"`
	Parts   Parts    `json:"parts,omitempty"` // sum to the score
}

// ExpectedOf counts results.
func ExpectedOf(results []ExpectedResult) ExpectedReport {
	r := ExpectedReport{Tests: len(results), Results: results}
	for i := range r.Results {
		r.Results[i].Missing = append([]ExpectedMiss{}, r.Results[i].Missing...)
		r.Results[i].Unwanted = append([]ExpectedMiss{}, r.Results[i].Unwanted...)
		if !r.Results[i].OK {
			r.Failed++
		}
	}
	if r.Results == nil {
		r.Results = []ExpectedResult{}
	}
	return r
}

// ExpectedText is a report for a person, without a final line end: a line for each test, and below
// one that failed what was missing, what was there, and why.
func ExpectedText(r ExpectedReport) string {
	var lines []string
	for _, t := range r.Results {
		mark := "ok    "
		if !t.OK {
			mark = "FAIL  "
		}
		lines = append(lines, mark+termsafe.Line(title(t)))
		if t.Error != "" {
			lines = append(lines, "      "+termsafe.Line(t.Error))
		}
		for _, m := range t.Missing {
			lines = append(lines, missLines("missing", m)...)
		}
		for _, m := range t.Unwanted {
			lines = append(lines, missLines("not wanted", m)...)
		}
	}
	return strings.Join(append(lines, fmt.Sprintf("%s, %d failed", Count(r.Tests, "test"), r.Failed)), "\n")
}

func title(t ExpectedResult) string {
	name := t.File
	if t.N > 0 {
		name = fmt.Sprintf("%s:%d", t.File, t.N)
	}
	what := t.Name
	if what == "" {
		what = t.Ask
	}
	if what == "" {
		return name
	}
	return name + "  " + Excerpt(what, widest)
}

func missLines(what string, m ExpectedMiss) []string {
	line := "      " + what + ": "
	switch {
	case m.Ref == "":
		line += fmt.Sprintf("%q", Excerpt(m.Said, widest))
	default:
		line += "[" + m.Ref + "] " + Excerpt(m.Content, widest)
	}
	lines := []string{termsafe.Line(line), termsafe.Line("        " + m.Reason)}
	if m.Score != nil {
		lines = append(lines, termsafe.Line("        "+m.Parts.Text(*m.Score)))
	}
	return lines
}
