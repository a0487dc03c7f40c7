package oauth

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"
)

// patience is how long the person may take to sign in.
const patience = 10 * time.Minute

// Options is what a login is for, and where it is kept.
type Options struct {
	Server string                                // its name
	URL    *url.URL                              // its address
	Dir    string                                // where logins are kept
	Secret func(string)                          // is told each secret, so that it is masked; nil: nobody is
	Person func() Ask                            // who can be asked now; nil, or a nil Ask: nobody
	Now    func() time.Time                      // the time
	Proxy  func(*http.Request) (*url.URL, error) // of requests; nil: none

	ClientID     string // ken's name there; an https address is that of what describes it; "": it registers itself
	ClientSecret string // of a ClientID that is no address
}

// A Visit is what the person has to do: open an address, and say yes there.
type Visit struct {
	Server string // the name of the server that wants it
	For    string // the host of that
	At     string // the host where they sign in
	URL    string // to be opened: clean, https, or of this machine
	Wrong  string // why what was given last is not the answer; "" at first
}

// Ask shows a Visit and waits until ctx ends, which it does once the browser came back; or until the person
// gives the address at which the browser ended, as they must where it runs on another machine. "" is no.
type Ask func(ctx context.Context, v Visit) (address string, err error)

// An Error is why a request was not let through: it was refused, and did nothing.
type Error struct {
	Text string // for the person: clean, without secrets
}

// Error returns the text.
func (e *Error) Error() string { return e.Text }

func wrongf(format string, args ...any) *Error { return &Error{Text: fmt.Sprintf(format, args...)} }

// A Login is that of the person to one server. Its methods may be called at the same time.
type Login struct {
	o      Options
	client *http.Client
	turn   chan struct{} // of whoever signs in

	mu     sync.Mutex
	kept   kept
	read   bool
	forced string    // the token that was given out because the one before did not count: it is renewed no more
	given  time.Time // when the person signed in last
	anew   bool      // nothing that is kept is used until the person has signed in
	first  *Error    // why a request was refused first, since Begin
}

var _ auth.OAuthHandler = (*Login)(nil)

// New returns the login to a server. Nothing is read or asked by that.
func New(o Options) *Login {
	return &Login{o: o, client: newClient(o.URL, o.Proxy), turn: make(chan struct{}, 1)}
}

// Begin is called before a connection is made. anew says that what is kept does not count for it: the person signs in
// where the server wants it.
func (l *Login) Begin(anew bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.anew, l.first = anew, nil
}

// Signed reports whether the person did since Begin(true).
func (l *Login) Signed() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.anew
}

// Refused returns why a request was refused first since Begin, which what came after may hide; nil if none was.
func (l *Login) Refused() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.first == nil {
		return nil
	}
	return l.first
}

// here reports whether the server is on this machine.
func (l *Login) here() bool { return Loopback(l.o.URL.Hostname()) }

// TokenSource returns what gives the token of each request.
func (l *Login) TokenSource(context.Context) (oauth2.TokenSource, error) { return l, nil }

// Token returns the token of a request; nil: there is none. It is renewed where it must be.
func (l *Login) Token() (*oauth2.Token, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.know(); err != nil {
		return nil, err
	}
	if l.anew || !safe(l.o.URL, l.here()) {
		return nil, nil
	}
	if t := l.kept.token(l.o.Now()); t != nil || l.kept.Refresh == "" {
		return t, nil
	}
	if err := l.renew(context.Background(), l.kept.Access); err != nil {
		return nil, err
	}
	return l.kept.token(l.o.Now()), nil
}

// know reads what is kept, once. The login is locked.
func (l *Login) know() error {
	if l.read {
		return nil
	}
	k, err := l.load()
	if err != nil {
		return wrongf("its login cannot be read: %v", err)
	}
	l.kept, l.read = k, true
	return nil
}

