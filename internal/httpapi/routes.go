package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"ken/internal/app"
	"ken/internal/endpoint"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/view"
	"ken/internal/view/learned"
	"ken/internal/view/port"
)

// A route is one of the server's: what is asked for, and what answers.
type route struct {
	method, path string // a path may end with {ref}, or have it before its last part; or end with {model}, which may have slashes
	about        string // a line for people
	reads        bool   // it changes nothing, and suggests nothing
	query        []param
	most         int64 // bytes of its body; 0: mostBody
	takes        any   // the zero value of its body; nil: it has none
	gives        any   // the zero value of its answer; nil: it is not JSON of ours
	do           func(ctx context.Context, x call) (any, error)
	// raw answers instead of do where the answer is another protocol's.
	raw func(s *Server, w http.ResponseWriter, r *http.Request, who Client)
}

// A param is a parameter of an address.
type param struct {
	name, about string
	typ         string // "string" or "integer"
	many        bool   // it may be given again
}

// A call is one request for a route.
type call struct {
	server *Server
	client Client
	view   *app.View
	query  url.Values
	ref    string
	body   json.RawMessage // one JSON object; nil: there was none
}

// modelPath is what stands before the name of a model.
const modelPath = "/v1/models/"

// mcpPath is where assistants are answered.
const mcpPath = "/mcp"

// routes are the server's, in the order in which people read them.
func routes() []route {
	ref := "/api/memories/{ref}"
	return []route{
		{
			method: "GET", path: "/health", reads: true, about: "whether the server answers, and how the memory is",
			gives: port.Health{}, do: health,
		},
		{method: "GET", path: "/api/openapi.json", reads: true, about: "this description", gives: map[string]any{}, do: describe},
		{
			method: "GET", path: "/api/recall", reads: true, about: "search the memory", gives: port.Found{}, do: recall,
			query: []param{
				{name: "q", typ: "string", about: "what is looked for, in a few words or a question"},
				{name: "limit", typ: "integer", about: "the most hits; 10 if not given"},
				{name: "kind", typ: "string", about: "only memories of this kind", many: true},
			},
		},
		{
			method: "GET", path: "/api/memories", reads: true, about: "the memories that hold everywhere, newest first",
			gives: port.Page{}, do: list,
			query: []param{
				{name: "from", typ: "integer", about: "where the page begins; 0 if not given"},
				{name: "limit", typ: "integer", about: "how many are on it; 50 if not given, 200 at most"},
			},
		},
		{method: "POST", path: "/api/memories", about: "suggest a memory", takes: port.Statement{}, gives: view.Outcome{}, do: remember},
		{method: "GET", path: ref, reads: true, about: "one memory, and how it came to be what it is", gives: view.ChangedMemory{}, do: about},
		{
			method: "POST", path: ref + "/edit", about: "suggest another text for a memory",
			takes: port.Rewording{}, gives: view.Outcome{}, do: edit,
		},
		{method: "POST", path: ref + "/forget", about: "suggest to forget a memory", takes: port.Reason{}, gives: view.Outcome{}, do: forget},
		{method: "GET", path: "/api/status", reads: true, about: "how the memory stands, in numbers", gives: port.Holding{}, do: status},
		{
			method: "GET", path: "/api/review", reads: true, about: "what this client suggested and waits for the person",
			gives: learned.WaitingList{}, do: waiting,
		},
		{
			method: "POST", path: "/api/ports/recall-preferences", reads: true, about: "the port of this name",
			takes: port.Call{}, gives: port.Recalled{},
			do: ported(func(ctx context.Context, p *app.Ports, c port.Call) (any, error) { return p.Recall(ctx, c) }),
		},
		{
			method: "POST", path: "/api/ports/remember-preference", about: "the port of this name", takes: port.Call{}, gives: port.Result{},
			do: ported(func(ctx context.Context, p *app.Ports, c port.Call) (any, error) { return p.Remember(ctx, c) }),
		},
		{
			method: "POST", path: "/api/ports/forget", about: "the port of this name", takes: port.Call{}, gives: port.Forgotten{},
			do: ported(func(ctx context.Context, p *app.Ports, c port.Call) (any, error) { return p.Forget(ctx, c) }),
		},
		{
			method: "POST", path: "/api/ports/export", reads: true, about: "the port of this name", takes: port.Call{}, gives: port.Export{},
			do: ported(func(ctx context.Context, p *app.Ports, c port.Call) (any, error) { return p.Export(ctx, c) }),
		},
		{
			method: "POST", path: "/api/ports/procedural-rule", about: "the port of this name", takes: port.Call{}, gives: port.Result{},
			do: ported(func(ctx context.Context, p *app.Ports, c port.Call) (any, error) { return p.Rule(ctx, c) }),
		},
		{
			method: "POST", path: "/api/ports/retrospection", about: "the port of this name", takes: port.Call{}, gives: port.Kept{},
			do: ported(func(ctx context.Context, p *app.Ports, c port.Call) (any, error) { return p.Retrospect(ctx, c) }),
		},
		{
			method: "GET", path: "/api/events", reads: true, about: "a stream of events: that the memory, or what waits, was written to",
			query: []param{{name: "for", typ: "integer", about: "seconds until it ends; until it is hung up on if not given"}},
			raw:   (*Server).serveEvents,
		},
		{
			method: "GET", path: "/v1/models", reads: true, about: "the models that can be asked, with and without the memory",
			gives: port.Models{}, do: listModels,
		},
		{
			method: "GET", path: modelPath + "{model}", reads: true, about: "one of them, by its name",
			gives: port.Model{}, raw: (*Server).serveModel,
		},
		{
			method: "POST", path: "/v1/chat/completions", reads: true, most: endpoint.MostBody,
			about: "a question to a model, as OpenAI has it: a model named ken/NAME gets what the memory has for it", raw: (*Server).serveChat,
		},
		{
			method: "GET", path: "/v1/ken/why/{ref}", reads: true, about: "what a model was given, by the header Ken-Why",
			gives: port.Grounds{}, raw: (*Server).serveGrounds,
		},
		{method: "POST", path: mcpPath, reads: true, about: "the server for assistants: the Model Context Protocol", raw: (*Server).serveMCP},
		{method: "GET", path: mcpPath, reads: true, about: "refused: the server has no streams of its own", raw: (*Server).serveMCP},
		{method: "DELETE", path: mcpPath, reads: true, about: "refused: the server has no sessions", raw: (*Server).serveMCP},
	}
}

