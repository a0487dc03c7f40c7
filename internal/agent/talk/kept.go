package talk

import (
	"sync"
	"sync/atomic"

	"ken/internal/agent/turn"
	"ken/internal/gate"
)

// A Kept is what a conversation has besides its record: what the person approved in it, whether nothing but the project is read, the
// model that they chose, the lines of the memory that can be taken back, and where the last answer comes from. A conversation that is
// closed and opened again with it goes on as if it had not been closed. The zero Kept is that of a new one. It is of one conversation
// at a time, and not safe for concurrent use but for Read and Reading.
type Kept struct {
	id       string // of the record that was begun; "": none was
	approved gate.Session
	model    string      // "": none was chosen
	last     turn.Answer // with a trace, for why
	reads    atomic.Bool

	mu   sync.Mutex // guards what follows
	done []written  // the lines that were written here, the newest last
}

// A written is a line of the memory, and the change of a file that was the newest when it was written.
type written struct{ ref, behind string }

// Read has nothing but the project read from now on, whatever was approved, or ends that.
func (k *Kept) Read(on bool) { k.reads.Store(on) }

// Reading reports whether nothing but the project is read.
func (k *Kept) Reading() bool { return k.reads.Load() }
