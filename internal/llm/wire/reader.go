package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

const (
	// maxEvent bounds one event, and with it the memory that a server can make
	// ken use for a line that never ends. Real ones reach 33 MiB (an image).
	maxEvent = 64 << 20
	// maxQuiet bounds what may come without being of use to who reads: comments
	// that keep a connection open are a few bytes a second.
	maxQuiet = 128 << 20
	// readBytes is the first size of the buffer; ordinary events have 200-400 bytes.
	readBytes = 32 << 10
	// headBytes is how much of the body Head keeps: enough to recognise the page of a
	// proxy from the error of an API.
	headBytes = 500
	// space is what may stand around an event and before a body.
	space = " \t\r\n"
)

// Done is the data of the event that ends a stream.
const Done = "[DONE]"

var (
	// ErrTooLarge ends a body with an event that does not end.
	ErrTooLarge = errors.New("an event of more than 64 MiB")
	// ErrQuiet ends a body that goes on and on without saying anything.
	ErrQuiet = errors.New("128 MiB came without anything of an answer")
)

// An Event is what a server sent in one piece.
type Event struct {
	Data   []byte // valid JSON, or Done, unless Failed or Bad; until the next event is read
	Failed bool   // the server named it an error; Data may be any text
	Bad    bool   // Data is no JSON
	Torn   bool   // Bad, and the last: the body was cut in it
}

// A Reader reads server-sent events, and what comes in their place.
//
// Lines end with LF, CRLF or CR. The data of an event may stand on several lines
// and end with a blank line; but where a line is JSON by itself it is an event at
// once, since some servers leave the blank line out or send it late. A body that
// begins with { or [ is no event stream: all its lines are data, which reads a
// whole completion, an error, and one JSON object per line alike.
type Reader struct {
	src   io.Reader
	buf   []byte
	r, w  int // unread bytes are buf[r:w]
	scan  int // up to here there is no line end behind r
	err   error
	bytes int64
	max   int    // most bytes of an event
	quiet int64  // most bytes without Useful
	used  int64  // bytes that had been read at the last Useful
	head  []byte // first bytes of the body

	started bool // the kind of body is known
	raw     bool // lines are data
	lf      bool // the last line ended with CR: an LF that follows belongs to it
	failed  bool // event: error
	pending []byte
	queue   []Event
}

// NewReader returns a reader of the body src.
func NewReader(src io.Reader) *Reader {
	return &Reader{src: src, buf: make([]byte, readBytes), max: maxEvent, quiet: maxQuiet}
}

// Bytes returns how much of the body has been read.
func (d *Reader) Bytes() int64 { return d.bytes }

// Useful says that what was read until now was of use: see ErrQuiet.
func (d *Reader) Useful() { d.used = d.bytes }

// Head returns the first bytes of the body, at most 500.
func (d *Reader) Head() string { return string(d.head) }

// Next returns the next event. The error is io.EOF at the end, the source's, or
// ErrTooLarge.
func (d *Reader) Next() (Event, error) {
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
			ev.Torn = ev.Bad
			return ev, nil
		}
		return Event{}, d.err
	}
}

// fill reads once into the buffer, which grows while a line does not fit.
func (d *Reader) fill() {
	switch {
	case d.r == d.w:
		d.r, d.w, d.scan = 0, 0, 0
	case d.w < len(d.buf):
	case d.started && !d.raw && d.buf[d.r] == ':': // of a comment nothing is needed
		d.w, d.scan = d.r+1, d.r+1
	case d.r > len(d.buf)/2:
		n := copy(d.buf, d.buf[d.r:d.w])
		d.r, d.w, d.scan = 0, n, d.scan-d.r
	case len(d.buf) >= d.max:
		d.tooLarge()
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
		if d.bytes-d.used > d.quiet {
			d.err = ErrQuiet
		}
		if n > 0 || err != nil {
			return
		}
	}
	d.err = io.ErrNoProgress
}

// tooLarge gives up: where the event ends is not known.
func (d *Reader) tooLarge() {
	d.err, d.pending = ErrTooLarge, nil
	d.r, d.scan = d.w, d.w
}

// line returns the next line without its end.
func (d *Reader) line() ([]byte, bool) {
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
// which servers send to keep a connection open, and finds what kind of body it
// is. It reports whether that is known.
func (d *Reader) start() bool {
	const mark = "\xef\xbb\xbf"
	b := d.buf[d.r:d.w]
	if n := len(b); n < len(mark) && d.err == nil && d.bytes == int64(n) && string(b) == mark[:n] {
		return false
	}
	if d.bytes == int64(len(b)) {
		b = bytes.TrimPrefix(b, []byte(mark))
	}
	b = bytes.TrimLeft(b, space)
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
func (d *Reader) take(line []byte) (Event, bool) {
	if len(line) == 0 {
		if d.raw {
			return Event{}, false
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
		return Event{Data: value, Failed: true}, true
	}
	return Event{}, false // a comment, or a field that says nothing here
}

// data takes the value of one data line.
func (d *Reader) data(value []byte) (Event, bool) {
	value = bytes.TrimSpace(value)
	if len(value) == 0 {
		return Event{}, false
	}
	alone := string(value) == Done || json.Valid(value)
	if alone && len(d.pending) == 0 {
		return Event{Data: value, Failed: d.failed}, true
	}
	if alone && complete(value) {
		// The lines before were a damaged event without a blank line behind it.
		d.queue = append(d.queue, Event{Data: value, Failed: d.failed})
		bad := Event{Data: d.pending, Bad: true}
		d.pending = nil
		return bad, true
	}
	if len(d.pending)+len(value) > d.max {
		d.tooLarge()
		return Event{}, false
	}
	if len(d.pending) > 0 {
		d.pending = append(d.pending, '\n')
	}
	d.pending = append(d.pending, value...)
	return Event{}, false
}

// complete reports whether a value that is valid by itself cannot be a line in
// the middle of a longer one.
func complete(value []byte) bool {
	if string(value) == Done {
		return true
	}
	for name := range Members(value) {
		if string(name) == "choices" || string(name) == "error" {
			return true
		}
	}
	return false
}

// flush ends the event whose data are pending.
func (d *Reader) flush() (Event, bool) {
	failed := d.failed
	d.failed = false
	if len(d.pending) == 0 {
		return Event{}, false
	}
	ev := Event{Data: d.pending, Failed: failed}
	ev.Bad = !failed && !json.Valid(ev.Data)
	d.pending = nil
	return ev, true
}
