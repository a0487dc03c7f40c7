// Package model plays a chat model for benchmarks: it answers with as many tokens
// as it is told to, as fast or as slowly, and notes when what happened.
package model

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"strconv"
	"strings"
	"sync"
	"time"

	"ken/internal/llm/llmtest"
)

// A Model answers chat requests on the loopback. It speaks HTTP by hand: a
// server library would take time of the two or so processors that the measured
// program runs on, and the times of interest are those at the socket.
type Model struct {
	URL      string // http://127.0.0.1:port
	listener net.Listener
	done     sync.WaitGroup
	now      func() time.Time

	mu   sync.Mutex
	next *Exchange
	open map[net.Conn]bool
}

// An Answer is what the model says.
type Answer struct {
	Tokens int
	Pause  time.Duration // before each token; 0: as fast as they are taken
}

// round is after how many tokens an answer says the same again.
const round = 1200

// Mark is what makes a token of a round different from the others: its number,
// written in letters, since runs of digits may be taken for numbers of cards and
// be masked.
func Mark(i int) string {
	digits := fmt.Appendf(nil, "%06d", i%round)
	for j := range digits {
		digits[j] += 'a' - '0'
	}
	return string(digits)
}

// Word is token i of every answer: eight bytes, with a line end after a dozen
// tokens, so that a terminal shows lines of ordinary length. It is markdown, a list
// with some code in it, for terminals that show that.
func Word(i int) string {
	switch i % 12 {
	case 0:
		return "- " + Mark(i)
	case 5:
		return "`" + Mark(i) + "`"
	case 11:
		return " " + Mark(i) + "\n"
	}
	return " " + Mark(i) + ","
}

// An Exchange is one request and its answer. What it holds may be read once
// done is closed.
type Exchange struct {
	answer  Answer
	done    chan struct{}
	err     error
	Body    []byte      // of the request
	Arrived time.Time   // when the last byte of the request was there
	Sent    []time.Time // of each token, just before it was written; paced answers only
	Ended   time.Time   // just before the end of the answer was written
}

// Wait returns once the exchange is over; a program that ended without having
// asked leaves none.
func (x *Exchange) Wait() error {
	select {
	case <-x.done:
		return x.err
	case <-time.After(time.Second):
		return errors.New("the model was not asked, or not listened to until the end")
	}
}

// Start begins to listen. What happened when is by the clock now.
func Start(now func() time.Time) (*Model, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("start the model: %w", err)
	}
	m := &Model{URL: "http://" + l.Addr().String(), listener: l, now: now, open: map[net.Conn]bool{}}
	m.done.Go(m.accept)
	return m, nil
}

// Stop closes all connections and waits until nothing runs any more.
func (m *Model) Stop() error {
	err := m.listener.Close()
	m.mu.Lock()
	for conn := range m.open {
		_ = conn.Close() // that is what ends its goroutine
	}
	m.mu.Unlock()
	m.done.Wait()
	return err
}

// Expect has the next request answered with a.
func (m *Model) Expect(a Answer) *Exchange {
	x := &Exchange{answer: a, done: make(chan struct{})}
	if a.Pause > 0 {
		x.Sent = make([]time.Time, 0, a.Tokens)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.next = x
	return x
}

func (m *Model) take() *Exchange {
	m.mu.Lock()
	defer m.mu.Unlock()
	x := m.next
	m.next = nil
	return x
}

func (m *Model) accept() {
	for {
		conn, err := m.listener.Accept()
		if err != nil {
			return // closed
		}
		m.mu.Lock()
		m.open[conn] = true
		m.mu.Unlock()
		m.done.Go(func() {
			m.converse(conn)
			m.mu.Lock()
			delete(m.open, conn)
			m.mu.Unlock()
		})
	}
}

// converse answers the requests of one connection, one after the other.
func (m *Model) converse(conn net.Conn) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	for {
		body, err := readRequest(in)
		if err != nil {
			return // the program has closed the connection
		}
		arrived := m.now()
		x := m.take()
		if x == nil {
			_, _ = io.WriteString(conn, "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n")
			return // the program tells: it was not expected to ask
		}
		x.Body, x.Arrived = body, arrived
		x.err = x.play(conn, m.now)
		close(x.done)
		if x.err != nil {
			return
		}
	}
}

// readRequest reads one request with a body of a stated length.
func readRequest(in *bufio.Reader) ([]byte, error) {
	text := textproto.NewReader(in)
	if _, err := text.ReadLine(); err != nil {
		return nil, err
	}
	header, err := text.ReadMIMEHeader()
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil || n < 0 || n > 64<<20 {
		return nil, fmt.Errorf("content length %q", header.Get("Content-Length"))
	}
	body := make([]byte, n)
	_, err = io.ReadFull(in, body)
	return body, err
}

const responseHead = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"

// play writes the answer: each token is an event of its own, in a chunk of its
// own, in a write of its own, as servers that flush each token do.
func (x *Exchange) play(conn net.Conn, now func() time.Time) error {
	if _, err := io.WriteString(conn, responseHead+chunk(llmtest.Delta(`{"role":"assistant","content":""}`))); err != nil {
		return err
	}
	// The events are made beforehand, so that it is not the model that is measured.
	ready := make([]string, min(x.answer.Tokens, round))
	for i := range ready {
		ready[i] = chunk(llmtest.Token(Word(i)))
	}
	for i := range x.answer.Tokens {
		if x.answer.Pause > 0 {
			time.Sleep(x.answer.Pause)
			x.Sent = append(x.Sent, now())
		}
		if _, err := io.WriteString(conn, ready[i%round]); err != nil {
			return err
		}
	}
	x.Ended = now()
	_, err := io.WriteString(conn, chunk(llmtest.Finish("stop")+llmtest.Usage(10, x.answer.Tokens)+llmtest.Done)+"0\r\n\r\n")
	return err
}

// Text is what the answer comes to.
func (a Answer) Text() string {
	var b strings.Builder
	for i := range a.Tokens {
		b.WriteString(Word(i))
	}
	return b.String()
}

func chunk(s string) string { return fmt.Sprintf("%x\r\n%s\r\n", len(s), s) }