// match is the reference in a path that is this route's; ok is false if it is another's.
func (r route) match(path string) (ref string, ok bool) {
	if before, ok := strings.CutSuffix(r.path, "{model}"); ok {
		return "", strings.HasPrefix(path, before) && path != before
	}
	before, after, has := strings.Cut(r.path, "{ref}")
	if !has {
		return "", path == r.path
	}
	rest, ok := strings.CutPrefix(path, before)
	if !ok {
		return "", false
	}
	ref, ok = strings.CutSuffix(rest, after)
	return ref, ok && ref != "" && !strings.Contains(ref, "/")
}

func health(ctx context.Context, x call) (any, error) {
	st, err := x.view.Status(ctx)
	return port.Health{Status: "ok", Version: x.server.o.Version, Client: x.client.Name, Memory: st}, err
}

func describe(context.Context, call) (any, error) { return description() }

func status(ctx context.Context, x call) (any, error) { return x.view.Status(ctx) }

func waiting(ctx context.Context, x call) (any, error) {
	waits, err := x.view.Waiting(ctx)
	list := learned.WaitingList{Waiting: make([]learned.Waiting, len(waits))}
	for i, w := range waits {
		list.Waiting[i] = learned.WaitingOf(w)
	}
	return list, err
}

// mostHits is how many hits, or memories on a page, are given at most.
const mostHits = 200

func recall(ctx context.Context, x call) (any, error) {
	limit, err := x.number("limit", 10, 1, mostHits)
	if err != nil {
		return nil, err
	}
	hits, err := x.view.Recall(ctx, app.Question{Text: x.query.Get("q"), Limit: limit, Kinds: x.query["kind"]})
	return port.Found{Hits: hits}, err
}

func list(ctx context.Context, x call) (any, error) {
	from, err := x.number("from", 0, 0, 1<<30)
	if err != nil {
		return nil, err
	}
	limit, err := x.number("limit", 50, 1, mostHits)
	if err != nil {
		return nil, err
	}
	items, err := x.view.List(ctx, from, limit+1)
	page := port.Page{Items: items}
	if len(items) > limit {
		page.Items, page.Next = items[:limit], from+limit
	}
	return page, err
}