// renew has a token that does not hold any more replaced, unless another program did. One that cannot be is
// forgotten; that is no error. The login is locked.
func (l *Login) renew(ctx context.Context, used string) error {
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	return l.locked(ctx, func() error {
		k, err := l.load()
		if err != nil {
			return wrongf("its login cannot be read: %v", err)
		}
		if l.kept = k; k.Access != used && k.token(l.o.Now()) != nil || k.Refresh == "" {
			return nil
		}
		to, err := url.Parse(k.TokenURL)
		if err != nil || !safe(to, l.here()) {
			return wrongf("its login cannot be renewed: %v", errUnsafe)
		}
		c := oauth2.Config{
			ClientID: k.Client, ClientSecret: k.Secret,
			Endpoint: oauth2.Endpoint{TokenURL: k.TokenURL, AuthStyle: oauth2.AuthStyle(k.Style)},
		}
		asked := context.WithValue(ctx, oauth2.HTTPClient, l.client)
		t, err := c.TokenSource(asked, &oauth2.Token{RefreshToken: k.Refresh}).Token()
		var refused *oauth2.RetrieveError
		switch {
		case errors.As(err, &refused) && refused.ErrorCode == "invalid_grant":
			k.Access, k.Refresh = "", ""
		case errors.As(err, &refused) && (refused.ErrorCode == "invalid_client" || refused.ErrorCode == "unauthorized_client"):
			k.Access, k.Refresh, k.Redirect = "", "", "" // ken is not known there any more
		case err != nil:
			return plain("its login could not be renewed", err)
		default:
			k.Access, k.Refresh, k.Expires = t.AccessToken, t.RefreshToken, t.Expiry
		}
		l.kept = k
		return l.save(ctx, k)
	})
}

// Authorize is told of a request that was refused. It returns nil if another try has a chance, else an *Error.
func (l *Login) Authorize(ctx context.Context, req *http.Request, resp *http.Response) error {
	err := l.authorize(ctx, req, resp)
	var why *Error
	if errors.As(err, &why) {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.first == nil {
			l.first = why
		}
	}
	return err
}

func (l *Login) authorize(ctx context.Context, req *http.Request, resp *http.Response) error {
	_ = resp.Body.Close() // nothing of it is wanted, and it may have no end
	resp.Body = http.NoBody
	select {
	case l.turn <- struct{}{}:
		defer func() { <-l.turn }()
	case <-ctx.Done():
		return wrongf("you did not sign in in time")
	}
	c := l.challenge(resp)
	used, _ := strings.CutPrefix(req.Header.Get("Authorization"), "Bearer ")
	switch again, err := l.other(ctx, used, resp.StatusCode, c); {
	case err != nil:
		return err
	case again:
		return nil
	case resp.StatusCode == http.StatusForbidden && c.failure != "insufficient_scope":
		return nil // no login changes that: the server says no once more
	}
	if why := l.over(); why != nil {
		return why
	}
	var ask Ask
	if l.o.Person != nil {
		ask = l.o.Person()
	}
	if ask == nil {
		return l.want(ctx, resp.StatusCode, c)
	}
	return l.visit(ctx, ask, req, resp, c)
}

// over returns why the person did not sign in who was asked to when this connection began: they are not again for it.
func (l *Login) over() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.anew || l.first == nil {
		return nil
	}
	return l.first
}

