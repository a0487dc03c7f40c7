package risk

// A Level is how much a command could do. Levels are ordered: the larger one is
// the worse.
type Level uint8

// The levels, from the least.
const (
	Safe    Level = iota // only reads ordinary data and prints it
	Caution              // a bounded or recoverable change, the network, code of the project
	Danger               // broad or irrecoverable loss, other rights, code from elsewhere, or disguised
)

// String is "safe", "caution" or "danger".
func (l Level) String() string {
	return [...]string{"safe", "caution", "danger"}[min(l, Danger)]
}

// Here is what Judge may know of where a line would run.
type Here struct {
	Dir        string // absolute; "" if unknown
	Home       string // absolute; "" if unknown
	TrustedGit bool   // the repository's configuration is trusted, and git is run with its hooks and pagers off
	// Has says that the directory, or one above it, has a file or directory of that name, which
	// a program there would obey as code. Nil: none has any where TrustedGit, else all do.
	Has   func(name string) bool
	POSIX bool // sh will run the line, not bash
}

// A Reason is one thing in the line that raises its level.
type Reason struct {
	Level Level
	Why   string // in a few words, without the token
	Token string // the bytes of the line at fault, as they stand there
	At    int    // offset of Token in the line, in bytes
}

// A Simple is one simple command of a line, at any depth.
type Simple struct {
	Argv  []string // words without their quotes; a word that is not literal is ""
	Known []bool   // for each of Argv: it is literal
	Set   []string // the assignments before it, "NAME=value"
	Level Level    // of this command alone, with what it runs
	At    int      // offset in the line, in bytes
	End   int      // offset behind it
	Runs  []Simple // what it runs in turn: behind it as a wrapper, or in its strings
	// Removes says that it removes a directory with all below it.
	Removes bool
	Plain   bool // a plain command: literal words alone, without assignments, redirections or anything around it
}

// An Assessment is what Judge found.
type Assessment struct {
	Level    Level
	Reasons  []Reason // the worst first; none of a safe line
	Commands []Simple // in the order of the line; nil if it cannot be parsed
}
