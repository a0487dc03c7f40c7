package pty

// Captured is the beginning and the end of an output. What was drawn on the
// alternate screen, as editors and pagers do, is not in it.
type Captured struct {
	Head []byte
	Tail []byte // follows Head after Left bytes
	Left int64  // bytes between Head and Tail that were not kept
}

// A capture keeps a third of its size of the beginning and the rest of the end:
// what went wrong is mostly said last.
type capture struct {
	head, tail []byte // with the capacity they may have; tail is a ring once it is full
	next       int    // where the ring goes on
	total      int64  // bytes that were written
}

// newCapture returns a capture of at most size bytes.
func newCapture(size int) *capture {
	size = max(size, 0)
	return &capture{head: make([]byte, 0, size/3), tail: make([]byte, 0, size-size/3)}
}

func (c *capture) write(p []byte) {
	c.total += int64(len(p))
	n := min(len(p), cap(c.head)-len(c.head))
	c.head = append(c.head, p[:n]...)
	p = p[n:]
	if len(p) >= cap(c.tail) {
		c.tail = append(c.tail[:0], p[len(p)-cap(c.tail):]...)
		c.next = 0
		return
	}
	n = min(len(p), cap(c.tail)-len(c.tail))
	c.tail = append(c.tail, p[:n]...)
	for p = p[n:]; len(p) > 0; p = p[n:] {
		n = copy(c.tail[c.next:], p)
		c.next = (c.next + n) % len(c.tail)
	}
}

// captured returns what is kept. c must not be written to afterwards.
func (c *capture) captured() Captured {
	tail := append(append(make([]byte, 0, len(c.tail)), c.tail[c.next:]...), c.tail[:c.next]...)
	return Captured{Head: c.head, Tail: tail, Left: c.total - int64(len(c.head)+len(tail))}
}
