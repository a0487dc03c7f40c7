package view

import (
	"strings"

	"ken/internal/termsafe"
)

const (
	// maxColumn is the widest that a column but the last may be, in cells, so
	// that one long scope does not push the text off the screen.
	maxColumn = 32
	// minText is the narrowest that the last column gets, in cells, however
	// little the others leave it.
	minText = 10
)

// Table renders rows in columns below head, one line each and none for a line
// end inside a cell. All columns but the last are as wide as their widest cell,
// at most 32 cells; the last is cut so that a line fits into width cells, where
// 0 is no limit. The text does not end with a line end. Each row has as many
// cells as head, of which there is at least one.
func Table(head []string, rows [][]string, width int) string {
	lines := make([][]string, 0, 1+len(rows))
	for _, row := range append([][]string{head}, rows...) {
		clean := make([]string, len(row))
		for i, cell := range row {
			clean[i] = termsafe.Line(cell)
		}
		lines = append(lines, clean)
	}
	last := len(head) - 1
	widths := make([]int, last)
	left := width
	for i := range widths {
		for _, row := range lines {
			widths[i] = max(widths[i], min(termsafe.Width(row[i]), maxColumn))
		}
		left -= widths[i] + 2
	}
	text := make([]string, len(lines))
	for i, row := range lines {
		if width > 0 {
			row[last] = termsafe.Cut(row[last], max(left, minText))
		}
		text[i] = tableLine(row, widths)
	}
	return strings.Join(text, "\n")
}

// tableLine pads all cells but the last to widths.
func tableLine(row []string, widths []int) string {
	var b strings.Builder
	for i, w := range widths {
		cell := termsafe.Cut(row[i], w)
		b.WriteString(cell)
		b.WriteString(strings.Repeat(" ", w-termsafe.Width(cell)+2))
	}
	b.WriteString(row[len(widths)])
	return strings.TrimRight(b.String(), " ")
}
