// Package telegramtest is a Bot API for tests: one bot and its chats, without a network if that is
// wanted. It refuses what the real one refuses, as far as ken might send it.
package telegramtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf16"
)

// Token returns a token that is shaped like those of bots, and belongs to none.
func Token() string { return "4711:" + strings.Repeat("aB3-", 8) + "xyz" }

// A Call is one request that the server got.
type Call struct {
	Method string
	At     time.Time
	Fields map[string]string // the values of the form; those of files are what is in them
	Files  map[string]string // the names of the files of the form
	Shown  string            // what is shown of a message: without its markup
	Status int               // that was answered
}

// A Server is a Bot API with one bot.
type Server struct {
	mu      sync.Mutex
	updates []update
	next    int64
	calls   []Call
	faults  map[string][]reply
	files   map[string]string
	changed chan struct{} // closed when something comes
	pollers int           // the number of the newest
	polls   int
	wrong   []string
}

type update struct {
	id   int64
	body json.RawMessage
}

type reply struct {
	status int
	body   string
	before func()
}

// New returns a server without messages.
func New() *Server {
	return &Server{next: 100, faults: map[string][]reply{}, files: map[string]string{}, changed: make(chan struct{})}
}

// Send has an update come, without its number, as JSON: {"message":{...}}. It returns the number.
func (s *Server) Send(body string) int64 {
	s.mu.Lock()
	s.next++
	id := s.next
	s.mu.Unlock()
	s.Again(id, body)
	return id
}

// Again has an update come with a number that may have come before.
func (s *Server) Again(id int64, body string) {
	if !json.Valid([]byte(body)) || !strings.HasPrefix(body, "{") {
		panic("telegramtest: an update that is no JSON: " + body)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	text := fmt.Sprintf(`{"update_id":%d`, id)
	if rest := strings.TrimPrefix(body, "{"); rest != "}" {
		text += "," + rest
	} else {
		text += "}"
	}
	s.updates = append(s.updates, update{id, json.RawMessage(text)})
	s.tell()
}

// Text is the message that a person writes in their private chat with the bot.
func Text(user int64, text string) string {
	return Message(user, `"text":`+quote(text))
}

// Message is a message of a private chat with the fields given besides.
func Message(user int64, fields string) string {
	const head = `{"message":{"message_id":7,"date":1,"from":{"id":%d,"is_bot":false,"first_name":"A","username":"ada"},` +
		`"chat":{"id":%d,"type":"private"},`
	return fmt.Sprintf(head, user, user) + fields + "}}"
}

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// File has a file be there that can be fetched by an id.
func (s *Server) File(id, content string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files[id] = content
}

// Fail has the next call of a method answered with a status and a body. before is called first; nil: nothing is.
func (s *Server) Fail(method string, status int, body string, before func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults[method] = append(s.faults[method], reply{status, body, before})
}

// Refuse is Fail with an error of the Bot API: "Bad Request: ...", or a number of seconds to wait for 429.
func (s *Server) Refuse(method string, code int, description string, retryAfter int) {
	body := fmt.Sprintf(`{"ok":false,"error_code":%d,"description":%s`, code, quote(description))
	if retryAfter > 0 {
		body += fmt.Sprintf(`,"parameters":{"retry_after":%d}`, retryAfter)
	}
	s.Fail(method, code, body+"}", nil)
}

// Calls returns what was asked so far by some methods, in order.
func (s *Server) Calls(methods ...string) []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.of(methods)
}

func (s *Server) of(methods []string) (list []Call) {
	for _, c := range s.calls {
		for _, m := range methods {
			if c.Method == m {
				list = append(list, c)
			}
		}
	}
	return list
}

// Wait waits until n calls of some methods were answered, and returns them.
func (s *Server) Wait(ctx context.Context, n int, methods ...string) ([]Call, error) {
	for {
		s.mu.Lock()
		list, changed := s.of(methods), s.changed
		s.mu.Unlock()
		if len(list) >= n {
			return list, nil
		}
		select {
		case <-ctx.Done():
			return list, fmt.Errorf("%d calls of %v, want %d: %w", len(list), methods, n, context.Cause(ctx))
		case <-changed:
		}
	}
}

// Polled waits until updates were asked for n times.
func (s *Server) Polled(ctx context.Context, n int) error {
	for {
		s.mu.Lock()
		polls, changed := s.polls, s.changed
		s.mu.Unlock()
		if polls >= n {
			return nil
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-changed:
		}
	}
}

// Wrong returns what no Bot API would take, and the real one might not say.
func (s *Server) Wrong() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.wrong...)
}

// tell wakes who waits. The server is locked.
func (s *Server) tell() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// Do answers a request without a network.
func (s *Server) Do(r *http.Request) (*http.Response, error) {
	done := make(chan *http.Response, 1)
	go func() {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		_, _ = io.Copy(io.Discard, r.Body)
		_ = r.Body.Close()
		resp := w.Result()
		resp.Request = r
		done <- resp
	}()
	select {
	case resp := <-done:
		return resp, nil
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
}

// ServeHTTP answers as the Bot API does.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path, file := strings.CutPrefix(r.URL.Path, "/file")
	token, method, _ := strings.Cut(strings.TrimPrefix(path, "/bot"), "/")
	if token != Token() {
		answer(w, http.StatusUnauthorized, `{"ok":false,"error_code":401,"description":"Unauthorized"}`)
		return
	}
	if file {
		s.mu.Lock()
		content, ok := s.files[method]
		s.mu.Unlock()
		if !ok {
			http.NotFound(w, r)
			return
		}
		_, _ = io.WriteString(w, content)
		return
	}
	c := Call{Method: method, At: time.Now(), Fields: map[string]string{}, Files: map[string]string{}}
	if err := c.read(r); err != nil {
		answer(w, http.StatusBadRequest, `{"ok":false,"error_code":400,"description":`+quote("Bad Request: "+err.Error())+`}`)
		return
	}
	s.mu.Lock()
	var f *reply
	if list := s.faults[method]; len(list) > 0 {
		f, s.faults[method] = &list[0], list[1:]
	}
	s.mu.Unlock()
	status, body := 0, ""
	switch {
	case f != nil:
		if f.before != nil {
			f.before()
		}
		status, body = f.status, f.body
	case method == "getUpdates":
		status, body = s.poll(r.Context(), &c)
	default:
		status, body = s.act(&c)
	}
	c.Status = status
	answer(w, status, body)
	s.mu.Lock()
	s.calls = append(s.calls, c)
	s.tell()
	s.mu.Unlock()
}

