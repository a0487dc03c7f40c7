package llm

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func TestSecretIsNotPrinted(t *testing.T) {
	t.Parallel()
	key := "sk-" + strings.Repeat("a1B2", 10)
	p := Preset{Name: "fast", APIKey: NewSecret(key)}
	var out strings.Builder
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%p"} {
		for _, v := range []any{p.APIKey, &p.APIKey, p, &p, New(p, Options{}), []any{p}, map[string]any{"p": p}, struct{ hidden Secret }{p.APIKey}} {
			fmt.Fprintf(&out, verb+"\n", v)
		}
	}
	b, err := json.Marshal(map[string]any{"p": p, "key": &p.APIKey})
	if err != nil {
		t.Fatal(err)
	}
	out.Write(b)
	slog.New(slog.NewTextHandler(&out, nil)).Info("a", "key", p.APIKey, "preset", p)
	slog.New(slog.NewJSONHandler(&out, nil)).Info("a", "key", p.APIKey, "preset", p)
	for _, form := range []string{key, fmt.Sprintf("%x", key), fmt.Sprintf("%X", key)} {
		if strings.Contains(out.String(), form) {
			t.Errorf("the key is in %s", out.String())
		}
	}
	if p.APIKey.Reveal() != key || p.APIKey.IsZero() || !NewSecret(" \n").IsZero() || NewSecret("").Reveal() != "" || !p.APIKey.Equal(NewSecret(key+"\n")) {
		t.Error("a Secret does not hold what it was given")
	}
}

func TestEndpoint(t *testing.T) {
	t.Parallel()
	for base, want := range map[string]string{
		"http://127.0.0.1:8080":                              "http://127.0.0.1:8080/v1/chat/completions",
		"http://127.0.0.1:8080/":                             "http://127.0.0.1:8080/v1/chat/completions",
		"http://127.0.0.1:8080/v1":                           "http://127.0.0.1:8080/v1/chat/completions",
		" http://127.0.0.1:8080/v1/ ":                        "http://127.0.0.1:8080/v1/chat/completions",
		"https://api.example.com":                            "https://api.example.com/v1/chat/completions",
		"https://api.example.com/api/v1":                     "https://api.example.com/api/v1/chat/completions",
		"https://g.example.com/v1beta/openai/":               "https://g.example.com/v1beta/openai/chat/completions",
		"https://e.example.com/v1/chat/completions":          "https://e.example.com/v1/chat/completions",
		"https://z.example.com/openai?api-version=1#part":    "https://z.example.com/openai/chat/completions?api-version=1",
		"http://user:secret@[::1]:1234/v1":                   "http://user:secret@[::1]:1234/v1/chat/completions",
		"":                                                   "no base_url is set",
		"localhost:8080":                                     "does not begin with http://",
		"ftp://example.com":                                  "does not begin with http://",
		"http://":                                            "does not begin with http://",
		"http://user:secret@host:badport/":                   "no URL",
		"127.0.0.1:8080/v1?key=secret":                       "base_url",
		"file:///secret/../etc":                              "does not begin with http://",
		"https:/api.example.com?key=secret":                  "does not begin with http://",
		"https://user:secret@/path?secret=secret#secret":     "does not begin with http://",
		"https://h.example.com/base/chat/completions/?a=b&c": "https://h.example.com/base/chat/completions?a=b&c",
	} {
		u, err := Endpoint(base, PathChat)
		if err != nil {
			if !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "user:") || strings.Contains(err.Error(), "key=") {
				t.Errorf("%q: %v, want %s", base, err, want)
			}
			continue
		}
		if u.String() != want {
			t.Errorf("%q: %s, want %s", base, u, want)
		}
		if s := shown(u); strings.ContainsAny(s, "?#@") {
			t.Errorf("%q is shown as %s", base, s)
		}
	}
}

func TestProxyNeverForLoopback(t *testing.T) {
	// Not parallel, and before any other use: net/http reads the environment once.
	t.Setenv("HTTP_PROXY", "http://proxy.example.com:3128")
	t.Setenv("NO_PROXY", "")
	for _, host := range []string{"127.0.0.1:8080", "127.9.9.9", "[::1]:1", "localhost", "LOCALHOST:11434", "x.localhost"} {
		u, err := proxy(&http.Request{URL: &url.URL{Scheme: "http", Host: host}})
		if u != nil || err != nil {
			t.Errorf("%s goes through %v, %v", host, u, err)
		}
	}
}
