package embed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"ken/internal/llm"
	"ken/internal/llm/wire"
)

const (
	// MostTexts is the most texts of one request. Servers take some hundreds; with
	// fewer, one that computes on a processor answers within seconds.
	MostTexts = 32
	// MostNumbers is the longest vector that is taken; the largest models make
	// some four thousand numbers.
	MostNumbers = 16384
	// Rest is how long an endpoint that failed is left alone.
	Rest = 30 * time.Second

	// maxBody is how much of an answer is read: MostTexts vectors of the
	// largest models, written out.
	maxBody = 16 << 20
	// maxRefusal is how much is read of a body that comes with an error status.
	maxRefusal = 64 << 10
	lineBytes  = 200
)

// An Endpoint is a model that makes vectors, and where it is.
type Endpoint struct {
	BaseURL string // as llm.Endpoint takes it
	Model   string // as the server calls it
	Key     llm.Secret
	Connect time.Duration // longest wait for a connection; 0: none
}

// A Client asks one endpoint. It is safe for concurrent use.
type Client struct {
	at   Endpoint
	http *http.Client
	now  func() time.Time

	mu     sync.Mutex
	failed error // the last call failed so; nil: it did not
	when   time.Time
}

// New returns a client. It does no I/O; an endpoint that cannot work is an error
// of the first call. now is the machine's clock.
func New(at Endpoint, now func() time.Time) *Client {
	return &Client{at: at, http: llm.HTTP(at.Connect), now: now}
}

// Close closes the connections that are idle.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// An Error is a call that failed. Every error of a Client is one.
type Error struct {
	URL     string // without user, query or key; "" if there is none
	Status  int    // HTTP status, 0 if none came
	Message string // what is wrong, or the server's own words, one line
	cause   error
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("embeddings")
	if e.URL != "" {
		b.WriteString(" " + e.URL)
	}
	if e.Status != 0 && e.Status/100 != 2 {
		fmt.Fprintf(&b, ": %d %s", e.Status, http.StatusText(e.Status))
	}
	if e.Message != "" {
		b.WriteString(": " + e.Message)
	}
	if e.cause != nil {
		b.WriteString(": " + wire.Line(e.cause.Error(), lineBytes))
	}
	return b.String()
}

func (e *Error) Unwrap() error { return e.cause }

// Hint says in one line what a person can do.
func (e *Error) Hint() string {
	switch {
	case e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden:
		return "check the key of this address (docs/embeddings.md)"
	case errors.Is(e.cause, context.DeadlineExceeded):
		return `raise embeddings.timeout, or set embeddings.base_url to "" to do without`
	}
	return `check embeddings.base_url and embeddings.model, or set embeddings.base_url to "" to do without`
}

// Embed asks for the vectors of texts, at most MostTexts of them, in their order.
// A text must not be empty. The error is an *Error.
func (c *Client) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if len(texts) == 0 || len(texts) > MostTexts {
		return nil, &Error{Message: fmt.Sprintf("%d texts in one request: want 1 to %d", len(texts), MostTexts)}
	}
	c.mu.Lock()
	failed := c.failed
	if failed != nil && c.now().Sub(c.when).Abs() >= Rest {
		failed = nil
	}
	c.mu.Unlock()
	if failed != nil {
		return nil, failed
	}
	vectors, err := c.ask(ctx, texts)
	if err != nil && errors.Is(ctx.Err(), context.Canceled) {
		return nil, err // the person's doing, and no fault of the server
	}
	c.mu.Lock()
	c.failed, c.when = err, c.now()
	c.mu.Unlock()
	return vectors, err
}

