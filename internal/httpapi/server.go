package httpapi

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ken/internal/app"
	"ken/internal/endpoint"
	"ken/internal/fault"
	"ken/internal/mcpserver"
	"ken/internal/web"
)

// Bounds of a server.
const (
	mostHeader  = 16 << 10        // bytes of the headers of a request
	mostConns   = 2048            // connections; one more is closed at once
	mostBusy    = 128             // requests that are answered at once
	mostOfOne   = 96              // of them of one client, so that none holds up all
	mostWrites  = 60              // suggestions of a client in a minute
	endWait     = 2 * time.Second // for what is being answered when the server ends
	writeWindow = time.Minute
)

// waits are how long a client may take.
type waits struct {
	header, body time.Duration // for the headers, and for them and the body
	answer       time.Duration // for all of the answer
	idle         time.Duration // between two requests of a connection
}

func usual() waits { return waits{10 * time.Second, 30 * time.Second, time.Minute, time.Minute} }

// Options are what a Server stands on.
type Options struct {
	App     *app.App
	Clients Clients
	Version string
	Now     func() time.Time
	// Warn takes what went wrong and the clients are not told.
	Warn func(error)
	// Assistants has the server answer assistants at /mcp, and nothing else.
	Assistants bool
	// Page answers the person's own browser; nil: there is no page.
	Page *web.Page
	// NoBlock leaves the start-up block out of what assistants are greeted with.
	NoBlock bool
}

// A Server answers requests. It is safe for concurrent use.
type Server struct {
	o     Options
	table []route
	mcp   http.Handler
	front *endpoint.Endpoint
	hosts map[string]bool // by which it is asked for
	waits waits
	beats beats

	ending  chan struct{} // is closed when the server ends
	ends    func()
	noting  sync.Mutex           // held while it is noted what was given
	mu      sync.Mutex           // guards what follows
	writes  map[string]window    // of each client
	running map[*running]bool    // what is being answered
	watches bool                 // it is looked, in a moment, whether they still have their tokens
	asked   map[string]time.Time // when it was kept that a client asked
	gifts   gifts                // what is to be noted
	streams map[string]int       // of events, of each client
	servers map[serves]*mcp.Server
}

// serves is whom a server for assistants is for: it is made once for each, which takes longer than most answers.
type serves struct {
	name     string
	readOnly bool
	sum      string // of the token
}

// A window is how many suggestions a client made since a time.
type window struct {
	since time.Time
	n     int
}

// New returns a server that is asked for by these hosts, as a Host header has them.
func New(o Options, hosts ...string) *Server {
	s := &Server{
		o: o, table: routes(), hosts: map[string]bool{}, waits: usual(), writes: map[string]window{},
		running: map[*running]bool{}, asked: map[string]time.Time{},
		beats: usualBeats(), ending: make(chan struct{}), streams: map[string]int{}, servers: map[serves]*mcp.Server{},
	}
	s.ends = sync.OnceFunc(func() { close(s.ending) })
	for _, h := range hosts {
		s.hosts[h] = true
	}
	if o.Assistants {
		s.table = slices.DeleteFunc(s.table, func(r route) bool { return r.path != mcpPath })
	}
	s.front = newFront(s)
	s.mcp = mcp.NewStreamableHTTPHandler(s.assistants, &mcp.StreamableHTTPOptions{Stateless: true, MaxRequestBodyBytes: mostBody})
	return s
}

// isHere reports whether a Host header means this server.
func (s *Server) isHere(host string) bool { return s.hosts[host] }

// suggests counts a suggestion of a client; the error is that it may make none now.
func (s *Server) suggests(who Client) *fault.Error {
	if who.ReadOnly {
		return fault.Refusedf("this token is for reading").WithHint("a person can make another: ken serve token add NAME")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now, is := s.o.Now(), s.writes[who.Name]
	if age := now.Sub(is.since); age >= writeWindow || age < 0 {
		is = window{since: now}
	}
	if is.n >= mostWrites {
		return fault.Refusedf("%d suggestions in a minute are enough: a person reads each", mostWrites).WithHint("ask again in a minute")
	}
	is.n++
	s.writes[who.Name] = is
	return nil
}

// noteAsked keeps that a client asks, every minute.
func (s *Server) noteAsked(who Client) {
	s.mu.Lock()
	now, last := s.o.Now(), s.asked[who.Name]
	due := last.IsZero() || now.Before(last) || now.Sub(last) >= askedEvery
	if due {
		s.asked[who.Name] = now
	}
	s.mu.Unlock()
	if due {
		s.o.Clients.asks(who.Name)
	}
}

// clientKey is under which the context of a request has the Client.
type clientKey struct{}

// serveMCP answers an assistant.
func (s *Server) serveMCP(w http.ResponseWriter, r *http.Request, who Client) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		refuse(w, http.StatusMethodNotAllowed, "method", "the server has neither streams of its own nor sessions", "POST to it")
		return
	}
	s.mcp.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), clientKey{}, who)))
}

// assistants is the server for the client of a request.
func (s *Server) assistants(r *http.Request) *mcp.Server {
	who, ok := r.Context().Value(clientKey{}).(Client)
	if !ok {
		return nil
	}
	is := serves{who.Name, who.ReadOnly, string(who.sum)}
	s.mu.Lock()
	defer s.mu.Unlock()
	if made := s.servers[is]; made != nil {
		return made
	}
	if len(s.servers) >= mostClients { // tokens that were made anew
		clear(s.servers)
	}
	s.servers[is] = s.newAssistants(who)
	return s.servers[is]
}

// newAssistants makes the server for a client.
func (s *Server) newAssistants(who Client) *mcp.Server {
	return mcpserver.New(mcpserver.Options{
		App: s.o.App, Version: s.o.Version, Name: who.Name, Within: true, NoBlock: s.o.NoBlock,
		Suggest: func() error {
			if err := s.suggests(who); err != nil {
				return err
			}
			return nil
		},
	})
}

// Serve answers what comes to a listener until ctx is done, and then what it is answering. It closes the listener.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	server := http.Server{
		Handler: s, ReadHeaderTimeout: s.waits.header, ReadTimeout: s.waits.body, WriteTimeout: s.waits.answer, IdleTimeout: s.waits.idle,
		MaxHeaderBytes: mostHeader, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError), // it would have what clients sent
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(&few{Listener: l, left: make(chan struct{}, mostConns)}) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	s.ends()
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), endWait)
	defer cancel()
	err := server.Shutdown(end)
	if errors.Is(err, context.DeadlineExceeded) {
		err = server.Close()
	}
	err = errors.Join(err, ended(<-failed))
	s.note()
	return err
}

// ended is why a server does not serve any more, unless that is as it should be.
func ended(err error) error {
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// few is a listener with so many connections at most.
type few struct {
	net.Listener
	left chan struct{}
}

// Accept implements net.Listener.
func (f *few) Accept() (net.Conn, error) {
	for {
		c, err := f.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if !isOwn(c) {
			_ = c.Close()
			continue
		}
		select {
		case f.left <- struct{}{}:
			return &counted{Conn: c, end: sync.OnceFunc(func() { <-f.left })}, nil
		default:
			_ = c.Close()
		}
	}
}

// counted is a connection that is one of few.
type counted struct {
	net.Conn
	end func()
}

// Close implements net.Conn.
func (c *counted) Close() error {
	c.end()
	return c.Conn.Close()
}
