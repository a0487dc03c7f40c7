package view

import (
	"io"
	"strings"

	"ken/internal/termsafe"
)

const (
	// maxColumn is the widest that a column but the last may be, in cells, so
	// that one long scope does not push the text off the screen.
	maxColumn = 32
	// minText is the narrowest that the last column may be, in cells, before columns
	// left of it are left out.
	minText = 24
	// leastText is the narrowest that it gets.
	leastText = 10
)

// Table renders rows in columns below head, one line each and none for a line
// end inside a cell. All columns but the last are as wide as their widest cell,
// at most 32 cells; the last is cut so that a line fits into width cells, where
// 0 is no limit. Where that would leave it less than 24 cells, the columns between the
// first and the last are left out, the last of them first. The text does not end with a line end. Each row has as many
// cells as head, of which there is at least one.
func Table(head []string, rows [][]string, width int) string {
	var b strings.Builder
	_ = writeTable(&b, head, len(rows), func(n int) []string { return rows[n] }, width) // a Builder takes everything
	return b.String()
}

// writeTable writes a Table of so many rows. Each is asked for twice, since a column is as
// wide as its widest cell: a long table is nowhere as a whole.
func writeTable(w io.Writer, head []string, rows int, row func(n int) []string, width int) error {
	last := len(head) - 1
	widths, left := make([]int, last), width
	cells := make([]string, len(head))
	line := func(n int) []string {
		if n < 0 {
			return head
		}
		return row(n)
	}
	for n := -1; n < rows; n++ {
		for i, cell := range line(n)[:last] {
			widths[i] = max(widths[i], min(termsafe.Width(termsafe.Line(cell)), maxColumn))
		}
	}
	gone := make([]bool, last)
	for _, w := range widths {
		left -= w + 2
	}
	for i := last - 1; i > 0 && width > 0 && left < minText; i-- {
		gone[i] = true
		left += widths[i] + 2
	}
	for n := -1; n < rows; n++ {
		for i, cell := range line(n) {
			cells[i] = termsafe.Line(cell)
		}
		if width > 0 {
			cells[last] = termsafe.Cut(cells[last], max(left, leastText))
		}
		text := tableLine(cells, widths, gone)
		if n >= 0 {
			text = "\n" + text
		}
		if _, err := io.WriteString(w, text); err != nil {
			return err
		}
	}
	return nil
}

// tableLine pads all cells but the last to widths, and leaves out those that are gone.
func tableLine(row []string, widths []int, gone []bool) string {
	var b strings.Builder
	for i, w := range widths {
		if gone[i] {
			continue
		}
		cell := termsafe.Cut(row[i], w)
		b.WriteString(cell)
		b.WriteString(strings.Repeat(" ", w-termsafe.Width(cell)+2))
	}
	b.WriteString(row[len(widths)])
	return strings.TrimRight(b.String(), " ")
}
