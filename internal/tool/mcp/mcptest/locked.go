package mcptest

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Locked is Plain at an address where one has to sign in, with those who sign people in: the page lets everybody in.
// Fields but URL are set before the first request, or with Set.
type Locked struct {
	URL string // of the server

	Lives    int               // seconds that a token lives; 0: nobody says
	Fixed    bool              // a refresh token stays the same: it is not replaced when it is used
	Needs    string            // scope that tools/call needs beside "read"
	Metadata string            // where the server says that it describes itself; "": where all do
	State    string            // comes back instead of the state
	Denies   bool              // the page says no
	Broken   map[string]string // paths of answers that are this; "hang": there is none, "huge": 64 MB
	Secret   bool              // clients get a secret
	Strict   bool              // initialize without a token is a bad request, as of some servers of the newer protocol

	mu      sync.Mutex
	server  *httptest.Server
	issuers []*httptest.Server // the last one counts
	tokens  map[string]string  // scopes of those that count, by the token
	renews  map[string]string  // the same of refresh tokens
	codes   map[string]url.Values
	given   []string // all secrets
	seen    []string // requests: host path, and what was sent in a form
	done    chan struct{}
}

// Lock starts one. Stop ends it.
func Lock() *Locked {
	l := &Locked{tokens: map[string]string{}, renews: map[string]string{}, codes: map[string]url.Values{}, done: make(chan struct{})}
	h := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return Plain() }, nil)
	l.server = httptest.NewServer(l.watched(func(w http.ResponseWriter, r *http.Request) { l.resource(w, r, h) }))
	l.URL = l.server.URL + "/mcp"
	l.Move()
	return l
}

// Stop ends it.
func (l *Locked) Stop() {
	close(l.done)
	l.server.CloseClientConnections()
	l.server.Close()
	for _, s := range l.issuers {
		s.CloseClientConnections()
		s.Close()
	}
}

// Set changes it while requests come.
func (l *Locked) Set(do func(*Locked)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	do(l)
}

// Move has others sign people in from now on; tokens of those before do not count.
func (l *Locked) Move() {
	s := httptest.NewUnstartedServer(nil)
	s.Config.Handler = l.watched(func(w http.ResponseWriter, r *http.Request) { l.issuer(w, r, s.URL) })
	s.Start()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.issuers = append(l.issuers, s)
	clear(l.tokens)
}

// Revoke has no token count any more; renewable says that refresh tokens still do.
func (l *Locked) Revoke(renewable bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	clear(l.tokens)
	if !renewable {
		clear(l.renews)
	}
}

// Given are all secrets that were given out.
func (l *Locked) Given() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.given)
}

// Seen are the requests that came: the address without its scheme, the token that came with it, and a form.
func (l *Locked) Seen() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.seen)
}

// secret makes one.
func (l *Locked) secret() string {
	s := rand.Text()
	l.given = append(l.given, s)
	return s
}

// watched notes requests, and breaks those that are to be.
func (l *Locked) watched(next http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		form := ""
		if strings.HasPrefix(r.Header.Get("Content-Type"), "application/x-www-form") {
			_ = r.ParseForm()
			form = r.PostForm.Encode()
		}
		l.mu.Lock()
		l.seen = append(l.seen, strings.TrimSpace(r.Host+r.URL.Path+" "+r.Header.Get("Authorization")+" "+form))
		how, broken := l.Broken[r.URL.Path]
		l.mu.Unlock()
		switch {
		case !broken:
			next(w, r)
		case how == "hang":
			select {
			case <-r.Context().Done():
			case <-l.done:
			}
		case how == "huge":
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"x":"`)
			for range 64 {
				if _, err := w.Write(bytes.Repeat([]byte("x"), 1<<20)); err != nil {
					return
				}
			}
		case strings.HasPrefix(how, "to "):
			http.Redirect(w, r, how[len("to "):], http.StatusTemporaryRedirect)
		default:
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, how)
		}
	})
}

