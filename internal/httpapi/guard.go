package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"ken/internal/app"
	"ken/internal/endpoint"
	"ken/internal/fault"
	"ken/internal/view/port"
	"ken/internal/web"
)

// realm is by what a server of ken is known to who has no token.
const realm = `Bearer realm="ken"`

// mostBody is how many bytes a body has at most.
const mostBody = 1 << 20

// ServeHTTP answers one request. Before anything of it is looked at, it is for this machine, from no other page, and of a client.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, "/v1/") && !s.o.Assistants {
		w = modelled{w}
	}
	defer func() {
		p := recover()
		if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
			panic(http.ErrAbortHandler) // a connection is cut on purpose
		}
		if p != nil {
			s.o.Warn(fmt.Errorf("a request failed: a fault of ken: %v", p))
			refuse(w, http.StatusInternalServerError, "fault", "a fault of ken", "report it; the memory is as it was")
		}
	}()
	h := w.Header()
	for name, value := range map[string]string{
		"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY",
		"Content-Security-Policy":    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
		"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
	} {
		h.Set(name, value)
	}
	if !s.isHere(r.Host) {
		refuse(w, http.StatusMisdirectedRequest, "host", "this server has another name", "ask for it as ken serve named it when it began")
		return
	}
	if !sameOrigin(r) {
		refuse(w, http.StatusForbidden, "origin", "a page of another address asks", "ask from a program, without Origin")
		return
	}
	who, err := s.client(r)
	switch {
	case err != nil:
		s.o.Warn(err)
		refuse(w, http.StatusInternalServerError, "tokens", "the tokens cannot be read", "at the machine: ken serve token list")
		return
	case who.Name == "":
		h.Add("WWW-Authenticate", realm)
		h.Add("WWW-Authenticate", `Basic realm="ken", charset="UTF-8"`)
		refuse(w, http.StatusUnauthorized, "unauthorized", "no token, or none that counts",
			"make one with: ken serve token add NAME; send it as Authorization: Bearer TOKEN")
		return
	}
	r, done, ok := s.during(w, r, who)
	if !ok {
		h.Set("Retry-After", "1")
		refuse(w, http.StatusServiceUnavailable, "busy", "too many requests at once", "ask again in a second")
		return
	}
	defer done()
	s.noteAsked(who)
	switch ours := s.o.Page != nil && web.Has(r.URL.Path); {
	case who.Page && s.o.Page != nil && (ours || !s.hasRoute(r.URL.Path)):
		s.o.Page.ServeHTTP(w, r)
	case who.Page:
		refuse(w, http.StatusForbidden, "page", "this token is for the page", "programs have tokens of their own: ken serve token add NAME")
	case ours && r.URL.Path != "/health":
		refuse(w, http.StatusForbidden, "page", "the page is the person's own", "at a terminal: ken serve page")
	default:
		s.route(w, r, who)
	}
}

// client is who asks; the zero value is nobody.
func (s *Server) client(r *http.Request) (Client, error) {
	headers := r.Header.Values("Authorization")
	if len(headers) != 1 {
		return Client{}, nil
	}
	token := given(headers[0])
	if token == "" {
		return Client{}, nil
	}
	list, err := s.o.Clients.List()
	if err != nil {
		return Client{}, err
	}
	who, _ := of(list, token)
	return who, nil
}

// sameOrigin reports whether a request comes from no page, or from one of this server.
func sameOrigin(r *http.Request) bool {
	origins := r.Header.Values("Origin")
	if len(origins) > 1 || len(origins) == 1 && origins[0] != "http://"+r.Host {
		return false
	}
	for _, site := range r.Header.Values("Sec-Fetch-Site") {
		if site != "same-origin" && site != "none" {
			return false
		}
	}
	return true
}

