package acp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/coder/acp-go-sdk"

	"ken/internal/agent/host"
	"ken/internal/agent/loop"
	"ken/internal/agent/talk"
	"ken/internal/config"
	"ken/internal/fault"
	"ken/internal/inhand"
	"ken/internal/llm"
)

// Options are what a server stands on.
type Options struct {
	Talk    talk.Options // what every conversation is held with; Dir, Session and Approver are the server's
	Version string
	Warn    func(error) // takes what went wrong without stopping anything
	Images  bool        // pictures are taken
	// Servers makes tool servers of settings, for a conversation in a directory; nil: those of an editor are not used. Self is the
	// path of this program, which is none of them.
	Servers func(dir string, set map[string]config.Server) *loop.Servers
	Self    string
}

// patience is how long a server that ends waits for what is under way.
const patience = 1500 * time.Millisecond

// A server is the agent at the other end of one editor.
type server struct {
	o    Options
	conn *acp.Connection
	in   *inbox
	out  *outbox
	host *host.Host[*session]

	mu       sync.Mutex
	greeted  bool
	client   acp.ClientCapabilities
	sessions map[acp.SessionId]*session // that the editor has, open or not
	let      map[string]bool            // tool servers that may be started, each with all that is said of it
}

// Serve answers one editor over in and out until in ends or ctx is done. The error is that of a message that is too long.
func Serve(ctx context.Context, o Options, in io.Reader, out io.Writer) error {
	// An editor that is gone has its question ended at once; all else is answered first.
	calls := inhand.New(mostLine, func(method string) bool { return method != acp.AgentMethodSessionPrompt })
	in = calls.Requests(in)
	s := &server{o: o, sessions: make(map[acp.SessionId]*session), let: make(map[string]bool), out: newOutbox(calls.Answers(out))}
	s.host = host.New[*session](host.Options{Recorded: true})
	var once sync.Once
	odd := func() {
		once.Do(func() { o.Warn(errors.New("the editor sent a line that is no message; it was left out")) })
	}
	s.in = &inbox{in: bufio.NewReaderSize(in, 64<<10), begun: make(chan struct{}), gone: make(chan struct{}), odd: odd}
	ready := make(chan struct{})
	s.conn = acp.NewConnection(s.handle, s.out, gated{s.in, ready})
	s.conn.SetLogger(slog.New(slog.DiscardHandler)) // it has whole messages
	close(ready)
	select {
	case <-s.conn.Done():
	case <-ctx.Done():
	}
	close(s.in.gone)
	s.end()
	if s.in.long.Load() {
		return fault.Failuref("%v", errLong)
	}
	return nil
}

// gated is a stream that nothing is read from before it is ready.
type gated struct {
	io.Reader
	ready <-chan struct{}
}

func (g gated) Read(p []byte) (int, error) {
	<-g.ready
	return g.Reader.Read(p)
}

// end ends what is under way, has it recorded, and returns soon.
func (s *server) end() {
	s.mu.Lock()
	list := s.sessions
	s.sessions = nil
	s.mu.Unlock()
	all := make(chan struct{})
	go func() {
		defer close(all)
		s.host.Close(context.Background())
		var gone sync.WaitGroup
		for _, c := range list {
			gone.Go(c.end)
		}
		gone.Wait()
	}()
	t := time.NewTimer(patience)
	defer t.Stop()
	select {
	case <-all:
	case <-t.C:
		s.o.Warn(errors.New("the end of a conversation may not be recorded: it took too long"))
	}
	if err := s.out.end(200 * time.Millisecond); err != nil {
		s.o.Warn(err)
	}
}