// other reports whether there is another token by now than the one that was used, and gets one where it can
// without the person.
func (l *Login) other(ctx context.Context, used string, status int, c challenge) (bool, error) {
	if !safe(l.o.URL, l.here()) {
		return false, wrongf("it wants you to sign in, and what it gave would go over plain http to another machine: use https")
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	k, err := l.load()
	if err != nil {
		return false, wrongf("its login cannot be read: %v", err)
	}
	l.kept, l.read = k, true
	switch {
	case l.anew:
		return false, nil
	case k.Access != used && k.token(l.o.Now()) != nil:
		return true, nil
	}
	if status != http.StatusUnauthorized || k.Issuer == "" {
		return false, nil
	}
	tried := used != "" && used == l.forced
	switch {
	case k.Refresh == "" && !tried, l.issuer(ctx, c) != k.Issuer: // somebody else signs in by now: that one has given out nothing
		return false, nil
	case tried && l.o.Now().Sub(l.given) < time.Minute:
		return false, wrongf("it does not take what signing in gave")
	case tried:
		return false, nil
	}
	if err := l.renew(ctx, used); err != nil {
		return false, err
	}
	l.forced = l.kept.Access
	return l.kept.token(l.o.Now()) != nil, nil
}

// want says that the person has to sign in, and keeps for what.
func (l *Login) want(ctx context.Context, status int, c challenge) error {
	text := "it wants you to sign in: mcp login " + l.o.Server
	if status == http.StatusForbidden {
		text = "it wants you to allow it more: mcp login " + l.o.Server
		l.mu.Lock()
		defer l.mu.Unlock()
		if k := l.kept; k.Access != "" && len(c.scopes) > 0 && !contains(k.Lacking, c.scopes) {
			k.Lacking = union(k.Lacking, c.scopes)
			if err := l.locked(ctx, func() error { return l.save(ctx, k) }); err != nil {
				return wrongf("%v", err)
			}
			l.kept = k
		}
	}
	return &Error{Text: text}
}

// SignIn has the person sign in where no request was refused: some servers want it for a few tools alone. The error is
// an *Error, but for ctx.
func (l *Login) SignIn(ctx context.Context, ask Ask) error {
	if !safe(l.o.URL, l.here()) {
		return wrongf("what it gave would go over plain http to another machine: use https")
	}
	select {
	case l.turn <- struct{}{}:
		defer func() { <-l.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, l.o.URL.String(), http.NoBody)
	if err != nil {
		return err
	}
	req.Header.Set("Accept", "application/json, text/event-stream")
	resp, err := l.client.Do(req) // it says what it wants
	if err != nil {
		return plain("it does not answer", err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusUnauthorized {
		resp.Header = http.Header{}
	}
	resp.StatusCode, resp.Body = http.StatusUnauthorized, http.NoBody
	l.mu.Lock()
	err = l.know()
	l.mu.Unlock()
	if err != nil {
		return err
	}
	return l.visit(ctx, ask, req, resp, l.challenge(resp))
}

// visit has the person sign in, and keeps what came of it.
func (l *Login) visit(ctx context.Context, ask Ask, req *http.Request, resp *http.Response, c challenge) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	l.mu.Lock()
	old := l.kept
	l.mu.Unlock()
	issuer := l.issuer(ctx, c)
	if old.Issuer != issuer { // what another one gave, or was told, is not for this one
		old = kept{}
	}
	b, err := listen(ctx, old.Redirect)
	if err != nil {
		return wrongf("%v", err)
	}
	defer b.close()
	got := kept{Issuer: issuer}
	config := l.config(b, old, &got)
	config.AuthorizationCodeFetcher = func(ctx context.Context, args *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
		return l.ask(ctx, ask, b, args.URL)
	}
	if config.DynamicClientRegistrationConfig != nil {
		config.DynamicClientRegistrationConfig.Metadata.TokenEndpointAuthMethod = l.method(ctx, issuer)
	}
	h, err := auth.NewAuthorizationCodeHandler(config)
	if err != nil {
		return wrongf("client_id cannot be used: %v", err)
	}
	l.show(resp, c)
	err = h.Authorize(ctx, req, resp)
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil {
		if got.Redirect != "" && l.kept.Redirect == got.Redirect { // it may be that ken is not known there any more
			l.kept.Redirect = ""
			_ = l.locked(ctx, func() error { return l.save(ctx, l.kept) }) // else it is tried again
		}
		return plain("you were not signed in", err)
	}
	if err := l.locked(ctx, func() error { return l.save(ctx, got) }); err != nil {
		return wrongf("%v", err)
	}
	l.kept, l.read, l.forced, l.anew, l.given = got, true, got.Access, false, l.o.Now()
	return nil
}

// config is how the library signs in. What comes of it is put into got; old is what is known of the same issuer.
func (l *Login) config(b *back, old kept, got *kept) *auth.AuthorizationCodeHandlerConfig {
	c := &auth.AuthorizationCodeHandlerConfig{
		RedirectURL: b.redirect, Client: l.client, RequestRefreshToken: true,
		ScopeFilter: func(found []string) []string { return union(union(old.Scopes, old.Lacking), found) },
	}
	self := false
	switch u, err := url.Parse(l.o.ClientID); {
	case err == nil && u.Scheme == "https" && u.Host != "":
		c.ClientIDMetadataDocumentConfig = &auth.ClientIDMetadataDocumentConfig{URL: l.o.ClientID}
		self = true
	case l.o.ClientID != "":
		c.PreregisteredClient = &oauthex.ClientCredentials{ClientID: l.o.ClientID}
		if l.o.ClientSecret != "" {
			c.PreregisteredClient.ClientSecretAuth = &oauthex.ClientSecretAuth{ClientSecret: l.o.ClientSecret}
		}
	case old.Client != "" && old.Secret == "" && old.Redirect == b.redirect: // it is known there
		c.PreregisteredClient = &oauthex.ClientCredentials{ClientID: old.Client}
		got.Redirect = old.Redirect
	default:
		self = true
	}
	if self {
		c.DynamicClientRegistrationConfig = &auth.DynamicClientRegistrationConfig{Metadata: &oauthex.ClientRegistrationMetadata{
			ClientName: "ken", RedirectURIs: []string{b.redirect}, ResponseTypes: []string{"code"},
			GrantTypes: []string{"authorization_code", "refresh_token"},
		}}
	}
	c.NewTokenSource = func(_ context.Context, with *oauth2.Config, t *oauth2.Token) (oauth2.TokenSource, error) {
		got.TokenURL, got.Style = with.Endpoint.TokenURL, int(with.Endpoint.AuthStyle)
		got.Client, got.Secret = with.ClientID, with.ClientSecret
		if self && with.ClientID != l.o.ClientID {
			got.Redirect = b.redirect
		}
		got.Access, got.Refresh, got.Expires, got.Scopes = t.AccessToken, t.RefreshToken, t.Expiry, with.Scopes
		if given, ok := t.Extra("scope").(string); ok && given != "" {
			got.Scopes = strings.Fields(given)
		}
		return oauth2.StaticTokenSource(t), nil
	}
	return c
}

// union is a with what of b it has not.
func union(a, b []string) []string {
	out := slices.Clone(a)
	for _, s := range b {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

func contains(a, b []string) bool { return len(union(a, b)) == len(a) }

// plain is an error of the library in words for the person. What an answer held is left out: it may be a token.
func plain(what string, err error) error {
	var mine *Error
	var refused *oauth2.RetrieveError
	var client *oauthex.ClientRegistrationError
	var slow interface{ Timeout() bool }
	text := err.Error()
	switch {
	case errors.As(err, &mine):
		return mine
	case errors.Is(err, errUnsafe):
		return wrongf("%s: %v", what, errUnsafe)
	case errors.As(err, &refused):
		return wrongf("%s: %s", what, word("refused "+refused.ErrorCode))
	case errors.As(err, &client):
		return wrongf("%s: it does not take ken as a client: %s", what, word(client.ErrorCode))
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &slow) && slow.Timeout():
		return wrongf("%s: no answer in time", what)
	case errors.Is(err, io.EOF), errors.As(err, new(*url.Error)):
		return wrongf("%s: nobody answers", what)
	case strings.Contains(text, "no configured client registration"):
		return wrongf("%s: ken cannot register itself there: client_id of its table says who ken is", what)
	case strings.Contains(text, "state mismatch"):
		return wrongf("%s: %v", what, errState)
	case strings.Contains(text, "issuer"):
		return wrongf("%s: the answer is of somebody else than was asked", what)
	case strings.Contains(text, "regist"):
		return wrongf("%s: ken could not register itself there", what)
	}
	return wrongf("%s: what it says of signing in cannot be used", what)
}
