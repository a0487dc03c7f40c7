package view

// Embedded is what was done to have a vector of each memory, or would be.
type Embedded struct {
	Made  int `json:"made"`  // vectors
	Texts int `json:"texts"` // that had none
	Bytes int `json:"bytes"` // of those
	Items int `json:"items"` // memories that are to have one
}