func (l *Locked) resource(w http.ResponseWriter, r *http.Request, h http.Handler) {
	l.mu.Lock()
	issuer := l.issuers[len(l.issuers)-1].URL
	where, needs, strict := l.Metadata, l.Needs, l.Strict
	scopes, ok := l.tokens[strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")]
	l.mu.Unlock()
	const known = "/.well-known/oauth-protected-resource/mcp"
	if where == "" {
		where = l.server.URL + known
	}
	switch {
	case r.URL.Path == known:
		answer(w, http.StatusOK, map[string]any{
			"resource": l.URL, "authorization_servers": []string{issuer}, "scopes_supported": []string{"read"},
		})
		return
	case r.URL.Path != "/mcp":
		http.NotFound(w, r)
		return
	case !ok && strict && posts(r, `"initialize"`):
		http.Error(w, "what?", http.StatusBadRequest)
		return
	case !ok:
		w.Header().Set("WWW-Authenticate", fmt.Sprintf(`Bearer scope="read", resource_metadata="%s"`, where))
		http.Error(w, "who are you?", http.StatusUnauthorized)
		return
	}
	if needs != "" && !slices.Contains(strings.Fields(scopes), needs) && posts(r, `"tools/call"`) {
		w.Header().Set("WWW-Authenticate", fmt.Sprintf(`Bearer error="insufficient_scope", scope="%s", resource_metadata="%s"`, needs, where))
		http.Error(w, "you may not", http.StatusForbidden)
		return
	}
	h.ServeHTTP(w, r)
}

// posts reports whether a request posts a message with a word in it.
func posts(r *http.Request, word string) bool {
	if r.Method != http.MethodPost {
		return false
	}
	b, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(b))
	return bytes.Contains(b, []byte(word))
}

func (l *Locked) issuer(w http.ResponseWriter, r *http.Request, self string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	q := r.URL.Query()
	switch r.URL.Path {
	case "/.well-known/oauth-authorization-server":
		answer(w, http.StatusOK, map[string]any{
			"issuer": self, "authorization_endpoint": self + "/authorize", "token_endpoint": self + "/token",
			"registration_endpoint": self + "/register", "response_types_supported": []string{"code"},
			"code_challenge_methods_supported": []string{"S256"}, "scopes_supported": []string{"read", "offline_access"},
		})
	case "/register":
		client := map[string]any{"client_id": "client-" + rand.Text()[:6]}
		if l.Secret {
			client["client_secret"] = l.secret()
			client["token_endpoint_auth_method"] = "client_secret_post"
		}
		answer(w, http.StatusCreated, client)
	case "/authorize":
		back, err := url.Parse(q.Get("redirect_uri"))
		if err != nil || back.Hostname() != "127.0.0.1" || q.Get("code_challenge_method") != "S256" || q.Get("resource") != l.URL {
			http.Error(w, "no", http.StatusBadRequest)
			return
		}
		code := l.secret()
		l.codes[code] = q
		state := q.Get("state")
		if l.State != "" {
			state = l.State
		}
		found := url.Values{"state": {state}, "code": {code}}
		if l.Denies {
			found = url.Values{"state": {state}, "error": {"access_denied"}}
		}
		back.RawQuery = found.Encode()
		http.Redirect(w, r, back.String(), http.StatusFound)
	case "/token":
		l.token(w, r)
	default:
		http.NotFound(w, r)
	}
}

func (l *Locked) token(w http.ResponseWriter, r *http.Request) {
	scopes, ok := "", false
	switch f := r.PostForm; f.Get("grant_type") {
	case "authorization_code":
		var q url.Values
		q, ok = l.codes[f.Get("code")]
		delete(l.codes, f.Get("code"))
		sum := sha256.Sum256([]byte(f.Get("code_verifier")))
		ok = ok && q.Get("code_challenge") == base64.RawURLEncoding.EncodeToString(sum[:]) && q.Get("redirect_uri") == f.Get("redirect_uri")
		scopes = q.Get("scope")
	case "refresh_token":
		scopes, ok = l.renews[f.Get("refresh_token")]
		if !l.Fixed {
			delete(l.renews, f.Get("refresh_token"))
		}
	}
	if !ok {
		answer(w, http.StatusBadRequest, map[string]any{"error": "invalid_grant", "error_description": "this is " + l.secret()})
		return
	}
	token, renew := l.secret(), l.secret()
	l.tokens[token], l.renews[renew] = scopes, scopes
	a := map[string]any{"access_token": token, "refresh_token": renew, "token_type": "Bearer", "scope": scopes}
	if l.Lives > 0 {
		a["expires_in"] = l.Lives
	}
	answer(w, http.StatusOK, a)
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

// Browse is what a browser does with an address where one signs in: it goes where it is sent, and returns where that was.
// follow says that it can go there: else it is on another machine.
func Browse(address string, follow bool) (string, error) {
	to, err := get(address)
	if err == nil && to == "" {
		err = errors.New("no way from there")
	}
	if err == nil && follow {
		_, err = get(to)
	}
	return to, err
}

// get asks for an address, and returns where that sends one.
func get(address string) (to string, err error) {
	r, err := http.NewRequest(http.MethodGet, address, http.NoBody)
	if err != nil {
		return "", err
	}
	resp, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(r)
	if err != nil {
		return "", err
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 1<<20))
	return resp.Header.Get("Location"), resp.Body.Close()
}
