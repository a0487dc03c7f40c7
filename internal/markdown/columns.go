package markdown

import "slices"

// columnWidths are the widths of the columns of a table, in cells: need, if that comes
// to avail at most. Otherwise the widest ones get less, but none less than word,
// its longest word, if that can be; and else than least. It is nil if the columns
// do not fit even then. need and word have the same length.
func columnWidths(need, word []int, avail, least int) []int {
	if total(need) <= avail {
		return need
	}
	if total(word) > avail {
		word = make([]int, len(need))
		for i, n := range need {
			word[i] = min(n, least)
		}
	}
	if total(word) > avail {
		return nil
	}
	// The highest limit on all columns with which they fit.
	low, high := 0, slices.Max(need)
	columns := func(most int) []int {
		c := make([]int, len(need))
		for i, n := range need {
			c[i] = max(word[i], min(n, most))
		}
		return c
	}
	for low < high {
		if mid := (low + high + 1) / 2; total(columns(mid)) <= avail {
			low = mid
		} else {
			high = mid - 1
		}
	}
	return columns(low)
}

func total(list []int) int {
	sum := 0
	for _, n := range list {
		sum += n
	}
	return sum
}
