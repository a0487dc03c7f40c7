package undo

import (
	"crypto/rand"
	"slices"
	"strings"

	"ken/internal/session/acts"
)

// Tool is the tool of an act that takes another one back.
const Tool = "undo"

// An Act is a change of one file, as it stands in a session.
type Act = acts.Change

// NewID is the id of a new act: "a" and seven of 32 letters and digits.
func NewID() string { return "a" + strings.ToLower(rand.Text()[:7]) }

// Standing are the acts that were not taken back, the newest first, and none that takes another back.
func Standing(all []Act) (list []Act) {
	undone := map[string]bool{}
	for _, a := range slices.Backward(all) {
		if undone[a.ID] {
			continue
		}
		if a.Undoes != "" {
			undone[a.Undoes] = true
			continue
		}
		list = append(list, a)
	}
	return list
}

// RunOf are the acts of a run that stand, the newest first.
func RunOf(all []Act, run string) (list []Act) {
	for _, a := range Standing(all) {
		if a.Run == run {
			list = append(list, a)
		}
	}
	return list
}

// isBack says that the file of an act is as it was before it.
func isBack(a Act) bool {
	now, err := nowOf(a)
	return err == nil && now.sum() == a.Before && (now.b == nil || a.Was == "" || now.form == a.Was)
}
