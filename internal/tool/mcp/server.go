package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ken/internal/config"
	"ken/internal/tool/mcp/oauth"
)

const (
	mostTools = 500 // of one server
	mostPages = 100 // of a list
	mostPause = 5 * time.Minute
	// steady is how long a server must have lived for its end to count as the first.
	steady = time.Minute
	// first is the version of the protocol that servers with standard streams are asked for: they all speak it,
	// and some never answer the first question of the newer one.
	first = "2025-11-25"
)

// A server is one of them with its connection.
type server struct {
	of   *Servers
	name string
	set  config.Server
	log  *tail

	signIn *oauth.Login // nil: it is not signed in to

	asking atomic.Int32 // questions that the person has before them

	mu       sync.Mutex
	is       phase
	why      error
	told     string        // what the person was last told about it
	busy     chan struct{} // closed when what is under way ends; nil: nothing is
	cancel   func()        // ends it
	session  *mcp.ClientSession
	process  *process
	since    time.Time
	fails    int       // in a row
	notUntil time.Time // it is left alone
	tools    []Tool
	refused  []string // tools that cannot be offered, with the reason
	stale    bool     // it said that its tools are others
	asked    map[string]func(Progress)
	calls    int    // made, for tokens of progress
	visits   int    // how often the person can be asked to sign in
	anew     bool   // and is, whatever is kept
	stock    *stock // what it has for people; nil: it was not asked
}

type phase string

const (
	off      phase = "off"
	starting phase = "starting"
	ready    phase = "ready"
	failing  phase = "failing" // it worked until now
	failed   phase = "failed"
)

func (s *Servers) newServer(name string, set config.Server) *server {
	v := &server{of: s, name: name, set: set, log: &tail{}, is: off, asked: map[string]func(Progress){}}
	v.signIn = v.login()
	return v
}

// settled is closed when no attempt to connect is under way.
func (v *server) settled() <-chan struct{} {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.busy == nil {
		c := make(chan struct{})
		close(c)
		return c
	}
	return v.busy
}

var (
	errGone   = errors.New("it was disconnected")
	errNested = errors.New("ken itself runs for a tool: it starts no servers")
)

