package llmtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"
)

// A Request is one question that came in.
type Request struct {
	Method, Path, Query string
	Header              http.Header
	Body                []byte
}

// A Message is what most tests look at in a request.
type Message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// Messages decodes the messages of the body; null content is "".
func (r Request) Messages() []Message {
	var body struct {
		Messages []Message `json:"messages"`
	}
	if json.Unmarshal(r.Body, &body) != nil {
		return nil
	}
	return body.Messages
}

// A Server answers chat completions by its scripts. It is safe for concurrent
// use; requests take the scripts in the order in which they arrive.
type Server struct {
	URL string // http://127.0.0.1:port, without a path

	listener net.Listener
	http     *http.Server
	gone     chan struct{}
	fail     func(format string, args ...any)

	mu       sync.Mutex
	scripts  []Script
	reply    func(Request) Script
	models   []string
	fields   string // of each in the list, beside its name
	requests []Request
	changed  chan struct{} // closed and made anew with each request
}

// New starts a server that ends with the test. A request that finds no script
// left fails the test.
func New(t testing.TB, scripts ...Script) *Server {
	t.Helper()
	s, err := Start(scripts...)
	if err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	s.fail = t.Errorf
	s.mu.Unlock()
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Errorf("stop the scripted model: %v", err)
		}
	})
	return s
}

// Start starts a server outside a test. The caller stops it.
func Start(scripts ...Script) (*Server, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("start the scripted model: %w", err)
	}
	s := &Server{
		URL:      "http://" + l.Addr().String(),
		listener: l,
		gone:     make(chan struct{}),
		fail:     func(string, ...any) {},
		scripts:  scripts,
		models:   []string{"test"},
		fields:   `"max_model_len":8192`,
		changed:  make(chan struct{}),
	}
	s.http = &http.Server{Handler: s, ReadHeaderTimeout: time.Minute, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)}
	go func() { _ = s.http.Serve(l) }()
	return s, nil
}

// Stop closes the server and all its connections, hanging ones too, and waits
// for nobody. Stopping twice is fine.
func (s *Server) Stop() error {
	s.mu.Lock()
	select {
	case <-s.gone:
	default:
		close(s.gone)
	}
	s.fail = func(string, ...any) {} // a request under way may outlive its test
	s.mu.Unlock()
	if err := s.http.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}

// Add appends scripts for further requests.
func (s *Server) Add(scripts ...Script) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.scripts = append(s.scripts, scripts...)
}

// Always answers every request for which no script is left with this one.
func (s *Server) Always(script Script) { s.Reply(func(Request) Script { return script }) }

// Reply answers every request for which no script is left with what f makes of
// it. f must be safe for concurrent use.
func (s *Server) Reply(f func(Request) Script) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reply = f
}

// Models sets the names that /v1/models lists; one named "test" at first.
func (s *Server) Models(names ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.models = names
}

// Describe sets what /v1/models says of each model beside its name: the inside of a JSON
// object, such as "context_length":1000. That their window is of 8192 tokens, at first.
func (s *Server) Describe(fields string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fields = fields
}

// Requests returns the questions that came in so far, oldest first. Lists of
// models are not among them.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Await waits until n questions have come in, and returns them; the error says
// that the server was stopped before.
func (s *Server) Await(n int) ([]Request, error) {
	for {
		s.mu.Lock()
		got, changed := append([]Request(nil), s.requests...), s.changed
		s.mu.Unlock()
		if len(got) >= n {
			return got, nil
		}
		select {
		case <-changed:
		case <-s.gone:
			return got, errors.New("the scripted model was stopped")
		}
	}
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		s.list(w, r)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client went away
	}
	script, ok := s.next(Request{r.Method, r.URL.Path, r.URL.RawQuery, r.Header.Clone(), body})
	if !ok {
		script = Error(http.StatusInternalServerError, "llmtest: no script is left for this request")
	}
	s.play(w, r, script)
}

func (s *Server) list(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/v1/models" {
		http.NotFound(w, r)
		return
	}
	list := struct {
		Object string            `json:"object"`
		Data   []json.RawMessage `json:"data"`
	}{Object: "list"}
	s.mu.Lock()
	for _, name := range s.models {
		id, _ := json.Marshal(name) // a string
		entry := `{"object":"model","id":` + string(id)
		if s.fields != "" {
			entry += "," + s.fields
		}
		list.Data = append(list.Data, json.RawMessage(entry+"}"))
	}
	s.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(list)
}

// next records a request and finds its script.
func (s *Server) next(r Request) (Script, bool) {
	s.mu.Lock()
	s.requests = append(s.requests, r)
	close(s.changed)
	s.changed = make(chan struct{})
	n, fail, reply := len(s.requests), s.fail, s.reply
	var script Script
	scripted := len(s.scripts) > 0
	if scripted {
		script, s.scripts = s.scripts[0], s.scripts[1:]
	}
	s.mu.Unlock()
	switch {
	case scripted:
		return script, true
	case reply != nil:
		return reply(r), true
	}
	fail("llmtest: no script is left for request %d: %s", n, r.Body)
	return Script{}, false
}

// play writes a script. What ends early ends as a cut connection (net/http's
// way is a panic with ErrAbortHandler), never as if all had been said.
func (s *Server) play(w http.ResponseWriter, r *http.Request, script Script) {
	contentType := script.ContentType
	if contentType == "" {
		contentType = "text/event-stream"
	}
	w.Header().Set("Content-Type", contentType)
	for name, values := range script.Header {
		w.Header()[http.CanonicalHeaderKey(name)] = values
	}
	status := script.Status
	if status == 0 {
		status = http.StatusOK
	}
	w.WriteHeader(status)
	flusher := http.NewResponseController(w)
	_ = flusher.Flush() // a writer that cannot flush does not exist here
	for _, step := range script.Steps {
		if !s.wait(r, step) {
			panic(http.ErrAbortHandler)
		}
		for range max(step.Repeat, 1) {
			if _, err := io.WriteString(w, step.Write); err != nil {
				return
			}
		}
		if flusher.Flush() != nil {
			return
		}
		if step.Sent == nil {
			continue
		}
		select {
		case step.Sent <- struct{}{}:
		case <-r.Context().Done():
			panic(http.ErrAbortHandler)
		case <-s.gone:
			panic(http.ErrAbortHandler)
		}
	}
	switch script.End {
	case Hold:
		s.wait(r, Step{Wait: make(chan struct{})})
		panic(http.ErrAbortHandler)
	case Break:
		panic(http.ErrAbortHandler)
	}
}

// wait waits for what a step names. It reports false if the client or the server
// went away meanwhile.
func (s *Server) wait(r *http.Request, step Step) bool {
	if step.Wait != nil {
		select {
		case <-step.Wait:
		case <-r.Context().Done():
			return false
		case <-s.gone:
			return false
		}
	}
	if step.Pause > 0 {
		select {
		case <-time.After(step.Pause):
		case <-r.Context().Done():
			return false
		case <-s.gone:
			return false
		}
	}
	return true
}
