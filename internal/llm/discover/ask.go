package discover

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"syscall"
	"unicode"
	"unicode/utf8"
)

const (
	// maxBody is the longest list that is read, in bytes: that of a router with
	// all models of all vendors has half of it.
	maxBody = 1 << 20
	// maxHeader is the longest header of a response, in bytes.
	maxHeader = 64 << 10
	// maxName is the longest name of a model, in bytes; those with the address of
	// a registry in front have half of it.
	maxName = 256
)

// ask gets the list of models of one interface and takes one of it.
func ask(ctx context.Context, baseURL string) (found Found, err error) {
	base, err := parse(baseURL)
	if err != nil {
		return Found{}, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, base.String()+"/models", http.NoBody)
	if err != nil {
		return Found{}, fmt.Errorf("look for models: %w", err)
	}
	r.Header.Set("Accept", "application/json")
	r.Header.Set("User-Agent", "ken")
	var connected atomic.Bool // the connection may be made when nobody waits for it any more
	defer func() {
		switch {
		case err == nil || errors.Is(err, ErrNotLocal) || errors.Is(err, ErrEmpty):
		case !connected.Load():
			err = fmt.Errorf("%w: %w", ErrAbsent, err)
		case ctx.Err() != nil:
			err = fmt.Errorf("%w: %w", ErrSilent, err)
		}
	}()
	client := http.Client{
		Transport: &http.Transport{
			Proxy: nil,
			DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
				c, err := (&net.Dialer{Control: loopbackOnly, Timeout: connectWithin}).DialContext(ctx, network, address)
				connected.Store(err == nil)
				return c, err
			},
			DisableKeepAlives:      true, // one question each, and nothing left open
			DisableCompression:     true,
			MaxResponseHeaderBytes: maxHeader,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	res, err := client.Do(r)
	if err != nil {
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err // whoever asks names the address
		}
		return Found{}, fmt.Errorf("look for models: %w", err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return Found{}, fmt.Errorf("look for models: the server answers %d", res.StatusCode)
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, maxBody+1))
	switch {
	case err != nil:
		return Found{}, fmt.Errorf("read the list of models: %w", err)
	case len(body) > maxBody:
		return Found{}, fmt.Errorf("read the list of models: longer than %d bytes", maxBody)
	}
	model, err := choose(body)
	if err != nil {
		return Found{}, err
	}
	return Found{Address: base.Host, BaseURL: base.String(), Model: model}, nil
}

// parse makes the address of an interface of what people write for it: with or
// without a slash at the end, with the whole path of the chat, or as host and
// port, which stand for /v1 there. A user, a password and a query are dropped.
func parse(baseURL string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(baseURL))
	if err != nil || u.Host == "" {
		return nil, errors.New("look for models: the address is none")
	}
	at := strings.TrimRight(u.Path, "/")
	at = strings.TrimRight(strings.TrimSuffix(at, "/chat/completions"), "/")
	if at == "" {
		at = "/v1"
	}
	return &url.URL{Scheme: u.Scheme, Host: u.Host, Path: at}, nil
}

// loopbackOnly refuses connections that leave this machine, now that the name
// has become an address.
func loopbackOnly(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil || !at.Addr().IsLoopback() {
		return ErrNotLocal
	}
	return nil
}

// choose takes the model that answers questions out of a list: the first that
// is not made for something else, by its name; if all are, the first.
func choose(body []byte) (string, error) {
	var answer struct {
		Data json.RawMessage `json:"data"`
	}
	var list []json.RawMessage // null is a list without models for some servers
	if json.Unmarshal(body, &answer) != nil || answer.Data == nil || json.Unmarshal(answer.Data, &list) != nil {
		return "", errors.New("read the list of models: it is none")
	}
	first := ""
	for _, raw := range list {
		var entry struct {
			ID string `json:"id"`
		}
		if json.Unmarshal(raw, &entry) != nil || !IsName(entry.ID) {
			continue
		}
		if Answers(entry.ID) {
			return entry.ID, nil
		}
		if first == "" {
			first = entry.ID
		}
	}
	if first == "" {
		return "", ErrEmpty
	}
	return first, nil
}

// IsName reports whether a server's name for a model can be shown, typed and sent
// as it stands: letters and digits of any script, and what else ASCII can print.
func IsName(id string) bool {
	for _, r := range id {
		switch {
		case r == utf8.RuneError, r == 0x115F, r == 0x1160, r == 0x3164, r == 0xFFA0: // the last four are letters without a shape
			return false
		case r >= ' ' && r <= '~', unicode.IsLetter(r), unicode.IsDigit(r):
		default:
			return false
		}
	}
	return id != "" && len(id) <= maxName && id == strings.TrimSpace(id)
}

// Answers reports whether a model is one to talk to, as far as its name shows.
func Answers(id string) bool {
	id = strings.ToLower(id)
	for _, other := range []string{"embed", "rerank", "whisper", "tts"} {
		if strings.Contains(id, other) {
			return false
		}
	}
	return true
}
