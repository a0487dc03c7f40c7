package discover

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
)

var (
	// ErrKey says that a server wants another key, or one at all.
	ErrKey = errors.New("the server refuses the key")
	// ErrExposed says that a key would go to another machine over http, where who listens
	// on the way reads it. Nothing was sent.
	ErrExposed = errors.New("a key is not sent to another machine over plain http")
	// ErrNoList says that what answers is no server of models, or one that does
	// not say which it has.
	ErrNoList = errors.New("it answers, but with no list of models")
)

// maxModels is the longest list that is read, in bytes: the largest providers
// send a few hundred kilobytes.
const maxModels = 4 << 20

// A Server is a server of models that a person has named.
type Server struct {
	BaseURL string // of its interface, written as in a preset
	Key     string // goes to it and to no other host: redirects are not followed; "": none
	Plain   bool   // the key may go to another machine over http
	// Here has nothing sent but to this machine, whatever a name resolves to.
	Here bool
}

// Models asks a server for its models, in its order. Names that cannot be shown, typed
// and sent as they stand are left out. ctx bounds the wait. The errors are ErrExposed,
// ErrKey, ErrNoList, or say why nothing answered; none holds the key or the address.
func Models(ctx context.Context, s Server) ([]Model, error) {
	base, err := s.base()
	if err != nil {
		return nil, fmt.Errorf("list models: %w", err)
	}
	body, err := s.ask(ctx, base.String()+"/models", nil)
	if err != nil {
		return nil, fmt.Errorf("list models: %w", err)
	}
	entries, ok := entriesOf(body)
	if !ok {
		return nil, fmt.Errorf("list models: %w", ErrNoList)
	}
	list := make([]Model, 0, len(entries))
	for _, e := range entries {
		if IsName(e.ID) {
			list = append(list, e.model())
		}
	}
	return list, nil
}

// base is the address of the interface; the error is ErrExposed, or says that it is none.
func (s Server) base() (*url.URL, error) {
	base, err := parse(s.BaseURL)
	if err != nil || base.Scheme != "http" && base.Scheme != "https" {
		return nil, errors.New("the address is none of http or https")
	}
	if Exposed(base.String(), s.Key != "") && !s.Plain {
		return nil, ErrExposed
	}
	return base, nil
}

// ask gets what stands at an address of the server, or posts a JSON body there.
func (s Server) ask(ctx context.Context, at string, post []byte) ([]byte, error) {
	method, body := http.MethodGet, io.Reader(http.NoBody)
	if post != nil {
		method, body = http.MethodPost, bytes.NewReader(post)
	}
	r, err := http.NewRequestWithContext(ctx, method, at, body)
	if err != nil {
		return nil, bareError(err)
	}
	r.Header.Set("Accept", "application/json")
	r.Header.Set("User-Agent", "ken")
	if post != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if s.Key != "" {
		r.Header.Set("Authorization", "Bearer "+s.Key)
	}
	transport := &http.Transport{Proxy: proxyFor, DisableKeepAlives: true, MaxResponseHeaderBytes: maxHeader}
	if s.Here {
		transport.Proxy, transport.DialContext = nil, (&net.Dialer{Control: loopbackOnly}).DialContext
	}
	client := http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	resp, err := client.Do(r)
	if err != nil {
		return nil, bareError(err)
	}
	defer resp.Body.Close()
	switch resp.StatusCode {
	case http.StatusOK:
	case http.StatusUnauthorized, http.StatusForbidden:
		return nil, fmt.Errorf("%w (%d)", ErrKey, resp.StatusCode)
	default:
		return nil, fmt.Errorf("%w (%d)", ErrNoList, resp.StatusCode)
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxModels))
	if err != nil {
		return nil, bareError(err)
	}
	return text, nil
}

// entriesOf reads a list: an array below data, or one that stands by itself. An entry of
// another form is left out; null is a list without models for some servers.
func entriesOf(body []byte) ([]entry, bool) {
	var below struct {
		Data json.RawMessage `json:"data"`
	}
	text := body
	if json.Unmarshal(body, &below) == nil {
		text = below.Data
	}
	var list []json.RawMessage
	if len(text) == 0 || json.Unmarshal(text, &list) != nil || list == nil && string(body) == "null" {
		return nil, false
	}
	entries := make([]entry, 0, len(list))
	objects := 0
	for _, raw := range list {
		if raw[0] != '{' {
			continue
		}
		objects++
		var e entry
		if json.Unmarshal(raw, &e) == nil {
			entries = append(entries, e)
		}
	}
	return entries, objects > 0 || len(list) == 0
}

// proxyFor takes the environment's proxy, never for this machine itself.
func proxyFor(r *http.Request) (*url.URL, error) {
	if isLocalHost(r.URL.Hostname()) {
		return nil, nil
	}
	return http.ProxyFromEnvironment(r)
}

// bareError takes the address, which whoever asks names, off an error.
func bareError(err error) error {
	if u := (*url.Error)(nil); errors.As(err, &u) {
		return u.Err
	}
	return err
}