// start begins to connect unless it is connected, or left alone; now says that it is not to be.
func (v *server) start(now bool) {
	if value(v.of.o.Env, origin) == "tool" {
		v.fail(errNested)
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	switch {
	case v.busy != nil || v.is == failing:
		return
	case v.is == ready && !v.stale:
		return
	case v.is == failed && !now && v.of.o.Now().Before(v.notUntil):
		return
	}
	v.of.mu.Lock()
	defer v.of.mu.Unlock()
	if v.of.closed || v.of.list[v.name] != v {
		return
	}
	reread := v.is == ready
	v.stale = false
	if !reread {
		v.is = starting
	}
	ctx, cancel := v.limited(context.Background())
	anew := v.anew
	busy, session := make(chan struct{}), v.session
	v.busy, v.cancel = busy, cancel
	v.of.wait.Go(func() {
		defer cancel()
		if !reread {
			if v.signIn != nil {
				v.signIn.Begin(anew) // it waits while a token is renewed
			}
			v.connect(ctx)
		} else if err := v.read(ctx, session); err != nil {
			v.of.say(fmt.Sprintf("%s: its tools could not be read again: %v", v.name, timely(ctx, err)))
		}
		v.mu.Lock()
		v.busy, v.cancel = nil, nil
		v.mu.Unlock()
		close(busy)
	})
}

// limited is ctx with the time that a server has to answer.
func (v *server) limited(ctx context.Context) (context.Context, context.CancelFunc) {
	limit := v.limit()
	switch {
	case limit == 0:
		return context.WithCancel(ctx)
	case v.anew:
		return v.unhurried(ctx, limit)
	}
	return context.WithTimeout(ctx, limit)
}

// limit is the time that it has to answer; 0 is none.
func (v *server) limit() time.Duration {
	return cmp.Or(v.set.ConnectTimeout, v.of.o.Settings.ConnectTimeout)
}

// ready connects if need be, waits for it, and returns why it is not connected.
func (v *server) ready(ctx context.Context) error {
	v.start(false)
	select {
	case <-v.settled():
	case <-ctx.Done():
		return ctx.Err()
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	switch {
	case v.is == ready:
		return nil
	case v.why != nil:
		return v.why
	}
	return errGone
}

// connect connects once, and reads the tools.
func (v *server) connect(ctx context.Context) {
	session, p, err := v.dial(ctx)
	if err != nil {
		v.overdue(ctx)
		v.fail(timely(ctx, err))
		return
	}
	v.mu.Lock()
	if v.is != starting { // it was stopped meanwhile
		v.mu.Unlock()
		_ = session.Close()
		if p != nil {
			p.end()
		}
		return
	}
	v.session, v.process = session, p
	v.mu.Unlock()
	if err := v.read(ctx, session); err != nil {
		v.overdue(ctx)
		err = timely(ctx, err)
		if !errors.As(err, new(*oauth.Error)) {
			err = fmt.Errorf("its tools could not be read: %w", err)
		}
		v.fail(err)
		return
	}
	v.mu.Lock()
	if v.is == starting {
		v.is, v.why, v.since = ready, nil, v.of.o.Now()
	}
	v.mu.Unlock()
	v.answers()
	v.of.wait.Go(func() { v.watch(session, p) })
}

// timely says of what a limit ended that it did, and of what was refused why, without what stands around it.
func timely(ctx context.Context, err error) error {
	var refused *oauth.Error
	if errors.As(err, &refused) {
		return refused
	}
	if ctx.Err() != nil {
		return errors.New("it did not answer in time")
	}
	return err
}

// dial connects as the server's table says.
func (v *server) dial(ctx context.Context) (*mcp.ClientSession, *process, error) {
	o := v.of.o
	if v.set.URL != "" {
		t, err := o.transport(v.set, v.signIn)
		if err != nil {
			return nil, nil, err
		}
		session, err := v.client().Connect(ctx, t, nil)
		return session, nil, v.refusal(err)
	}
	c, err := o.command(v.set)
	if err != nil {
		return nil, nil, err
	}
	session, p, err := v.talk(ctx, c, &mcp.ClientSessionOptions{ProtocolVersion: first})
	var refused *wireError
	if errors.As(err, &refused) { // it answers, and does not speak that version: the newer one then
		session, p, err = v.talk(ctx, c, nil)
	}
	return session, p, err
}

// talk starts the server and greets it.
func (v *server) talk(ctx context.Context, c command, o *mcp.ClientSessionOptions) (*mcp.ClientSession, *process, error) {
	p, err := start(c, v.log, v.of.o.Now)
	if err != nil {
		return nil, nil, err
	}
	session, err := v.client().Connect(ctx, &mcp.IOTransport{Reader: p, Writer: p, MaxLineLength: mostLine + 1}, o)
	if err == nil {
		return session, p, nil
	}
	if ctx.Err() == nil {
		if why := p.why(); why != nil && !errors.As(err, new(*wireError)) {
			err = why
		}
	}
	p.end()
	return nil, nil, err
}

// watch waits for the end of a connection that nobody ended.
func (v *server) watch(session *mcp.ClientSession, p *process) {
	err := session.Wait()
	if p != nil {
		if why := p.why(); why != nil {
			err = why
		}
		p.end()
	}
	if err == nil {
		err = errors.New("it hung up")
	}
	v.lost(session, err)
}

// lost notes that a connection is, unless that is known.
func (v *server) lost(session *mcp.ClientSession, err error) {
	v.mu.Lock()
	mine := v.session == session && v.is == ready
	if mine {
		v.is = failing
	}
	v.mu.Unlock()
	if mine {
		v.fail(err)
	}
}

// fail notes that it is not connected, and how long it is left alone.
func (v *server) fail(err error) {
	v.mu.Lock()
	if v.is == off && !errors.Is(err, errNested) {
		v.mu.Unlock()
		return
	}
	now := v.of.o.Now()
	pause := time.Duration(0)
	if v.is == failing && now.Sub(v.since) > steady {
		v.fails = 0
	}
	if v.is != failing || v.fails > 0 { // one that worked is started again at once, but once
		pause = min(time.Second<<min(v.fails, 20), mostPause)
	}
	v.fails++
	v.is, v.why, v.notUntil = failed, err, now.Add(pause)
	session, p := v.session, v.process
	v.session, v.process = nil, nil
	line := fmt.Sprintf("%s: %v", v.name, err)
	again := v.told == line
	v.told = line
	v.mu.Unlock()
	if !again {
		v.of.say(line)
	}
	hangUp(session, p)
}

// hangUp ends a connection and its process.
func hangUp(session *mcp.ClientSession, p *process) {
	if p != nil {
		p.end()
	}
	if session != nil {
		_ = session.Close()
	}
}

// stop ends it for good.
func (v *server) stop() {
	v.mu.Lock()
	session, p := v.session, v.process
	v.session, v.process, v.is = nil, nil, off
	if v.cancel != nil {
		v.cancel()
	}
	v.mu.Unlock()
	hangUp(session, p)
}

// state says how it is.
func (v *server) state() State {
	waiting := len(v.waiting())
	v.mu.Lock()
	defer v.mu.Unlock()
	_, noise := v.log.text()
	st := State{Name: v.name, Where: v.set.URL, Is: string(v.is), Tools: len(v.tools), Waiting: waiting, Noise: noise}
	if st.Where == "" {
		st.Where = strings.Join(append(append([]string{}, v.set.Command...), v.set.Args...), " ")
	}
	if v.why != nil && v.is == failed {
		st.Why = v.why.Error()
	}
	if l, ok := v.wasLate(); ok {
		st.Unawaited = l.at.Add(lateFor)
	}
	if v.session != nil {
		if r := v.session.InitializeResult(); r != nil {
			st.Version = r.ProtocolVersion
		}
	}
	return st
}

// client returns what speaks to it.
func (v *server) client() *mcp.Client {
	o := &mcp.ClientOptions{
		Capabilities: &mcp.ClientCapabilities{},
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) {
			v.mu.Lock()
			v.stale = true
			v.mu.Unlock()
		},
		ResourceListChangedHandler:  func(context.Context, *mcp.ResourceListChangedRequest) { v.outdate() },
		PromptListChangedHandler:    func(context.Context, *mcp.PromptListChangedRequest) { v.outdate() },
		ProgressNotificationHandler: v.progress,
	}
	if v.of.o.Elicit != nil {
		o.ElicitationHandler = v.elicit
	}
	return mcp.NewClient(&mcp.Implementation{Name: "ken", Version: v.of.o.Version}, o)
}

// read reads the tools.
func (v *server) read(ctx context.Context, session *mcp.ClientSession) error {
	if r := session.InitializeResult(); r == nil || r.Capabilities == nil || r.Capabilities.Tools == nil {
		return nil
	}
	var found []*mcp.Tool
	listed, size := 0, 0
	err := each(func(cursor string) ([]*mcp.Tool, string, error) {
		page, err := session.ListTools(ctx, &mcp.ListToolsParams{Cursor: cursor})
		if err != nil {
			return nil, "", err
		}
		listed += len(page.Tools)
		for _, t := range page.Tools {
			size += len(raw(t))
		}
		if size > mostLine { // in pages it may send no more than at once
			return nil, "", fmt.Errorf("what it says of them takes more than %d MB", mostLine>>20)
		}
		return page.Tools, page.NextCursor, nil
	}, func(t *mcp.Tool) { found = append(found, t) })
	if err != nil {
		return err
	}
	tools, refused := newTools(v, found)
	if n := listed - len(found); n > 0 {
		refused = append(refused, fmt.Sprintf("%d more: a server may have %d", n, mostTools))
	}
	v.mu.Lock()
	v.tools, v.refused = tools, refused
	v.mu.Unlock()
	v.sayWaiting()
	return nil
}

// Progress is what a server says of a call that it works on.
type Progress struct {
	Done, Of float64 // Of is 0 if it does not know
	Text     string  // as it came
}

func (v *server) progress(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
	token, _ := r.Params.ProgressToken.(string)
	v.mu.Lock()
	tell := v.asked[token]
	v.mu.Unlock()
	if tell != nil {
		tell(Progress{Done: r.Params.Progress, Of: r.Params.Total, Text: r.Params.Message})
	}
}

// raw is a value as JSON.
func raw(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return b
}
