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