// ask is Embed, whatever was before.
func (c *Client) ask(ctx context.Context, texts []string) ([][]float32, error) {
	target, err := llm.Endpoint(c.at.BaseURL, llm.PathEmbeddings)
	if err != nil {
		return nil, &Error{cause: err}
	}
	fail := func(status int, message string, cause error) error {
		if key := c.at.Key.Reveal(); len(key) >= 8 {
			message = strings.ReplaceAll(message, key, "[key]")
		}
		var u *url.Error // net/http puts the whole address around its errors
		if errors.As(cause, &u) {
			cause = u.Err
		}
		return &Error{URL: llm.Shown(target), Status: status, Message: wire.Line(message, lineBytes), cause: cause}
	}
	body, err := json.Marshal(struct {
		Model string   `json:"model"`
		Input []string `json:"input"`
	}{c.at.Model, texts})
	if err != nil {
		return nil, fail(0, "write request", err)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, target.String(), strings.NewReader(string(body)))
	if err != nil {
		return nil, fail(0, "write request", err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json")
	r.Header.Set("User-Agent", "ken")
	if !c.at.Key.IsZero() {
		r.Header.Set("Authorization", "Bearer "+c.at.Key.Reveal())
	}
	res, err := c.http.Do(r)
	if err != nil {
		return nil, fail(0, "", err)
	}
	defer func() { _ = res.Body.Close() }() // it was only read
	if res.StatusCode/100 != 2 {
		head, _ := io.ReadAll(io.LimitReader(res.Body, maxRefusal)) // what came of it is enough
		message := string(head)
		if f, ok := wire.FaultIn(head, true); ok && f.Message != "" {
			message = f.Message
		}
		return nil, fail(res.StatusCode, message, nil)
	}
	answer, err := io.ReadAll(io.LimitReader(res.Body, maxBody+1))
	if err != nil {
		return nil, fail(res.StatusCode, "read answer", err)
	}
	if len(answer) > maxBody {
		return nil, fail(res.StatusCode, "an answer of more than 16 MiB", nil)
	}
	vectors, err := parse(answer, len(texts))
	if err != nil {
		return nil, fail(res.StatusCode, err.Error(), nil)
	}
	return vectors, nil
}

// parse reads an answer to so many texts:
//
//	{"data":[{"index":0,"embedding":[0.1,...]}, ...]}
func parse(answer []byte, texts int) ([][]float32, error) {
	var a struct {
		Data *[]struct {
			Index     *int       `json:"index"`
			Embedding []*float32 `json:"embedding"`
		} `json:"data"`
	}
	if err := json.Unmarshal(answer, &a); err != nil {
		return nil, fmt.Errorf("no list of vectors came back: %w", err)
	}
	if a.Data == nil {
		if f, ok := wire.FaultIn(answer, false); ok && f.Message != "" {
			return nil, errors.New(f.Message)
		}
		return nil, errors.New("no list of vectors came back")
	}
	if len(*a.Data) != texts {
		return nil, fmt.Errorf("%d vectors came back for %d texts", len(*a.Data), texts)
	}
	vectors := make([][]float32, texts)
	length := len((*a.Data)[0].Embedding)
	for i, d := range *a.Data {
		at := i
		if d.Index != nil {
			at = *d.Index
		}
		if at < 0 || at >= texts || vectors[at] != nil {
			return nil, fmt.Errorf("vector %d came back as that of text %d", i, at)
		}
		if len(d.Embedding) != length || length == 0 || length > MostNumbers {
			return nil, fmt.Errorf("vectors of %d and of %d numbers came back", length, len(d.Embedding))
		}
		v, ok := unit(d.Embedding)
		if !ok {
			return nil, fmt.Errorf("the vector of text %d has no direction", at)
		}
		vectors[at] = v
	}
	return vectors, nil
}

// unit is a vector of that direction and of length 1; not ok if it has none.
func unit(list []*float32) (v []float32, ok bool) {
	sum := 0.0
	v = make([]float32, len(list))
	for i, x := range list {
		if x == nil {
			return nil, false // servers write null for what is not a number
		}
		v[i] = *x
		sum += float64(*x) * float64(*x)
	}
	length := math.Sqrt(sum)
	if !(length > 1e-12) || math.IsInf(length, 0) {
		return nil, false
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / length)
	}
	return v, true
}
