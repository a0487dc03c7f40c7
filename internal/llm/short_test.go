package llm

import (
	"errors"
	"strings"
	"testing"
)

// TestE8Short: an error is one sentence with the server's own words; its address and what
// it sent are in the whole error alone.
func TestE8Short(t *testing.T) {
	t.Parallel()
	const url = "http://127.0.0.1:11434/v1/chat/completions"
	for _, c := range []struct {
		err  Error
		want string
	}{
		{
			Error{Kind: Server, Op: "ask", Status: 500, Code: "server_error", Message: "The server had an error while processing your request"},
			"model q: the server failed (500 Internal Server Error): The server had an error while processing your request",
		},
		{
			Error{Kind: Auth, Op: "ask", Status: 401, Code: "invalid_api_key"},
			"model q: the server did not accept the key (401 Unauthorized): invalid_api_key",
		},
		{
			Error{Kind: Auth, Op: "ask", Status: 402},
			"model q: the server wants to be paid (402 Payment Required)",
		},
		{
			Error{Kind: NotFound, Op: "ask", Status: 404, Message: "model 'x' not found"},
			"model q: the server does not have this (404 Not Found): model 'x' not found",
		},
		{
			Error{Kind: RateLimit, Op: "ask", Status: 429},
			"model q: too many requests for now (429 Too Many Requests)",
		},
		{
			Error{Kind: Server, Op: "ask", Status: 502, ContentType: "text/html", Head: "<html>" + strings.Repeat("x", 300)},
			"model q: the server failed (502 Bad Gateway)",
		},
		{
			Error{Kind: Network, Op: "connect", cause: errors.New("connection refused")},
			"model q: the server at 127.0.0.1:11434 cannot be reached: connection refused",
		},
		{
			Error{Kind: Protocol, Op: "read answer", Status: 200, ContentType: "text/html", Head: "<p>proxy</p>"},
			"model q: what the server sent is no answer: text/html: <p>proxy</p>",
		},
		{
			Error{Kind: Incomplete, Op: "read answer", Status: 200, cause: errors.New("unexpected EOF")},
			"model q: the answer broke off: unexpected EOF",
		},
		{
			Error{Kind: Timeout, Op: "ask", Message: "no token for 2s"},
			"model q: no answer in time: no token for 2s",
		},
	} {
		c.err.Preset, c.err.URL = "q", url
		if got := c.err.Short(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
		if !strings.Contains(c.err.Error(), url) {
			t.Errorf("%q does not say where", c.err.Error())
		}
	}
}
