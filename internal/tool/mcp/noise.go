package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

const (
	mostLine  = 12 << 20    // of one message, in bytes: a result of ten megabytes comes in, and is cut
	mostFlood = 32 << 20    // of what a server says unasked between two answers and in a while, in bytes
	mostLines = 10_000      // of the same, in lines
	aWhile    = time.Minute // what was said before it counts no more
	keptNoise = 200         // of a line that is no message, for the log
)

// Why a stream was given up.
var (
	errTooLong = fmt.Errorf("it sent a message of more than %d MB", mostLine>>20)
	errFlood   = errors.New("it sent far more than anybody had asked for")
)

// A sieve reads what a server prints, and passes on the lines that are messages. Servers print
// much else: what npm says, what somebody left in to debug, their own log as JSON.
type sieve struct {
	from    *bufio.Reader
	noise   func(line []byte) // gets the beginning of every line that is none
	line    []byte            // what is left of the line that is passed on
	unasked int               // bytes since the last answer, or in a while
	lines   int               // the same in lines
	since   time.Time         // they are counted
	now     func() time.Time
	err     error

	mu    sync.Mutex
	whyIs error // it was given up for
}

// given returns why the stream was given up; nil if it was not.
func (s *sieve) given() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.whyIs
}

func (s *sieve) giveUp(why error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err, s.whyIs = why, why
}

func newSieve(r io.Reader, noise func([]byte), now func() time.Time) *sieve {
	return &sieve{from: bufio.NewReaderSize(r, 64<<10), noise: noise, now: now, since: now()}
}

// Read gives the bytes of messages, each with its line end.
func (s *sieve) Read(p []byte) (int, error) {
	for len(s.line) == 0 {
		if s.err != nil {
			return 0, s.err
		}
		s.line = s.next()
	}
	n := copy(p, s.line)
	s.line = s.line[n:]
	return n, nil
}

// next reads one line, and returns it if it is a message.
func (s *sieve) next() []byte {
	var line []byte
	noise, size := false, 0
	for {
		part, err := s.from.ReadSlice('\n')
		size += len(part)
		if size == len(part) { // the line begins
			begin := bytes.TrimLeft(part, " \t\r")
			noise = len(begin) == 0 || begin[0] != '{'
		}
		switch {
		case noise:
			line = append(line, part[:min(len(part), max(0, keptNoise-len(line)))]...)
		case size > mostLine:
			s.giveUp(errTooLong)
			return nil
		default:
			line = append(line, part...)
		}
		if s.unasked += len(part); s.flooded() && size <= mostLine {
			s.giveUp(errFlood)
			return nil
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil {
			s.err = err
			return nil // half a line says nothing
		}
		break
	}
	s.lines++
	if noise {
		s.tell(line)
		return nil
	}
	switch sort(line) {
	case answer:
		s.unasked, s.lines = 0, 0
	case none:
		s.tell(line[:min(len(line), keptNoise)])
		return nil
	case chatter:
		return nil
	}
	return line
}

// flooded reports whether a server says too much in too short a time.
func (s *sieve) flooded() bool {
	if s.unasked <= mostFlood && s.lines <= mostLines {
		return false
	}
	if now := s.now(); now.Sub(s.since) > aWhile {
		s.since, s.unasked, s.lines = now, 0, 0
		return false
	}
	return true
}

func (s *sieve) tell(line []byte) {
	if line = bytes.TrimSpace(line); len(line) > 0 {
		s.noise(line)
	}
}

// A sortOf is what a line is.
type sortOf int

const (
	none    sortOf = iota // no message
	chatter               // a message that is of no use here
	asked                 // a request or a notification
	answer                // to a request of ours
)

// sort says what a line that begins like an object is.
func sort(line []byte) sortOf {
	var m struct {
		JSONRPC string          `json:"jsonrpc"`
		Method  string          `json:"method"`
		Result  json.RawMessage `json:"result"`
		Error   json.RawMessage `json:"error"`
	}
	switch {
	case json.Unmarshal(line, &m) != nil || m.JSONRPC != "2.0":
		return none
	case m.Method == "notifications/message":
		return chatter // its own log: nothing reads it
	case m.Method != "":
		return asked
	case m.Result != nil || m.Error != nil:
		return answer
	}
	return none
}