// handle answers a message. What decides on the order of messages is done before the next one is read.
func (s *server) handle(ctx context.Context, method string, raw json.RawMessage) (result any, failed *acp.RequestError) {
	var once sync.Once
	begun := func() {
		once.Do(func() {
			select {
			case s.in.begun <- struct{}{}:
			case <-s.in.gone:
			}
		})
	}
	defer begun()
	defer func() {
		if p := recover(); p != nil {
			result, failed = nil, acp.NewInternalError(map[string]any{"error": fmt.Sprintf("a fault of ken: %v", p)})
		}
	}()
	s.mu.Lock()
	greeted := s.greeted
	s.mu.Unlock()
	if !greeted && method != acp.AgentMethodInitialize {
		return nil, &acp.RequestError{Code: -32600, Message: "Invalid request: initialize comes first"}
	}
	switch method {
	case acp.AgentMethodInitialize, // the others want it done
		acp.AgentMethodSessionCancel, acp.AgentMethodSessionSetMode, acp.AgentMethodSessionPrompt: // in their order
	default:
		begun()
	}
	switch method {
	case acp.AgentMethodInitialize:
		return call(ctx, raw, s.initialize)
	case acp.AgentMethodAuthenticate:
		return call(ctx, raw, func(context.Context, acp.AuthenticateRequest) (acp.AuthenticateResponse, error) {
			return acp.AuthenticateResponse{}, nil // nobody has to
		})
	case acp.AgentMethodSessionNew:
		return call(ctx, raw, s.create)
	case acp.AgentMethodSessionLoad:
		return call(ctx, raw, s.load)
	case acp.AgentMethodSessionResume:
		return call(ctx, raw, s.resume)
	case acp.AgentMethodSessionList:
		return call(ctx, raw, s.list)
	case acp.AgentMethodSessionClose:
		return call(ctx, raw, s.close)
	case acp.AgentMethodSessionSetMode:
		return call(ctx, raw, s.setMode)
	case acp.AgentMethodSessionSetConfigOption:
		return call(ctx, raw, s.setOption)
	case acp.AgentMethodSessionCancel:
		return call(ctx, raw, s.cancel)
	case acp.AgentMethodSessionPrompt:
		return call(ctx, raw, func(ctx context.Context, p acp.PromptRequest) (acp.PromptResponse, error) {
			return s.prompt(ctx, p, begun)
		})
	}
	return nil, acp.NewMethodNotFound(method)
}

// call reads the parameters of a request and answers it.
func call[P, R any](ctx context.Context, raw json.RawMessage, answer func(context.Context, P) (R, error)) (any, *acp.RequestError) {
	var p P
	if err := json.Unmarshal(raw, &p); err != nil {
		return nil, invalid(err.Error())
	}
	if v, ok := any(&p).(interface{ Validate() error }); ok {
		if err := v.Validate(); err != nil {
			return nil, invalid(err.Error())
		}
	}
	r, err := answer(ctx, p)
	if err == nil {
		return r, nil
	}
	known := (*acp.RequestError)(nil)
	if errors.As(err, &known) {
		return nil, known
	}
	text := words(err)
	if k := fault.KindOf(err); k == fault.Usage || k == fault.NotFound {
		return nil, &acp.RequestError{Code: -32602, Message: text}
	}
	return nil, &acp.RequestError{Code: -32603, Message: text}
}

// words are an error with its next step.
func words(err error) string {
	text := llm.Sentence(err)
	if hinted := (interface{ Hint() string })(nil); errors.As(err, &hinted) && hinted.Hint() != "" {
		text += " (" + hinted.Hint() + ")"
	}
	return text
}

func invalid(text string) *acp.RequestError {
	return &acp.RequestError{Code: -32602, Message: "Invalid params: " + text}
}

// initialize answers that version 1 is spoken, whatever is asked for.
func (s *server) initialize(_ context.Context, p acp.InitializeRequest) (acp.InitializeResponse, error) {
	s.mu.Lock()
	s.greeted, s.client = true, p.ClientCapabilities
	s.mu.Unlock()
	title := "ken"
	return acp.InitializeResponse{
		ProtocolVersion: acp.ProtocolVersionNumber, AgentInfo: &acp.Implementation{Name: "ken", Title: &title, Version: s.o.Version},
		AgentCapabilities: acp.AgentCapabilities{
			LoadSession:        true,
			PromptCapabilities: acp.PromptCapabilities{EmbeddedContext: true, Image: s.o.Images},
			SessionCapabilities: acp.SessionCapabilities{
				List: &acp.SessionListCapabilities{}, Resume: &acp.SessionResumeCapabilities{}, Close: &acp.SessionCloseCapabilities{},
			},
		},
		AuthMethods: []acp.AuthMethod{},
	}, nil
}

// directory refuses what conversations cannot be held in.
func directory(dir string) error {
	if !filepath.IsAbs(dir) {
		return invalid("cwd is to be an absolute path")
	}
	if fi, err := os.Stat(dir); err != nil || !fi.IsDir() {
		return invalid("cwd is no directory that is there")
	}
	return nil
}

// find is a conversation that the editor has.
func (s *server) find(id acp.SessionId) (*session, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.sessions[id]; c != nil {
		return c, nil
	}
	return nil, unknown(id)
}

func unknown(id acp.SessionId) error { return invalid(fmt.Sprintf("no session %q is open", id)) }

// update sends one update, once there is room.
func (s *server) update(ctx context.Context, id acp.SessionId, u acp.SessionUpdate) error {
	if err := s.out.room(ctx); err != nil {
		return err
	}
	n := acp.SessionNotification{SessionId: id, Update: u}
	return s.conn.SendNotification(context.WithoutCancel(ctx), acp.ClientMethodSessionUpdate, n)
}
