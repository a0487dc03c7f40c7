package view

// Imported is what an import of other programs' files came to.
type Imported struct {
	Sessions int           `json:"sessions"`        // that the turns belong to
	Added    int           `json:"added"`           // turns that were not there
	Changed  int           `json:"changed"`         // turns that were there with another text
	Same     int           `json:"same"`            // turns that were there
	Proposed int           `json:"proposed"`        // memories that wait for a yes now
	Known    int           `json:"known"`           // those that wait, were decided on or are remembered already
	Left     int           `json:"left_out"`        // parts of files that could not be read
	Bad      []ImportGap   `json:"bad"`             // the first of them; never null
	Files    []string      `json:"files"`           // that were read; never null
	Other    int           `json:"other_files"`     // files of directories that hold nothing that is known
	Would    []ImportFound `json:"would,omitempty"` // the first memories, with --dry-run
	DryRun   bool          `json:"dry_run,omitempty"`
}

// An ImportGap is a part of a file that could not be read.
type ImportGap struct {
	File   string `json:"file"`
	Line   int    `json:"line"`             // from 1
	Offset int64  `json:"offset,omitempty"` // of its first byte, where a file has one line
	Cause  string `json:"cause"`            // masked
}

// An ImportFound is a memory that would be proposed.
type ImportFound struct {
	Kind    string `json:"kind"`
	Scope   string `json:"scope"`
	Content string `json:"content"` // masked
}
