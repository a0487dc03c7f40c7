package paired

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"
)

// A Report is what one row of a benchmark came to.
type Report struct {
	Row   string   `json:"row"`
	Lines []Line   `json:"lines"`
	Table []string `json:"table,omitempty"` // counts, as lines of text of their own
	Notes []string `json:"notes,omitempty"` // what could not be had, and why
	Error string   `json:"error,omitempty"` // the row could not be measured (to its end)
}

// A Line is one number, the goal for it, and the same of other things.
type Line struct {
	What   string   `json:"what"`
	Unit   string   `json:"unit"`
	Got    Figure   `json:"got"`
	Goal   float64  `json:"goal,omitempty"` // the most that it should be; 0 = no goal
	Beside []Beside `json:"beside,omitempty"`
}

// A Figure is the median of the runs, or the quantile that the line names, and
// their quartiles. For another quantile than the median these are the value
// itself, since they would say nothing of it.
type Figure struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	N     int     `json:"n"` // how many numbers it rests on
}

// Beside is the same quantity of something else.
type Beside struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Ratio float64 `json:"ratio"` // the line's own over this one
}

// A Want asks for one line, and one more for each ratio that has a goal.
type Want struct {
	What  string
	Unit  string
	Trial string // whose number it is
	Of    Quantity
	At    float64  // the quantile; 0 = the median
	Goal  float64  // 0 = none
	Names []string // trials that stand beside it, as far as they gave the quantity
	Over  []OverGoal
}

// An OverGoal is a goal for a ratio: the most times that a number should be of
// that of another trial.
type OverGoal struct {
	Name  string
	Times float64
}

func figureOf(s Series, q float64) Figure {
	f := Figure{Value: s.Quantile(q), N: len(s)}
	f.Low, f.High = f.Value, f.Value
	if q == Median {
		f.Low, f.High = s.Quantile(0.25), s.Quantile(0.75)
	}
	return f
}

// Add appends the lines that w asks for, or a note that there is nothing to
// make them of.
func (rep *Report) Add(r Readings, w Want) {
	if w.At == 0 {
		w.At = Median
	}
	s := r.Of(w.Trial, w.Of)
	if len(s) == 0 {
		rep.Note("%s: not measured", w.What)
		return
	}
	l := Line{What: w.What, Unit: w.Unit, Got: figureOf(s, w.At), Goal: w.Goal}
	for _, name := range w.Names {
		t := r.Of(name, w.Of)
		if ratio := s.Over(t, w.At).Quantile(Median); finite(ratio) {
			l.Beside = append(l.Beside, Beside{name, t.Quantile(w.At), ratio})
		}
	}
	rep.Lines = append(rep.Lines, l)
	for _, g := range w.Over {
		if t := r.Of(g.Name, w.Of); len(t) > 0 {
			rep.AddRatio(w.What+", over "+g.Name, s.Over(t, w.At), g.Times)
		}
	}
}

// AddRatio appends a line of how many times one thing is of another, or a note
// that it cannot be told, because the other came to nothing.
func (rep *Report) AddRatio(what string, times Series, goal float64) {
	f := figureOf(times, Median)
	if !finite(f.Value) || !finite(f.Low) || !finite(f.High) {
		rep.Note("%s: lost in the noise", what)
		return
	}
	rep.Lines = append(rep.Lines, Line{What: what, Unit: "x", Got: f, Goal: goal})
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// Note adds what a reader of the row has to know.
func (rep *Report) Note(format string, args ...any) {
	rep.Notes = append(rep.Notes, fmt.Sprintf(format, args...))
}

// Verdicts on a goal.
const (
	Met     = "met"
	Missed  = "MISSED"
	Unclear = "unclear" // nothing takes no time: it was lost in the noise
)

// Verdict says whether the goal of l was met; "" if it has none.
func (l Line) Verdict() string {
	switch {
	case l.Goal == 0:
		return ""
	case l.Got.Value <= 0:
		return Unclear
	case l.Got.Value <= l.Goal:
		return Met
	}
	return Missed
}

func (l Line) goal() string {
	if l.Goal == 0 {
		return ""
	}
	return "<= " + number(l.Goal, l.Unit)
}

// spread is how far the quartiles lie apart, as a part of the value.
func (l Line) spread() string {
	if l.Got.Low == l.Got.High || l.Got.Value <= 0 {
		return ""
	}
	return fmt.Sprintf("%.0f%%", 100*(l.Got.High-l.Got.Low)/l.Got.Value)
}

func (l Line) others() string {
	var parts []string
	for _, o := range l.Beside {
		parts = append(parts, fmt.Sprintf("%s %s (%.2fx)", o.Name, number(o.Value, l.Unit), o.Ratio))
	}
	return strings.Join(parts, "; ")
}

// number is v with three digits that count, and its unit.
func number(v float64, unit string) string {
	digits := 0
	if v != 0 {
		digits = max(0, 2-int(math.Floor(math.Log10(math.Abs(v)))))
	}
	s := fmt.Sprintf("%.*f", digits, v)
	if strings.Contains(s, ".") {
		s = strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
	}
	return s + " " + unit
}

// Write prints the row as a table for people: what, how much, the spread of the
// runs, the goal, the verdict, and what stands beside it.
func (rep *Report) Write(w io.Writer) error {
	fmt.Fprintf(w, "\n%s\n", rep.Row)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, l := range rep.Lines {
		cells := []string{l.What, number(l.Got.Value, l.Unit), l.spread(), l.goal(), l.Verdict(), l.others()}
		fmt.Fprintln(t, strings.TrimRight("  "+strings.Join(cells, "\t"), "\t"))
	}
	err := t.Flush()
	for _, l := range rep.Table {
		_, err = fmt.Fprintf(w, "    %s\n", l)
	}
	for _, n := range rep.Notes {
		_, err = fmt.Fprintf(w, "  (%s)\n", n)
	}
	if rep.Error != "" {
		_, err = fmt.Fprintf(w, "  FAILED: %s\n", rep.Error)
	}
	return err
}

// WriteSum counts the goals of all rows and names those that were not met.
func WriteSum(w io.Writer, reports []*Report) error {
	count, failed := map[string]int{}, 0
	var open []string
	for _, rep := range reports {
		if rep.Error != "" {
			failed++
		}
		for _, l := range rep.Lines {
			v := l.Verdict()
			count[v]++
			if v == Missed || v == Unclear {
				open = append(open, fmt.Sprintf("  %s %s: %s: %s, goal %s\n", v, rep.Row, l.What, number(l.Got.Value, l.Unit), l.goal()))
			}
		}
	}
	_, err := fmt.Fprintf(w, "\ngoals: %d met, %d MISSED, %d unclear; rows that failed: %d\n%s",
		count[Met], count[Missed], count[Unclear], failed, strings.Join(open, ""))
	return err
}
