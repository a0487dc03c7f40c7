package discover

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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

// Models asks the interface at baseURL, which is written as in a preset, for the
// names of its models, in the order of the server. key is sent if there is one,
// and to no other host: redirects are not followed; plain says that it may go to another
// machine over http. ctx bounds the wait. The
// errors are ErrExposed, ErrKey, ErrNoList, or say why nothing answered; none holds the key or
// the address.
func Models(ctx context.Context, baseURL, key string, plain bool) ([]string, error) {
	base, err := parse(baseURL)
	if err != nil || base.Scheme != "http" && base.Scheme != "https" {
		return nil, errors.New("list models: the address is none of http or https")
	}
	if Exposed(base.String(), key != "") && !plain {
		return nil, fmt.Errorf("list models: %w", ErrExposed)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, base.String()+"/models", http.NoBody)
	if err != nil {
		return nil, fmt.Errorf("list models: %w", bareError(err))
	}
	r.Header.Set("Accept", "application/json")
	r.Header.Set("User-Agent", "ken")
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	client := http.Client{
		Transport:     &http.Transport{Proxy: proxyFor, DisableKeepAlives: true, MaxResponseHeaderBytes: maxHeader},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	resp, err := client.Do(r)
	if err != nil {
		return nil, fmt.Errorf("list models: %w", bareError(err))
	}
	defer resp.Body.Close()
	switch resp.StatusCode {
	case http.StatusOK:
	case http.StatusUnauthorized, http.StatusForbidden:
		return nil, fmt.Errorf("list models: %w (%d)", ErrKey, resp.StatusCode)
	default:
		return nil, fmt.Errorf("list models: %w (%d)", ErrNoList, resp.StatusCode)
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxModels))
	if err != nil {
		return nil, fmt.Errorf("list models: %w", bareError(err))
	}
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if err := json.Unmarshal(body, &list); err != nil || list.Data == nil {
		return nil, fmt.Errorf("list models: %w", ErrNoList)
	}
	names := make([]string, 0, len(list.Data))
	for _, m := range list.Data {
		if m.ID != "" {
			names = append(names, m.ID)
		}
	}
	return names, nil
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
