package llm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"ken/internal/llm/discover"
	"ken/internal/llm/wire"
)

// httpClient returns a client that follows redirects as Stream promises: from
// the given one, or with a transport of its own.
func httpClient(from *http.Client, connect time.Duration) *http.Client {
	c := http.Client{}
	if from != nil {
		c = *from
	} else {
		c.Transport = &http.Transport{
			Proxy:       proxy,
			DialContext: (&net.Dialer{Timeout: connect}).DialContext,
			// Streams are read as they come; a server that compresses unasked is
			// understood all the same.
			DisableCompression:  true,
			ForceAttemptHTTP2:   true,
			TLSHandshakeTimeout: connect,
			MaxIdleConnsPerHost: 4,
			IdleConnTimeout:     90 * time.Second,
		}
	}
	c.CheckRedirect = checkRedirect
	return &c
}

// Passing returns a client for requests that are passed on for many programs at once. It follows no redirect: what is passed on
// goes where the preset says, or nowhere.
func Passing(connect time.Duration) *http.Client {
	const most = 64 // of the programs that ask at once
	c := httpClient(nil, connect)
	if t, ok := c.Transport.(*http.Transport); ok {
		t.MaxIdleConnsPerHost = most
	}
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return c
}

// proxy takes the environment's proxy, never for this machine itself.
func proxy(r *http.Request) (*url.URL, error) {
	host := r.URL.Hostname()
	if ip := net.ParseIP(host); ip != nil && ip.IsLoopback() || strings.EqualFold(host, "localhost") || strings.HasSuffix(strings.ToLower(host), ".localhost") {
		return nil, nil
	}
	return http.ProxyFromEnvironment(r)
}

// checkRedirect stops where the key and the conversation would go to another
// place than the preset names, or where the request would lose its body.
func checkRedirect(next *http.Request, via []*http.Request) error {
	first := via[0]
	if next.Method != first.Method || next.URL.Scheme != first.URL.Scheme || next.URL.Host != first.URL.Host || len(via) >= 5 {
		return http.ErrUseLastResponse
	}
	return nil
}

func newRequest(ctx context.Context, target *url.URL, key Secret, body []byte) (*http.Request, error) {
	if !key.open && discover.Exposed(target.String(), !key.IsZero()) {
		return nil, discover.ErrExposed
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, target.String(), bytes.NewReader(body))
	if err != nil {
		return nil, withoutURL(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "text/event-stream, application/json")
	r.Header.Set("User-Agent", "ken")
	if !key.IsZero() {
		r.Header.Set("Authorization", "Bearer "+key.Reveal())
	}
	return r, nil
}

// The paths below the base URL of an API.
const (
	PathChat       = "/chat/completions"
	PathEmbeddings = "/embeddings"
)

// url is where chats are completed.
func (p Preset) url() (*url.URL, error) { return Endpoint(p.BaseURL, PathChat) }

// Endpoint finds where one of the paths is below the base URL of an API, as
// people write that: with or without a slash at the end, with the whole path of
// either, or as host and port, which stands for /v1 there. A query stays. No error
// repeats what may be a password.
func Endpoint(base, path string) (*url.URL, error) {
	if base == "" {
		return nil, errors.New("no base_url is set")
	}
	u, err := url.Parse(strings.TrimSpace(base))
	if err != nil {
		return nil, errors.New("base_url is no URL") // url.Parse repeats what may hold a password
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("base_url %s does not begin with http:// or https:// and a host", shown(u))
	}
	at := strings.TrimRight(u.Path, "/")
	for _, whole := range []string{PathChat, PathEmbeddings} {
		at = strings.TrimRight(strings.TrimSuffix(at, whole), "/")
	}
	if at == "" {
		at = "/v1"
	}
	u.Path, u.RawPath, u.Fragment = at+path, "", ""
	return u, nil
}

// shown is a URL for people: without user, password, query and fragment, any of
// which may be a key.
func shown(u *url.URL) string {
	s := *u
	s.User, s.RawQuery, s.Fragment, s.ForceQuery = nil, "", "", false
	return wire.Line(s.String(), lineBytes)
}

func shownText(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return "elsewhere"
	}
	return shown(u)
}

// withoutURL takes the URL that net/http puts around its errors off them.
func withoutURL(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}
