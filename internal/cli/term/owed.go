package term

import (
	"fmt"

	"ken/internal/engine"
	"ken/internal/memory"
)

// TellOwed prints in one line what is still to be erased here.
func (o *Voice) TellOwed(s *memory.State) {
	if debts := engine.Owed(s); len(debts) > 0 {
		o.Status("%s", owedText(debts, o.Verb("forget --for-good")))
	}
}

// owedText says what is still to be erased, and how: verb is the command.
func owedText(debts []memory.ID, verb string) string {
	const most = 8
	refs := ""
	for i, id := range debts {
		if i == most {
			refs += " ..."
			break
		}
		refs += " " + id.String()
	}
	n := "1 memory was erased on another device, and its text is"
	if len(debts) > 1 {
		n = fmt.Sprintf("%d memories were erased on another device, and their text is", len(debts))
	}
	return fmt.Sprintf("%s still in files here: %s%s", n, verb, refs)
}
