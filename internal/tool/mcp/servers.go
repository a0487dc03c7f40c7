package mcp

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"ken/internal/config"
	"ken/internal/tool/mcp/oauth"
)

// Options is what the servers of a person are run with.
type Options struct {
	Settings config.MCP
	Env      []string         // of ken
	Home     string           // the person's home directory
	Dir      string           // where ken is
	Self     string           // the path of this program
	Pins     string           // the file of what tools were when they were approved of
	Version  string           // of ken
	Now      func() time.Time // the time
	Elicit   Elicit           // asks the person what a server wants to know; nil: it is told no
	Logins   string           // the directory of what signing in to servers gave; "": nobody signs in
	Visit    SignIn           // has the person sign in to a server; nil: nobody can be asked
	Late     string           // the directory of which servers did not answer; "": that is not kept
	Secret   func(string)     // is told each secret of a login, so that it is masked; nil: nobody is
}

// Visit is what the person has to do to sign in.
type Visit = oauth.Visit

// SignIn has them do it.
type SignIn = oauth.Ask

// Servers are the tool servers of a person. All methods may be called at the same time.
type Servers struct {
	o    Options
	pins *pins

	mu     sync.Mutex
	list   map[string]*server
	said   []string
	closed bool
	wait   sync.WaitGroup // what runs in the background
}

// New returns the servers that the settings name. None is started.
func New(o Options) *Servers {
	s := &Servers{o: o, pins: newPins(o.Pins, o.Now), list: map[string]*server{}}
	for name, set := range o.Settings.Servers {
		s.list[name] = s.newServer(name, set)
	}
	return s
}

// names are those of the servers in order. The lock is held.
func (s *Servers) names() []string { return slices.Sorted(maps.Keys(s.list)) }

// all are the servers by their names.
func (s *Servers) all() []*server {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []*server
	for _, name := range s.names() {
		out = append(out, s.list[name])
	}
	return out
}

// Start connects to all servers that are not connected, each in the background, and reads the
// tools again of those that said they have others. It returns at once. One that failed is
// left alone for a while, twice as long each time. It is called with each question, not
// while one is answered: the tools of a request do not change in it.
func (s *Servers) Start() {
	for _, v := range s.all() {
		v.start(false)
	}
}

// Await waits until every server that is being connected to is, or has failed, or until ctx ends.
func (s *Servers) Await(ctx context.Context) {
	for _, v := range s.all() {
		select {
		case <-v.settled():
		case <-ctx.Done():
			return
		}
	}
}

// Said returns what the person should know and has not been told: one line each.
func (s *Servers) Said() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	said := s.said
	s.said = nil
	return said
}

// say keeps a line for Said.
func (s *Servers) say(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.said = append(s.said, line)
}

// find returns a server by its name.
func (s *Servers) find(name string) *server {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.list[name]
}

// Close ends all servers and returns when they are gone, after a few seconds at most.
func (s *Servers) Close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	var gone sync.WaitGroup
	for _, v := range s.all() {
		gone.Go(v.stop)
	}
	done := make(chan struct{})
	go func() {
		gone.Wait()
		s.wait.Wait()
		close(done)
	}()
	t := time.NewTimer(6 * patience)
	defer t.Stop()
	select {
	case <-done:
	case <-t.C:
	}
}

// Connect adds a server for this run, or connects anew to one that is there.
func (s *Servers) Connect(ctx context.Context, name string, set config.Server) error {
	return s.replace(s.newServer(name, set)).ready(ctx)
}

// replace puts a server, which it returns, in the place of the one with its name.
func (s *Servers) replace(v *server) *server {
	s.mu.Lock()
	old := s.list[v.name]
	s.list[v.name] = v
	s.mu.Unlock()
	if old != nil {
		old.stop()
	}
	return v
}

// Disconnect ends a server for this run. It reports whether there was one.
func (s *Servers) Disconnect(name string) bool {
	s.mu.Lock()
	v := s.list[name]
	delete(s.list, name)
	s.mu.Unlock()
	if v == nil {
		return false
	}
	v.stop()
	return true
}

// A State is how a server is.
type State struct {
	Name    string
	Where   string // its command or address
	Is      string // "off", "starting", "ready" or "failed"
	Why     string // it failed, in words
	Version string // of the protocol; "" before it is connected
	Tools   int    // those that it has
	Waiting int    // of them, those that wait to be looked at: see Changes
	Noise   int    // lines of its output that were no messages
	// Unawaited is until when no question waits for it, since it did not answer; zero: they do.
	Unawaited time.Time
}

// List returns how all servers are, by their names.
func (s *Servers) List() []State {
	var out []State
	for _, v := range s.all() {
		out = append(out, v.state())
	}
	return out
}

// Log returns the last that a server printed beside its messages, as it printed it: whoever
// shows it masks and cleans it. ok is false if there is no such server.
func (s *Servers) Log(name string) (text string, ok bool) {
	v := s.find(name)
	if v == nil {
		return "", false
	}
	text, _ = v.log.text()
	return text, true
}
