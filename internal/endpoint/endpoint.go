package endpoint

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"ken/internal/app"
	"ken/internal/assistant"
	"ken/internal/frame"
	"ken/internal/llm"
	"ken/internal/text"
)

const (
	// Prefix is what stands before the name of a model that gets what the memory has.
	Prefix = "ken/"
	// MostBody is how many bytes a request has at most: whole conversations, with files and pictures.
	MostBody = 8 << 20

	keepFor  = time.Hour
	mostKept = 4096            // blocks, and reasons
	wait     = 2 * time.Second // for the memory
)

// Options are what an Endpoint stands on.
type Options struct {
	App *app.App
	Now func() time.Time
	// Warn takes what went wrong and the clients are not told.
	Warn func(error)
	// Gave takes what a client's model was given.
	Gave func(client string, refs []string)
}

// An Endpoint answers for models. It is safe for concurrent use.
type Endpoint struct {
	o Options

	mu     sync.Mutex
	https  map[time.Duration]*http.Client // by how long connecting may take
	blocks map[[sha256.Size]byte]given    // by what a request says up to its question
	whys   map[string]given               // by their reference

	recording sync.Mutex // held while an exchange is kept, so that those of a conversation are in their order
	threads   map[[sha256.Size]byte]thread
}

// A given is what a model was given for a question of a client.
type given struct {
	client, model, ref string
	at                 time.Time
	app.Called
}

// New returns an endpoint.
func New(o Options) *Endpoint {
	return &Endpoint{
		o: o, https: map[time.Duration]*http.Client{}, blocks: map[[sha256.Size]byte]given{}, whys: map[string]given{},
		threads: map[[sha256.Size]byte]thread{},
	}
}