func answer(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

// read takes the form of a request. A call without parameters comes with the header of one and no body.
func (c *Call) read(r *http.Request) error {
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/form-data" {
		return fmt.Errorf("content type %q", r.Header.Get("Content-Type"))
	}
	form := multipart.NewReader(r.Body, params["boundary"])
	for {
		p, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			_, err = io.Copy(io.Discard, r.Body) // only then is it heard that the client hung up
			return err
		}
		if err != nil {
			if len(c.Fields) == 0 && strings.Contains(err.Error(), "EOF") {
				return nil // an empty body
			}
			return err
		}
		b, err := io.ReadAll(p)
		if err != nil {
			return err
		}
		c.Fields[p.FormName()] = string(b)
		if name := p.FileName(); name != "" {
			c.Files[p.FormName()] = name
		}
	}
}

// poll waits for updates behind the offset. A second poller ends the first, as the real one has it.
func (s *Server) poll(ctx context.Context, c *Call) (int, string) {
	offset, _ := strconv.ParseInt(c.Fields["offset"], 10, 64)
	timeout, _ := strconv.Atoi(c.Fields["timeout"])
	t := time.NewTimer(time.Duration(timeout) * time.Second)
	defer t.Stop()
	s.mu.Lock()
	s.pollers++
	s.polls++
	mine := s.pollers
	s.tell()
	s.mu.Unlock()
	for {
		s.mu.Lock()
		var list []json.RawMessage
		s.updates = slices.DeleteFunc(s.updates, func(u update) bool { return u.id < offset }) // they are confirmed
		for _, u := range s.updates {
			list = append(list, u.body)
		}
		changed, now := s.changed, s.pollers
		s.mu.Unlock()
		if now != mine {
			return http.StatusConflict, `{"ok":false,"error_code":409,"description":"Conflict: terminated by other getUpdates request"}`
		}
		if len(list) > 0 {
			b, err := json.Marshal(list)
			if err != nil {
				panic(err)
			}
			return http.StatusOK, `{"ok":true,"result":` + string(b) + `}`
		}
		select {
		case <-ctx.Done():
			return http.StatusOK, `{"ok":true,"result":[]}`
		case <-t.C:
			return http.StatusOK, `{"ok":true,"result":[]}`
		case <-changed:
		}
	}
}

// act answers the other methods.
func (s *Server) act(c *Call) (int, string) {
	refuse := func(format string, args ...any) (int, string) {
		return http.StatusBadRequest, `{"ok":false,"error_code":400,"description":` + quote("Bad Request: "+fmt.Sprintf(format, args...)) + `}`
	}
	switch c.Method {
	case "sendMessage", "sendMessageDraft":
		c.Shown = c.Fields["text"]
		if c.Fields["parse_mode"] == "HTML" {
			shown, err := Parse(c.Fields["text"])
			if err != nil {
				return refuse("can't parse entities: %v", err)
			}
			c.Shown = shown
		}
		switch n := len(utf16.Encode([]rune(c.Shown))); {
		case strings.TrimSpace(c.Shown) == "":
			return refuse("message text is empty")
		case n > 4096:
			return refuse("message is too long")
		}
		id := c.Fields["draft_id"]
		if c.Method == "sendMessageDraft" && (strings.Trim(id, "0") == "" || strings.Trim(id, "0123456789") != "") {
			return refuse("draft_id is %q", id)
		}
		if c.Method == "sendMessage" && !strings.Contains(c.Fields["link_preview_options"], `"is_disabled":true`) {
			s.mu.Lock()
			s.wrong = append(s.wrong, "a message with a preview: "+c.Fields["text"])
			s.mu.Unlock()
		}
		return http.StatusOK, `{"ok":true,"result":{"message_id":9,"date":1,"chat":{"id":` + c.Fields["chat_id"] + `,"type":"private"}}}`
	case "sendDocument":
		return http.StatusOK, `{"ok":true,"result":{"message_id":9,"date":1,"chat":{"id":` + c.Fields["chat_id"] + `,"type":"private"}}}`
	case "sendChatAction", "leaveChat", "setMyCommands":
		return http.StatusOK, `{"ok":true,"result":true}`
	case "getFile":
		s.mu.Lock()
		content, ok := s.files[c.Fields["file_id"]]
		s.mu.Unlock()
		if !ok {
			return refuse("invalid file_id")
		}
		return http.StatusOK, fmt.Sprintf(`{"ok":true,"result":{"file_id":%s,"file_unique_id":"u","file_size":%d,"file_path":%s}}`,
			quote(c.Fields["file_id"]), len(content), quote(c.Fields["file_id"]))
	case "getMe":
		return http.StatusOK, `{"ok":true,"result":{"id":4711,"is_bot":true,"first_name":"ken","username":"ken_bot"}}`
	}
	return http.StatusNotFound, `{"ok":false,"error_code":404,"description":"Not Found"}`
}
