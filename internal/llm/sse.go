package llm

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

const (
	// maxEvent bounds one event, and with it the memory that a server can make
	// ken use for a line that never ends. Real ones reach 33 MiB (an image).
	maxEvent = 128 << 20
	// readBytes is the first size of the buffer; ordinary events have 200-400 bytes.
	readBytes = 32 << 10
	// doneMark is the event that ends a stream.
	doneMark = "[DONE]"
)

var errTooLarge = errors.New("an event of more than 128 MiB")

// An event is what a server sent in one piece.
type event struct {
	data   []byte // valid JSON, or [DONE], unless failed or bad; valid until the next event
	failed bool   // the server named it an error
	bad    bool   // no JSON
	torn   bool   // bad, and the last: the stream was cut in it
}

// events reads server-sent events, and what comes in their place.
//
// Lines end with LF, CRLF or CR. The data of an event may stand on several lines
// and end with a blank line; but where a line is JSON by itself it is an event at
// once, since some servers leave the blank line out or send it late. A body that
// begins with { or [ is no event stream: all its lines are data, which reads a
// whole completion, an error, and one JSON object per line alike.
type events struct {
	src   io.Reader
	buf   []byte
	r, w  int // unread bytes are buf[r:w]
	scan  int // up to here there is no line end behind r
	err   error
	bytes int64
	head  []byte // first bytes of the body

	started bool // the kind of body is known
	raw     bool // lines are data
	lf      bool // the last line ended with CR: an LF that follows belongs to it
	failed  bool // event: error
	pending []byte
	queue   []event
}

func newEvents(src io.Reader) *events { return &events{src: src, buf: make([]byte, readBytes)} }

// next returns the next event. The error is io.EOF at the end, or the reader's.
func (d *events) next() (event, error) {
	for {
		if len(d.queue) > 0 {
			ev := d.queue[0]
			d.queue = d.queue[1:]
			return ev, nil
		}
		if line, ok := d.line(); ok {
			if ev, ok := d.take(line); ok {
				return ev, nil
			}
			continue
		}
		if d.err == nil {
			d.fill()
			continue
		}
		if d.r < d.w { // the last line has no end
			line := d.buf[d.r:d.w]
			d.r = d.w
			if ev, ok := d.take(line); ok {
				return ev, nil
			}
			continue
		}
		if ev, ok := d.flush(); ok {
			ev.torn = ev.bad
			return ev, nil
		}
		return event{}, d.err
	}
}

// fill reads once into the buffer, which grows while a line does not fit.
func (d *events) fill() {
	switch {
	case d.r == d.w:
		d.r, d.w, d.scan = 0, 0, 0
	case d.w < len(d.buf):
	case d.r > len(d.buf)/2:
		n := copy(d.buf, d.buf[d.r:d.w])
		d.r, d.w, d.scan = 0, n, d.scan-d.r
	case len(d.buf) >= maxEvent:
		d.err = errTooLarge
		d.r = d.w
		return
	default:
		grown := make([]byte, 2*len(d.buf))
		n := copy(grown, d.buf[d.r:d.w])
		d.buf, d.r, d.w, d.scan = grown, 0, n, d.scan-d.r
	}
	for range 100 {
		n, err := d.src.Read(d.buf[d.w:])
		if len(d.head) < headBytes {
			d.head = append(d.head, d.buf[d.w:d.w+min(n, headBytes-len(d.head))]...)
		}
		d.w += n
		d.bytes += int64(n)
		d.err = err
		if n > 0 || err != nil {
			return
		}
	}
	d.err = io.ErrNoProgress
}

// line returns the next line without its end.
func (d *events) line() ([]byte, bool) {
	if !d.started && !d.start() {
		return nil, false
	}
	if d.lf && d.r < d.w {
		d.lf = false
		if d.buf[d.r] == '\n' {
			d.r++
			d.scan = max(d.scan, d.r)
		}
	}
	for i := d.scan; i < d.w; i++ {
		if c := d.buf[i]; c == '\n' || c == '\r' {
			line := d.buf[d.r:i]
			d.lf = c == '\r'
			d.r, d.scan = i+1, i+1
			return line, true
		}
	}
	d.scan = d.w
	return nil, false
}

// start drops a byte order mark and white space before the first line, some of
// which servers send to keep a connection open, and tells what kind of body it
// is. It reports whether that is known.
func (d *events) start() bool {
	const mark = "\xef\xbb\xbf"
	b := d.buf[d.r:d.w]
	if n := len(b); n < len(mark) && d.err == nil && d.bytes == int64(n) && string(b) == mark[:n] {
		return false
	}
	if d.bytes == int64(len(b)) {
		b = bytes.TrimPrefix(b, []byte(mark))
	}
	b = bytes.TrimLeft(b, leading)
	d.r = d.w - len(b)
	d.scan = d.r
	if len(b) == 0 {
		return false
	}
	d.started = true
	d.raw = b[0] == '{' || b[0] == '['
	return true
}

// take takes one line, and returns the event that it completes.
func (d *events) take(line []byte) (event, bool) {
	if len(line) == 0 {
		if d.raw {
			return event{}, false
		}
		return d.flush()
	}
	if d.raw || line[0] == '{' { // an error that was written past the stream
		return d.data(line)
	}
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(name) {
	case "data":
		return d.data(value)
	case "event":
		d.failed = string(value) == "error"
	case "error": // older llama.cpp
		return event{data: value, failed: true}, true
	}
	return event{}, false // a comment, or a field that says nothing here
}

// data takes the value of one data line.
func (d *events) data(value []byte) (event, bool) {
	value = bytes.TrimSpace(value)
	if len(value) == 0 {
		return event{}, false
	}
	alone := string(value) == doneMark || json.Valid(value)
	if alone && len(d.pending) == 0 {
		return event{data: value, failed: d.failed}, true
	}
	if alone && complete(value) {
		// The lines before were a damaged event without a blank line behind it.
		d.queue = append(d.queue, event{data: value, failed: d.failed})
		bad := event{data: d.pending, bad: true}
		d.pending = nil
		return bad, true
	}
	if len(d.pending)+len(value) > maxEvent {
		d.err, d.r, d.pending = errTooLarge, d.w, nil
		return event{}, false
	}
	if len(d.pending) > 0 {
		d.pending = append(d.pending, '\n')
	}
	d.pending = append(d.pending, value...)
	return event{}, false
}

// complete reports whether a value that is valid by itself cannot be a line in
// the middle of a longer one.
func complete(value []byte) bool {
	if string(value) == doneMark {
		return true
	}
	for w := members(value); ; {
		name, _, ok := w.member()
		if !ok {
			return false
		}
		if string(name) == "choices" || string(name) == "error" {
			return true
		}
	}
}

// flush ends the event whose data are pending.
func (d *events) flush() (event, bool) {
	failed := d.failed
	d.failed = false
	if len(d.pending) == 0 {
		return event{}, false
	}
	ev := event{data: d.pending, failed: failed}
	ev.bad = !failed && !json.Valid(ev.data)
	d.pending = nil
	return ev, true
}