// Models returns the names that may be asked for. Errors: the settings.
func (e *Endpoint) Models() (names []string, err error) {
	v := e.settings()
	list, err := v.ModelNames()
	if err != nil {
		return nil, err
	}
	for _, name := range list {
		names = append(names, name, Prefix+name)
	}
	front, err := v.Serving()
	for _, name := range slices.Sorted(maps.Keys(front.Alias)) {
		if slices.Contains(names, front.Alias[name]) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names, err
}

// HasModel answers with an error if no model has a name, or the settings do not say it; false: it did.
func (e *Endpoint) HasModel(w http.ResponseWriter, name string) bool {
	names, err := e.Models()
	switch {
	case err != nil:
		e.o.Warn(err)
		Refuse(w, http.StatusBadGateway, "settings", "the settings cannot be used; at the machine: ken doctor")
	case !slices.Contains(names, name):
		noSuchModel(w, name)
	default:
		return true
	}
	return false
}

func noSuchModel(w http.ResponseWriter, name string) {
	refuse(w, http.StatusNotFound, "model_not_found", "there is no model "+strconv.Quote(clip(name))+": see /v1/models", "model")
}

// settings are what the settings say, for nobody in particular.
func (e *Endpoint) settings() *app.View { return e.o.App.View(app.Standing{}) }

// A Client is who asks.
type Client struct {
	Name   string
	Memory *app.View // as it has it
}

// Chat passes a question on to a model, and the answer back.
func (e *Endpoint) Chat(w http.ResponseWriter, r *http.Request, who Client) {
	body, err := io.ReadAll(r.Body)
	if long := (*http.MaxBytesError)(nil); errors.As(err, &long) {
		w.Header().Set("Connection", "close")
		Refuse(w, http.StatusRequestEntityTooLarge, "too_long", fmt.Sprintf("the body is too long: send at most %d bytes", MostBody))
		return
	}
	if err != nil {
		Refuse(w, http.StatusRequestTimeout, "body", "the body did not come")
		return
	}
	q, err := parse(body)
	if bad := (*wrong)(nil); errors.As(err, &bad) {
		refuse(w, http.StatusBadRequest, "bad_request", bad.text, bad.param)
		return
	}
	v := e.settings()
	front, err := v.Serving()
	if err != nil {
		e.o.Warn(err)
		Refuse(w, http.StatusBadGateway, "settings", "the settings cannot be used; at the machine: ken doctor")
		return
	}
	up, remembers, err := find(v, front, q.model)
	switch {
	case errors.Is(err, errNoModel):
		noSuchModel(w, q.model)
		return
	case err != nil:
		e.o.Warn(err)
		Refuse(w, http.StatusBadGateway, "model_settings", "the model cannot be asked; at the machine: ken doctor")
		return
	}
	got := given{}
	state := "off"
	theirs := remembers && !up.Stranger && e.isOwner(front, r, q)
	if theirs {
		got, state = e.recall(r.Context(), who, q)
	}
	w.Header().Set("Ken-Memory", state)
	if got.ref != "" {
		w.Header().Set("Ken-Why", got.ref)
		e.o.Gave(who.Name, got.Refs())
	}
	var more []byte
	if r.Header.Get("Ken-Explain") == "1" {
		more = e.explained(r.Context(), who, state, got.ref)
	}
	var kept func(*tape)
	if theirs && front.Record && !q.task() {
		kept = func(t *tape) { e.record(r, who, q, t) }
	}
	e.pass(w, r, up, q.with(up.Model, got.Text), more, kept)
}

func clip(s string) string { return text.CutBytes(s, 100) }

var errNoModel = errors.New("there is no such model") //nolint:gochecknoglobals // a value to compare with

// find returns where a model is asked, by the name that a client has for it, and whether it gets what the memory has.
func find(v *app.View, f app.Front, name string) (up app.Upstream, remembers bool, err error) {
	alias := f.Alias
	up, known, err := v.Upstream(name)
	if known || err != nil {
		return up, false, err
	}
	if of, ok := strings.CutPrefix(cmp.Or(alias[name], name), Prefix); ok {
		up, known, err = v.Upstream(of)
		remembers = true
	} else if alias[name] != "" {
		up, known, err = v.Upstream(alias[name])
	}
	if err == nil && !known {
		err = errNoModel
	}
	return up, remembers, err
}

// recall is what the memory has for a request, and how that is told to the client.
func (e *Endpoint) recall(ctx context.Context, who Client, q request) (g given, state string) {
	last := q.last()
	if last < 0 || q.task() {
		return g, "none"
	}
	asked := assistant.Asked(q.text(last))
	if asked == "" {
		return g, "none"
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	key := sha256.Sum256(fmt.Appendf(nil, "%s\n%s\n%s", who.Name, q.model, q.body[:q.messages[last].end]))
	if last < len(q.messages)-1 {
		if g, ok := e.before(ctx, key, who); ok {
			return g, stateOf(g)
		}
	}
	called, err := who.Memory.CallUp(ctx, asked)
	if err != nil {
		e.o.Warn(fmt.Errorf("a question went on without what the memory has for it: %w", err))
		return g, "failed"
	}
	called.Text = frame.Tokens(called.Text)
	g = given{client: who.Name, model: q.model, at: e.o.Now(), Called: called}
	if len(g.Hits) > 0 {
		g.ref = rand.Text()[:12]
	}
	e.keep(key, g)
	return g, stateOf(g)
}

func stateOf(g given) string {
	switch {
	case !g.On:
		return "off"
	case len(g.Hits) == 0:
		return "none"
	}
	return strconv.Itoa(len(g.Hits))
}

// before is what was given for the question before it was gone on with, if that still stands.
func (e *Endpoint) before(ctx context.Context, key [sha256.Size]byte, who Client) (given, bool) {
	e.mu.Lock()
	g, ok := e.blocks[key]
	e.mu.Unlock()
	if age := e.o.Now().Sub(g.at); !ok || age < 0 || age >= keepFor {
		return given{}, false
	}
	is, err := who.Memory.Still(ctx, g.Called)
	return g, is && err == nil
}

// keep keeps what was given, for those that go on with the question, and those that ask why.
func (e *Endpoint) keep(key [sha256.Size]byte, g given) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.blocks[key] = g
	prune(e.blocks, g.at)
	if g.ref != "" {
		g.Text = "" // why is told by reference
		e.whys[g.ref] = g
		prune(e.whys, g.at)
	}
}

// prune leaves out what is too old, and the oldest of too many.
func prune[K comparable](kept map[K]given, now time.Time) {
	if len(kept) <= mostKept {
		return
	}
	var oldest K
	var at time.Time
	for k, g := range kept {
		switch {
		case now.Sub(g.at) >= keepFor:
			delete(kept, k)
		case at.IsZero() || g.at.Before(at):
			oldest, at = k, g.at
		}
	}
	if len(kept) > mostKept {
		delete(kept, oldest)
	}
}

// pass asks the model and passes its answer on, with more in it as explain has it, if there is any, and has kept keep it; nil: it is
// not kept.
func (e *Endpoint) pass(w http.ResponseWriter, r *http.Request, up app.Upstream, body, more []byte, kept func(*tape)) {
	conn := http.NewResponseController(w)
	// From here on it lasts as long as the model does: the limits of its preset hold. A client that hangs up ends it. The time in
	// which a body has to come is over for net/http once it is there.
	_ = conn.SetWriteDeadline(time.Time{})
	ctx, cancel := context.WithCancelCause(r.Context())
	defer cancel(nil)
	quiet := newLimit(cancel, up.FirstToken, up.Idle)
	defer quiet.stop()
	ask, err := http.NewRequestWithContext(ctx, http.MethodPost, up.URL.String(), bytes.NewReader(body))
	if err != nil {
		Refuse(w, http.StatusBadGateway, "model_settings", "the model cannot be asked; at the machine: ken doctor")
		return
	}
	ask.GetBody = nil // what was sent is not sent again
	ask.Header = http.Header{"Content-Type": {"application/json"}, "User-Agent": {"ken"}}
	if accept := r.Header.Values("Accept"); len(accept) > 0 {
		ask.Header["Accept"] = accept
	}
	if !up.Key.IsZero() {
		ask.Header.Set("Authorization", "Bearer "+up.Key.Reveal())
	}
	res, err := e.http(up.Connect).Do(ask)
	if err != nil {
		if r.Context().Err() != nil {
			panic(http.ErrAbortHandler) // nobody is there
		}
		status, code, text := http.StatusBadGateway, "model_unreachable", "the model could not be reached"
		if errors.Is(context.Cause(ctx), errSilent) {
			status, code, text = http.StatusGatewayTimeout, "model_silent", errSilent.Error()
		}
		Refuse(w, status, code, text)
		return
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode >= 300 && res.StatusCode < 400 {
		Refuse(w, http.StatusBadGateway, "model_moved", "the model's server sends elsewhere, which is not followed")
		return
	}
	var heard *tape
	if kept != nil {
		heard = newTape(res)
		defer func() { kept(heard) }() // also what was cut
	}
	relay(w, res, writeWait, func(b []byte) {
		quiet.touch()
		heard.take(b)
	}, explainer(res, more))
}

// http is the client of those who take so long to connect at most.
func (e *Endpoint) http(connect time.Duration) *http.Client {
	e.mu.Lock()
	defer e.mu.Unlock()
	c := e.https[connect]
	if c == nil {
		c = llm.Passing(connect)
		e.https[connect] = c
	}
	return c
}

// Refuse answers with an error as programs of this protocol read it.
func Refuse(w http.ResponseWriter, status int, code, message string) {
	refuse(w, status, code, message, "")
}

// RefuseWith is Refuse with a next step, which stands in the message, all that most programs show, and by itself.
func RefuseWith(w http.ResponseWriter, status int, code, message, hint string) {
	say(w, status, code, message+": "+hint, map[string]any{"hint": hint})
}

// refuse is Refuse for what is wrong with one field of a request; "": with no single one.
func refuse(w http.ResponseWriter, status int, code, message, param string) {
	more := map[string]any{}
	if param != "" {
		more["param"] = param
	}
	say(w, status, code, message, more)
}

// say answers with an error that has more fields.
func say(w http.ResponseWriter, status int, code, message string, more map[string]any) {
	kind := "invalid_request_error"
	if status >= http.StatusInternalServerError {
		kind = "server_error"
	}
	said := map[string]any{"message": message, "type": kind, "param": nil, "code": code}
	maps.Copy(said, more)
	b, err := json.Marshal(map[string]any{"error": said})
	if err != nil {
		b = []byte(`{"error":{"message":"a fault of ken","type":"server_error","param":null,"code":"fault"}}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(b, '\n')) // whoever hung up needs no answer
}
