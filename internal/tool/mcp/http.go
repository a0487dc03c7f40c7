package mcp

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ken/internal/config"
	"ken/internal/llm/discover"
	"ken/internal/tool/mcp/oauth"
)

// transport returns what speaks to a server at an address. login, if not nil, signs in to it.
func (o Options) transport(set config.Server, login *oauth.Login) (mcp.Transport, error) {
	u, err := url.Parse(set.URL)
	if err != nil {
		return nil, errors.New("its url is no address")
	}
	token := ""
	if set.AuthEnv != "" {
		if token = strings.TrimSpace(value(o.Env, set.AuthEnv)); token == "" {
			return nil, fmt.Errorf("no token: $%s is not set", set.AuthEnv)
		}
	}
	if discover.Exposed(set.URL, token != "") {
		return nil, errors.New("its token would go over plain http to another machine: use https")
	}
	client := &http.Client{
		Transport: &bearer{to: u, token: token, next: &http.Transport{
			Proxy:                 proxy,
			DialContext:           (&net.Dialer{Timeout: 10 * time.Second}).DialContext,
			TLSHandshakeTimeout:   10 * time.Second,
			ForceAttemptHTTP2:     true,
			MaxIdleConnsPerHost:   4,
			IdleConnTimeout:       90 * time.Second,
			ResponseHeaderTimeout: silence,
		}},
		CheckRedirect: func(next *http.Request, via []*http.Request) error {
			if next.URL.Scheme != u.Scheme || next.URL.Host != u.Host || len(via) >= 5 {
				return http.ErrUseLastResponse
			}
			return nil
		},
	}
	t := &mcp.StreamableClientTransport{Endpoint: set.URL, HTTPClient: client, MaxEventSize: mostLine}
	if login != nil {
		t.OAuthHandler = login
	}
	return t, nil
}

// proxy takes the environment's proxy, never for this machine itself.
func proxy(r *http.Request) (*url.URL, error) {
	if oauth.Loopback(r.URL.Hostname()) {
		return nil, nil
	}
	return http.ProxyFromEnvironment(r)
}

// A bearer adds the token to what goes to its server, and keeps answers within bounds.
type bearer struct {
	to    *url.URL
	token string
	next  http.RoundTripper
}

// RoundTrip sends one request.
func (b *bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	if b.token != "" && r.URL.Scheme == b.to.Scheme && r.URL.Host == b.to.Host {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer "+b.token)
	}
	resp, err := b.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	events := resp.StatusCode/100 == 2 && strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream")
	if !events { // which have bounds of their own
		resp.Body = &limited{resp.Body, mostLine}
	}
	return resp, nil
}

// limited is a body that may not be longer than it is.
type limited struct {
	io.ReadCloser
	left int
}

// Read gives what is left of it.
func (l *limited) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, errTooLong
	}
	n, err := l.ReadCloser.Read(p[:min(len(p), l.left)])
	l.left -= n
	return n, err
}
