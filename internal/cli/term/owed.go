package term

import (
	"fmt"

	"ken/internal/memory"
	"ken/internal/memory/tombstone"
)

// TellOwed prints in one line what is still to be erased here.
func (o *Voice) TellOwed(s *memory.State) {
	if debts := tombstone.Owed(s); len(debts) > 0 {
		o.Status("%s", OwedText(debts, o.Verb("forget --for-good")))
	}
}

// OwedText says what is still to be erased, and how: verb is the command.
func OwedText(debts []tombstone.Debt, verb string) string {
	const most = 8
	refs := ""
	for i, d := range debts {
		if i == most {
			refs += " ..."
			break
		}
		refs += " " + d.ID.String()
	}
	n := "1 memory was erased on another device, and its text is"
	if len(debts) > 1 {
		n = fmt.Sprintf("%d memories were erased on another device, and their text is", len(debts))
	}
	return fmt.Sprintf("%s still in files here: %s%s", n, verb, refs)
}
