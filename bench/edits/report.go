package edits

import (
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"strings"
	"text/tabwriter"
	"time"

	"ken/internal/tool/edit"
)

// A Row counts what came of the edits of one kind.
type Row struct {
	Kind                            Kind
	Right, Indented, Refused, Wrong int
	Exact                           int           // those that matching as it stands alone would have right
	Took                            time.Duration // all of them
	Bad                             []string      // the first ones that are wrong
}

// Cases is how many there are.
func (row Row) Cases() int { return row.Right + row.Indented + row.Refused + row.Wrong }

// Measure has every edit quoted in every way and counts what comes of it.
func Measure(r *rand.Rand, all []Edit, now func() time.Time) []Row {
	var rows []Row
	for _, k := range Kinds() {
		row := Row{Kind: k}
		for _, e := range all {
			text, old, want, ok := k.Quote(r, e)
			if !ok || elsewhere(text, old, e) {
				continue
			}
			began := now()
			got, err := edit.Replace(text, edit.Want{Old: old, New: want})
			row.Took += now().Sub(began)
			row.add(e, text, old, want, got, err)
		}
		rows = append(rows, row)
	}
	return rows
}

// elsewhere says that a bad quote is a good one of another place: nobody could know.
func elsewhere(text, old string, e Edit) bool {
	return old != e.Old && strings.Contains(text, old) && !strings.Contains(e.Old, old)
}

func (row *Row) add(e Edit, text, old, now string, got edit.Result, err error) {
	meant := e.Want
	if strings.Contains(text, "\r\n") {
		meant = strings.ReplaceAll(meant, "\n", "\r\n")
	}
	if strings.Count(text, old) == 1 && strings.Replace(text, old, now, 1) == meant {
		row.Exact++
	}
	switch {
	case err != nil:
		row.Refused++
	case row.Kind.Refuse:
		row.wrong(e, old, now)
	case got.Text == meant:
		row.Right++
	case unindented(got.Text) == unindented(meant):
		row.Indented++
	default:
		row.wrong(e, old, now)
	}
}

func (row *Row) wrong(e Edit, old, now string) {
	row.Wrong++
	if len(row.Bad) < 3 {
		row.Bad = append(row.Bad, fmt.Sprintf("%s: %q -> %q", e.File, old, now))
	}
}

// unindented is a text without the blanks that its lines begin with.
func unindented(text string) string {
	return eachLine(text, func(line string) string { return strings.TrimLeft(line, " \t") })
}

// Report measures n edits in the files below fsys and writes the table. It is an error if one
// is wrong.
func Report(w io.Writer, fsys fs.FS, n int, now func() time.Time) error {
	texts, err := Read(fsys, 20_000)
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(1, 2))
	all, err := Make(r, texts, n)
	if err != nil {
		return err
	}
	files := map[string]bool{}
	for _, e := range all {
		files[e.File] = true
	}
	rows := Measure(r, all, now)
	fmt.Fprintf(w, "%d edits in %d files, %%\n\n", len(all), len(files))
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tab, "the quote\tcases\tright\tindentation\trefused\twrong\tas it stands alone\tms each")
	var wrong, cases int
	var bad []string
	for _, row := range rows {
		of := func(n int) string { return fmt.Sprintf("%.1f", 100*float64(n)/float64(max(row.Cases(), 1))) }
		must := ""
		if row.Kind.Refuse {
			must = " (to be refused)"
		}
		fmt.Fprintf(tab, "%s%s\t%d\t%s\t%s\t%s\t%s\t%s\t%.2f\n", row.Kind.Name, must, row.Cases(),
			of(row.Right), of(row.Indented), of(row.Refused), of(row.Wrong), of(row.Exact),
			row.Took.Seconds()*1000/float64(max(row.Cases(), 1)))
		wrong, cases, bad = wrong+row.Wrong, cases+row.Cases(), append(bad, row.Bad...)
	}
	if err := tab.Flush(); err != nil {
		return err
	}
	if wrong > 0 {
		return fmt.Errorf("%d of %d edits are wrong:\n%s", wrong, cases, strings.Join(bad, "\n"))
	}
	return nil
}