func about(ctx context.Context, x call) (any, error) {
	a, err := x.view.About(ctx, x.ref)
	if a.History == nil {
		a.History = []string{}
	}
	return a, err
}

func remember(ctx context.Context, x call) (any, error) {
	var s port.Statement
	if err := x.read(&s); err != nil {
		return nil, err
	}
	if strings.TrimSpace(s.Text) == "" {
		return nil, fault.Usagef("remember what?").WithHint(`give "text", one thing in a sentence or two`)
	}
	return x.view.Remember(ctx, app.Statement{Text: s.Text, Kind: s.Kind, Key: s.Key, Tags: s.Tags, Why: s.Why})
}

func edit(ctx context.Context, x call) (any, error) {
	var t port.Rewording
	if err := x.read(&t); err != nil {
		return nil, err
	}
	if strings.TrimSpace(t.Text) == "" {
		return nil, fault.Usagef("a memory needs a text").WithHint(`give "text", the whole new text; or forget the memory`)
	}
	return x.view.Edit(ctx, x.ref, t.Text, t.Why)
}

func forget(ctx context.Context, x call) (any, error) {
	var r port.Reason
	if err := x.read(&r); err != nil {
		return nil, err
	}
	done, err := x.view.Forget(ctx, r.Why, x.ref)
	if err != nil || len(done) == 0 {
		return nil, err
	}
	return done[0], nil
}

// ported is a port as a route. What was said where is not the client's to say: it is known by its token.
func ported(do func(context.Context, *app.Ports, port.Call) (any, error)) func(context.Context, call) (any, error) {
	return func(ctx context.Context, x call) (any, error) {
		var c port.Call
		if err := x.read(&c); err != nil {
			return nil, err
		}
		c.Agent, c.Session, c.Turn = x.client.Name, "", 0
		return do(ctx, x.view.Ports(nil, nil), c)
	}
}

// read reads the body.
func (x call) read(to any) error {
	err := json.Unmarshal(x.body, to)
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
		return fault.Usagef("%s: want another type than %s", wrong.Field, wrong.Value).WithHint("see /api/openapi.json")
	}
	if err != nil {
		return fault.Usagef("the body is no JSON object").WithHint("see /api/openapi.json")
	}
	return nil
}

// number is a parameter that is a whole number.
func (x call) number(name string, otherwise, least, most int) (int, error) {
	text := x.query.Get(name)
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, fault.Usagef("%s: want a whole number from %d to %d", name, least, most)
	}
	return n, nil
}

// problem is an error as clients get it. told says that it is a fault of the memory, of which they learn no more.
func problem(err error) (status int, p port.Fault, told bool) {
	var hinted interface{ Hint() string }
	if errors.As(err, &hinted) {
		p.Hint = hinted.Hint()
	}
	p.Message = err.Error()
	unknown, secret, kind := (*app.UnknownError)(nil), (*engine.SecretError)(nil), (*engine.KindError)(nil)
	switch {
	case errors.As(err, &unknown):
		status, p.Code = http.StatusNotFound, "not_found"
	case errors.As(err, &secret):
		status, p.Code = http.StatusUnprocessableEntity, "refused"
	case errors.As(err, &kind):
		status, p.Code = http.StatusBadRequest, "bad_request"
	default:
		switch fault.KindOf(err) {
		case fault.Usage:
			status, p.Code = http.StatusBadRequest, "bad_request"
		case fault.NotFound:
			status, p.Code = http.StatusNotFound, "not_found"
		case fault.Refused:
			status, p.Code = http.StatusUnprocessableEntity, "refused"
		default:
			return http.StatusInternalServerError, port.Fault{
				Code: "memory", Message: "the memory could not do that", Hint: "at the machine: ken doctor",
			}, true
		}
	}
	if p.Hint == "" {
		p.Hint = "see /api/openapi.json"
	}
	return status, p, false
}

// readBody is the one JSON object of a body; nil if it is empty.
func readBody(r io.Reader) (json.RawMessage, error) {
	b, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	if text := strings.TrimSpace(string(b)); text == "" {
		return json.RawMessage("{}"), nil
	} else if !strings.HasPrefix(text, "{") || !json.Valid(b) {
		return nil, fault.Usagef("the body is no JSON object").WithHint("see /api/openapi.json")
	}
	return b, nil
}
