package view

// Masked is what was masked in the files, and what stays.
type Masked struct {
	Masked []Occurrence `json:"masked"` // with --dry-run, what would be
	Lines  int          `json:"lines"`  // that were changed
	Kept   []Occurrence `json:"kept"`   // what stays, and why
	// Words counts secrets that could be ordinary words, and are masked only where
	// something says that they are secrets.
	Words  int        `json:"words,omitempty"`
	DryRun bool       `json:"dry_run,omitempty"`
	Proof  *MaskProof `json:"proof,omitempty"`
}

// An Occurrence is where a secret stands.
type Occurrence struct {
	Path  string   `json:"path"`
	Line  int      `json:"line,omitempty"` // 0: in a file without lines, or in its name
	Ref   string   `json:"ref,omitempty"`  // of the memory
	Kinds []string `json:"kinds"`
	Text  string   `json:"text,omitempty"` // masked
	Kept  string   `json:"kept,omitempty"` // why it stays; one of those of package scrub
}

// A MaskProof says what a look into every file found after masking.
type MaskProof struct {
	Files int          `json:"files"` // that were read
	Bytes int64        `json:"bytes"`
	Left  int          `json:"left"` // secrets in files that ken writes, or that nobody knows
	At    []Occurrence `json:"at"`   // where they are; never nil
	Kept  []Occurrence `json:"kept"` // what stays, and why; never nil
	// Unread are files that could not be read, with the reason, and Beyond places
	// where no look finds anything.
	Unread []string `json:"unread,omitempty"`
	Beyond []string `json:"beyond,omitempty"`
}

// Clean reports whether everything was read and nothing is left.
func (p MaskProof) Clean() bool { return p.Left == 0 && len(p.Unread) == 0 }
