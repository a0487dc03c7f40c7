package oauth

import (
	"errors"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const (
	answering  = 20 * time.Second // how long one answer may take, with its redirects
	mostAnswer = 1 << 20          // bytes of one
	redirects  = 3
)

var errUnsafe = errors.New("it names an address that is not safe to ask")

// Loopback reports whether a host is this machine by its name.
func Loopback(host string) bool {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}

// inward reports whether a host is by its name one that no server of the network has to do with: this machine, or what
// answers on the link alone, as the metadata of clouds do.
func inward(host string) bool {
	ip := net.ParseIP(host)
	return Loopback(host) || ip != nil && (ip.IsUnspecified() || ip.IsLinkLocalUnicast() || ip.IsMulticast())
}

// odd reports whether a host is a number in a form that some read as an address, though it is none: 127.1, 2130706433.
func odd(host string) bool {
	last := host[strings.LastIndexByte(strings.TrimSuffix(host, "."), '.')+1:]
	_, err := strconv.ParseUint(strings.TrimSuffix(last, "."), 0, 64)
	return err == nil && net.ParseIP(host) == nil
}

// safe reports whether an address may be asked that a server names. here says that the server is on this machine itself.
func safe(u *url.URL, here bool) bool {
	switch {
	case u.Hostname() == "" || u.User != nil || u.Opaque != "":
		return false
	case here && Loopback(u.Hostname()):
		return u.Scheme == "https" || u.Scheme == "http"
	}
	return u.Scheme == "https" && !inward(u.Hostname()) && !odd(u.Hostname())
}

// sameOrigin reports whether two addresses are of one server.
func sameOrigin(a, b *url.URL) bool {
	port := func(u *url.URL) string {
		if p := u.Port(); p != "" {
			return p
		}
		return map[string]string{"https": "443", "http": "80"}[u.Scheme]
	}
	return a.Scheme == b.Scheme && strings.EqualFold(a.Hostname(), b.Hostname()) && port(a) == port(b)
}

// A guard lets out what goes to safe addresses, and keeps answers within bounds.
type guard struct {
	here bool
	next http.RoundTripper
}

// RoundTrip sends one request.
func (g *guard) RoundTrip(r *http.Request) (*http.Response, error) {
	if !safe(r.URL, g.here) {
		return nil, errUnsafe
	}
	resp, err := g.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	resp.Body = http.MaxBytesReader(nil, resp.Body, mostAnswer)
	return resp, nil
}

// newClient returns what asks the addresses that a server at to names.
func newClient(to *url.URL, proxy func(*http.Request) (*url.URL, error)) *http.Client {
	return &http.Client{
		Timeout: answering,
		Transport: &guard{Loopback(to.Hostname()), &http.Transport{
			Proxy: proxy, ForceAttemptHTTP2: true, DisableKeepAlives: true, TLSHandshakeTimeout: answering / 2,
		}},
		CheckRedirect: func(next *http.Request, via []*http.Request) error {
			if via[0].Method != http.MethodGet || !sameOrigin(next.URL, via[0].URL) || len(via) >= redirects {
				return http.ErrUseLastResponse
			}
			return nil
		},
	}
}
