package view

// A ScanFinding is one thing about a memory or a turn that a person should look at. It is
// no Finding, which is about a file, and where in it.
type ScanFinding struct {
	Kind  string `json:"kind"`            // as package scan names them
	Ref   string `json:"ref,omitempty"`   // of the memory or turn; "" if it has none
	Other string `json:"other,omitempty"` // the memory that it is measured against
	Where string `json:"where,omitempty"` // file:line, of what has to be mended by hand
	Text  string `json:"text,omitempty"`  // the beginning of what it is about, masked
	Why   string `json:"why"`
	Fix   string `json:"fix"` // the command that mends it; "" if there is none
}

// A Met is what the person said of a model at a server, or of a directory that is, or says
// that it is, a repository: whether their memory is used there.
type Met struct {
	What string `json:"what"` // "model" or "directory"
	// Name is MODEL@HOST:PORT, or the path of the directory.
	Name   string `json:"name"`
	Repo   string `json:"repo,omitempty"` // the identity of the repository
	Status string `json:"status"`         // "used" or "never"
	TS     string `json:"ts"`
}