// route finds what answers, and has it answer.
func (s *Server) route(w http.ResponseWriter, r *http.Request, who Client) {
	at, ref, methods := -1, "", []string(nil)
	if r.URL.RawPath == "" || strings.HasPrefix(r.URL.Path, modelPath) { // a path with an encoded slash is none of ours but a model's
		for i, c := range s.table {
			got, ok := c.match(r.URL.Path)
			if !ok {
				continue
			}
			methods = append(methods, c.method)
			if c.method == r.Method {
				at, ref = i, got
			}
		}
	}
	switch {
	case len(methods) == 0 && strings.HasPrefix(r.URL.Path, "/v1/") && !s.o.Assistants:
		endpoint.Refuse(w, http.StatusNotFound, "not_found", "there is no such route: ken answers for models at /v1/chat/completions")
		return
	case len(methods) == 0:
		refuse(w, http.StatusNotFound, "not_found", "there is no such route", s.more())
		return
	case at < 0:
		w.Header().Set("Allow", strings.Join(methods, ", "))
		refuse(w, http.StatusMethodNotAllowed, "method", "this route has another method", "it takes "+strings.Join(methods, ", "))
		return
	}
	c := s.table[at]
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil || !c.knows(query) {
		refuse(w, http.StatusBadRequest, "query", "a parameter of the address is none of this route's, or is given twice",
			s.more()+"; a token is never part of an address")
		return
	}
	if !c.reads && who.ReadOnly {
		s.maySuggest(w, who)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, c.mostBody())
	if r.ContentLength > c.mostBody() {
		tooLong(w, c.mostBody())
		return
	}
	if c.method == http.MethodPost && !isJSON(r) {
		refuse(w, http.StatusUnsupportedMediaType, "type", "the body is not application/json", "send JSON, with Content-Type: application/json")
		return
	}
	if c.raw != nil {
		c.raw(s, w, r, who)
		return
	}
	x := call{server: s, client: who, view: s.view(who, "http"), query: query, ref: ref}
	s.answer(r.Context(), w, r, c, x)
}

// more is where a client reads what there is.
func (s *Server) more() string {
	if s.o.Assistants {
		return "assistants are answered at " + mcpPath + ", and nothing else is here"
	}
	return "see /api/openapi.json"
}

// answer has a route of ours answer.
func (s *Server) answer(ctx context.Context, w http.ResponseWriter, r *http.Request, c route, x call) {
	var err error
	if c.takes != nil {
		x.body, err = readBody(r.Body)
	}
	if long := (*http.MaxBytesError)(nil); errors.As(err, &long) {
		tooLong(w, c.mostBody())
		return
	}
	if err != nil && fault.KindOf(err) != fault.Usage { // the client stopped sending
		refuse(w, http.StatusRequestTimeout, "body", "the body did not come", "send it at once")
		return
	}
	var got any
	if err == nil && !c.reads && !s.maySuggest(w, x.client) {
		return
	}
	if err == nil {
		got, err = c.do(ctx, x)
	}
	if err != nil {
		status, p, told := problem(err)
		if told && ctx.Err() == nil {
			s.o.Warn(err)
		}
		refuse(w, status, p.Code, p.Message, p.Hint)
		return
	}
	s.gave(x.client, got)
	send(w, http.StatusOK, got)
}

// hasRoute reports whether a path is one of a program's.
func (s *Server) hasRoute(path string) bool {
	return slices.ContainsFunc(s.table, func(c route) bool { _, ok := c.match(path); return ok })
}

// knows reports whether all parameters of an address are the route's, each given as often as it may be.
func (r route) knows(query url.Values) bool {
	for name, values := range query {
		i := slices.IndexFunc(r.query, func(p param) bool { return p.name == name })
		if i < 0 || len(values) > 1 && !r.query[i].many {
			return false
		}
	}
	return true
}

// maySuggest reports whether a client may suggest something now; if not, it was told.
func (s *Server) maySuggest(w http.ResponseWriter, who Client) bool {
	err := s.suggests(who)
	if err == nil {
		return true
	}
	status, code := http.StatusForbidden, "read_only"
	if !who.ReadOnly {
		status, code = http.StatusTooManyRequests, "too_many"
		w.Header().Set("Retry-After", "60")
	}
	refuse(w, status, code, err.Error(), err.Hint())
	return false
}

// isJSON reports whether a body says that it is JSON: no page may send that without asking first.
func isJSON(r *http.Request) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && kind == "application/json" && len(r.Header.Values("Content-Type")) == 1
}

func tooLong(w http.ResponseWriter, most int64) {
	w.Header().Set("Connection", "close")
	refuse(w, http.StatusRequestEntityTooLarge, "too_long", "the body is too long", fmt.Sprintf("send at most %d bytes", most))
}

// refuse answers with a Problem, or with an error as programs read it that speak with a model.
func refuse(w http.ResponseWriter, status int, code, message, hint string) {
	if _, ok := w.(modelled); ok {
		endpoint.RefuseWith(w, status, code, message, hint)
		return
	}
	send(w, status, port.Problem{Error: port.Fault{Code: code, Message: message, Hint: hint}})
}

// send answers with a value as JSON.
func send(w http.ResponseWriter, status int, v any) {
	b, err := json.Marshal(v)
	if err != nil {
		status, b = http.StatusInternalServerError, []byte(`{"error":{"code":"fault","message":"a fault of ken","hint":"report it"}}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(b, '\n')) // whoever hung up needs no answer
}

// view is the memory as a client has it: kept to what holds everywhere.
func (s *Server) view(who Client, face string) *app.View {
	return s.o.App.View(app.Standing{Actor: app.Actor{Kind: app.Agent, Name: who.Name, Face: face}, Kept: true})
}
