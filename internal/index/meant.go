package index

import "ken/internal/text"

// Meant returns the number of words of a text that carry meaning by themselves, each as often as it
// stands there, and a name of several parts by itself and by these.
func Meant(s string) int {
	n := 0
	text.Chunks(s, func(chunk string) {
		for _, t := range terms(chunk) {
			if t.Form == Word && !text.IsStop(t.Text) {
				n++
			}
		}
	})
	return n
}
