package llm_test

import (
	"errors"
	"strings"
	"testing"

	"ken/internal/llm"
	"ken/internal/llm/discover"
	"ken/internal/llm/llmtest"
)

// TestExposed: which addresses show a key to who listens on the way.
func TestExposed(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"http://models.example.com/v1": true, "HTTP://models.example.com": true, "http://10.0.0.7:8080": true, "http://127.0.0.1.example.com": true,
		"http://[2001:db8::1]/v1": true, "http://localhost.example.com": true,
		"https://models.example.com/v1": false, "http://127.0.0.1:8080/v1": false, "http://localhost/v1": false, "http://[::1]:1234": false, "http://a.localhost": false,
	} {
		if discover.Exposed(address, true) != want {
			t.Errorf("%s: %v", address, !want)
		}
		if discover.Exposed(address, false) {
			t.Errorf("%s without a key", address)
		}
	}
	for _, address := range []string{"http://me:hunter2@models.example.com", "http://models.example.com/v1?api_key=x", "http://models.example.com/v1?access_token=x"} {
		if !discover.Exposed(address, false) {
			t.Errorf("%s: what stands in the address is a key", address)
		}
	}
}

// TestKeyOverPlainHTTP: a key goes over http neither to another machine nor to a proxy
// on the way there, unless the person said so; the hint names the setting.
func TestKeyOverPlainHTTP(t *testing.T) {
	proxy := llmtest.New(t) // it fails the test if anything arrives that was not meant to
	t.Setenv("HTTP_PROXY", proxy.URL)
	t.Setenv("http_proxy", proxy.URL)
	key := llm.NewSecret("made-up-key-" + strings.Repeat("7", 12))
	ask := func(base string, key llm.Secret) error {
		c := llm.New(llm.Preset{Name: "far", BaseURL: base, Model: "m", APIKey: key}, llm.Options{})
		defer c.Close()
		_, err := c.Complete(t.Context(), llm.Request{Messages: []llm.Message{{Role: "user", Content: "q"}}})
		return err
	}
	err := ask("http://models.example.com/v1", key)
	var e *llm.Error
	if !errors.Is(err, discover.ErrExposed) || !errors.As(err, &e) || e.Hint() != "use an https:// address; if nobody can listen on the way: models.far.plain_http = true" {
		t.Errorf("%v", err)
	}
	door, err := llm.NewJSONClient("http://models.example.com/v1", llm.PathEmbeddings, key, 0, map[string]string{"plain_http": "that"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := door.Post(t.Context(), []byte("{}"), 100); !errors.Is(err, discover.ErrExposed) {
		t.Errorf("a door: %v", err)
	}
	server := discover.Server{BaseURL: "http://models.example.com/v1", Key: "k"}
	if _, err := discover.Models(t.Context(), server); !errors.Is(err, discover.ErrExposed) {
		t.Errorf("a list of models: %v", err)
	}
	if n := len(proxy.Requests()); n != 0 {
		t.Errorf("%d requests", n)
	}
	here := llmtest.New(t, llmtest.Text("ok"))
	if err := ask(here.URL, key); err != nil {
		t.Errorf("this machine: %v", err)
	}
}
