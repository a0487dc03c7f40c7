//go:build linux || darwin

package edit

import (
	"strings"

	"github.com/reeflective/readline"
)

// complete says what can stand where the cursor is.
func (e *Editor) complete(line []rune, cursor int) readline.Completions {
	if e.asking || e.o.Complete == nil {
		return readline.Completions{}
	}
	before := string(line[:min(cursor, len(line))])
	c := e.o.Complete(before)
	var words []readline.Completion
	for _, w := range c.Words {
		words = append(words, readline.Completion{Value: w.Text, Display: strings.TrimRight(w.Text, " "), Description: w.About})
	}
	comps := readline.CompleteRaw(words).NoSort()
	comps.PREFIX = before[c.From:]
	return comps
}
