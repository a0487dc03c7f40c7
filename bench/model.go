//go:build unix

package main

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

// A model answers chat requests on the loopback. It speaks HTTP by hand: a
// server library would take time of the two or so processors that the measured
// program runs on, and the times of interest are those at the socket.
type model struct {
	url      string // http://127.0.0.1:port
	listener net.Listener
	done     sync.WaitGroup

	mu   sync.Mutex
	next *exchange
	open map[net.Conn]bool
}

// An answer is what the model says.
type answer struct {
	tokens int
	pause  time.Duration // before each token; 0: as fast as they are taken
}

// round is after how many tokens an answer says the same again.
const round = 1200

// mark is what makes a token of a round different from the others: its number,
// written in letters, since runs of digits may be taken for numbers of cards and
// be masked.
func mark(i int) string {
	digits := fmt.Appendf(nil, "%06d", i%round)
	for j := range digits {
		digits[j] += 'a' - '0'
	}
	return string(digits)
}

// word is token i of every answer: eight bytes, with a line end after a dozen
// tokens, so that a terminal shows lines of ordinary length. It is markdown, a list
// with some code in it, for terminals that show that.
func word(i int) string {
	switch i % 12 {
	case 0:
		return "- " + mark(i)
	case 5:
		return "`" + mark(i) + "`"
	case 11:
		return " " + mark(i) + "\n"
	}
	return " " + mark(i) + ","
}

// An exchange is one request and its answer. What it holds may be read once
// done is closed.
type exchange struct {
	answer  answer
	done    chan struct{}
	err     error
	body    []byte      // of the request
	arrived time.Time   // when the last byte of the request was there
	sent    []time.Time // of each token, just before it was written; paced answers only
	ended   time.Time   // just before the end of the answer was written
}

// wait returns once the exchange is over; a program that ended without having
// asked leaves none.
func (x *exchange) wait() error {
	select {
	case <-x.done:
		return x.err
	case <-time.After(time.Second):
		return errors.New("the model was not asked, or not listened to until the end")
	}
}

func startModel() (*model, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("start the model: %w", err)
	}
	m := &model{url: "http://" + l.Addr().String(), listener: l, open: map[net.Conn]bool{}}
	m.done.Go(m.accept)
	return m, nil
}

// stop closes all connections and waits until nothing runs any more.
func (m *model) stop() error {
	err := m.listener.Close()
	m.mu.Lock()
	for conn := range m.open {
		_ = conn.Close() // that is what ends its goroutine
	}
	m.mu.Unlock()
	m.done.Wait()
	return err
}

// expect has the next request answered with a.
func (m *model) expect(a answer) *exchange {
	x := &exchange{answer: a, done: make(chan struct{})}
	if a.pause > 0 {
		x.sent = make([]time.Time, 0, a.tokens)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.next = x
	return x
}

func (m *model) take() *exchange {
	m.mu.Lock()
	defer m.mu.Unlock()
	x := m.next
	m.next = nil
	return x
}

func (m *model) accept() {
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
func (m *model) converse(conn net.Conn) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	for {
		body, err := readRequest(in)
		if err != nil {
			return // the program has closed the connection
		}
		arrived := time.Now()
		x := m.take()
		if x == nil {
			_, _ = io.WriteString(conn, "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n")
			return // the program tells: it was not expected to ask
		}
		x.body, x.arrived = body, arrived
		x.err = x.play(conn)
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
func (x *exchange) play(conn net.Conn) error {
	if _, err := io.WriteString(conn, responseHead+chunk(llmtest.Delta(`{"role":"assistant","content":""}`))); err != nil {
		return err
	}
	// The events are made beforehand, so that it is not the model that is measured.
	ready := make([]string, min(x.answer.tokens, round))
	for i := range ready {
		ready[i] = chunk(llmtest.Token(word(i)))
	}
	for i := range x.answer.tokens {
		if x.answer.pause > 0 {
			time.Sleep(x.answer.pause)
			x.sent = append(x.sent, time.Now())
		}
		if _, err := io.WriteString(conn, ready[i%round]); err != nil {
			return err
		}
	}
	x.ended = time.Now()
	_, err := io.WriteString(conn, chunk(llmtest.Finish("stop")+llmtest.Usage(10, x.answer.tokens)+llmtest.Done)+"0\r\n\r\n")
	return err
}

// text is what the answer comes to.
func (a answer) text() string {
	var b strings.Builder
	for i := range a.tokens {
		b.WriteString(word(i))
	}
	return b.String()
}

func chunk(s string) string { return fmt.Sprintf("%x\r\n%s\r\n", len(s), s) }
