package safety

// An Exec is a command that ran as the person's own.
type Exec struct {
	Command string `json:"command"`
	Exit    int    `json:"exit"`
	Bytes   int64  `json:"bytes"` // that it printed
	Output  string `json:"output"`
}

// A ModelRun is a command that ran in the lane of a model. It is no Exec with more: its
// fields stand in another order, as they were promised.
type ModelRun struct {
	Command   string `json:"command"`
	Lane      string `json:"lane"` // "model"
	Level     string `json:"level"`
	How       string `json:"how"` // by what it ran, as in the audit
	Exit      int    `json:"exit"`
	Bytes     int64  `json:"bytes"`
	Output    string `json:"output"` // masked
	Truncated bool   `json:"truncated"`
	TimedOut  bool   `json:"timed_out"`
	Sandbox   string `json:"sandbox,omitempty"` // how it was held
}

// A Rehearsal is a command that ran with its changes kept aside, and what it would change.
type Rehearsal struct {
	Command  string   `json:"command"`
	Level    string   `json:"level"`
	Exit     int      `json:"exit"`
	Bytes    int64    `json:"bytes"`
	Output   string   `json:"output"` // masked
	TimedOut bool     `json:"timed_out"`
	Changes  []Change `json:"changes"`
	Unfit    string   `json:"unfit,omitempty"` // why it cannot be applied
}

// A Change is what a command would make of one path.
type Change struct {
	Path    string `json:"path"`   // below the project, with slashes
	Change  string `json:"change"` // "made", "changed" or "removed"
	Was     string `json:"was,omitempty"`
	Is      string `json:"is,omitempty"` // "0644", "dir 0755" or "link"
	Size    int64  `json:"size"`
	Added   int    `json:"added"`
	Removed int    `json:"removed"`
	Diff    string `json:"diff,omitempty"` // masked
	Unfit   string `json:"unfit,omitempty"`
}
