package view

// A Deleted is a conversation that was deleted, and what a look into every file found of
// its words afterwards. Its lists are never null.
type Deleted struct {
	Session string `json:"session"` // the id
	Name    string `json:"name"`    // of the file, without suffix
	Title   string `json:"title"`
	Turns   int    `json:"turns"`
	// Taught are active memories that were said in it: they stay.
	Taught []ErasedMemory `json:"taught"`
	// Copies are the names of conversations that were copied from it: they stay.
	Copies []string `json:"copies"`
	DryRun bool     `json:"dry_run,omitempty"`
	Proof  *Proof   `json:"proof,omitempty"`
}

// Gone reports whether nothing of it is left where nobody chose to keep it: every file was
// read, and what has words of it is another conversation or something remembered.
func (d Deleted) Gone(keeps func(path string) bool) bool {
	if d.Proof == nil || len(d.Proof.Unread) > 0 {
		return false
	}
	for _, l := range d.Proof.Left {
		if !keeps(l.Path) {
			return false
		}
	}
	return true
}
