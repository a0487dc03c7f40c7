package embed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
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
	// lineBytes bounds what is quoted of an answer.
	lineBytes = 200
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
	model string
	json  *llm.JSONClient
	wrong error // why there is no client
	now   func() time.Time

	mu     sync.Mutex
	failed error // the last call failed so; nil: it did not
	when   time.Time
}

// New returns a client. It does no I/O; an endpoint that cannot work is an error
// of the first call. now is the machine's clock.
func New(at Endpoint, now func() time.Time) *Client {
	c := &Client{model: at.Model, now: now}
	c.json, c.wrong = llm.NewJSONClient(at.BaseURL, llm.PathEmbeddings, at.Key, at.Connect, map[string]string{
		"base_url": "embeddings.base_url", "model": "embeddings.model", "timeout": "embeddings.timeout",
		"plain_http": "plain_http of the preset with that key", "api_key_env": "the key for this address (docs/models.md)", "api_key_file": "the key for this address (docs/models.md)",
	})
	return c
}

// Close closes the connections that are idle.
func (c *Client) Close() {
	if c.json != nil {
		c.json.Close()
	}
}

// A ReplyError says what is wrong with an answer.
type ReplyError struct{ text string }

func (e *ReplyError) Error() string { return e.text }

// Hint returns the next step.
func (*ReplyError) Hint() string {
	return `check embeddings.base_url and embeddings.model, or set embeddings.base_url to "" to do without`
}

func replyf(format string, args ...any) error { return &ReplyError{fmt.Sprintf(format, args...)} }

// Embed asks for the vectors of texts, at most MostTexts of them, in their order.
// A text must not be empty. The error wraps an *llm.Error or a
// *ReplyError, or says what is wrong with the address.
func (c *Client) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if len(texts) == 0 || len(texts) > MostTexts {
		return nil, fmt.Errorf("embeddings: %d texts in one request: want 1 to %d", len(texts), MostTexts)
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
	if c.wrong != nil {
		return nil, fmt.Errorf("embeddings: %w", c.wrong)
	}
	body, err := json.Marshal(struct {
		Model string   `json:"model"`
		Input []string `json:"input"`
	}{c.model, texts})
	if err != nil {
		return nil, fmt.Errorf("embeddings: write request: %w", err)
	}
	answer, err := c.json.Post(ctx, body, maxBody)
	if err != nil {
		return nil, fmt.Errorf("embeddings: %w", err)
	}
	vectors, err := parse(answer, len(texts))
	if err != nil {
		return nil, fmt.Errorf("embeddings: %w", err)
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
		return nil, replyf("no list of vectors came back: %s", wire.Line(err.Error(), lineBytes))
	}
	if a.Data == nil {
		if f, ok := wire.FaultIn(answer, false); ok && f.Message != "" {
			return nil, replyf("%s", wire.Line(f.Message, lineBytes))
		}
		return nil, replyf("no list of vectors came back")
	}
	if len(*a.Data) != texts {
		return nil, replyf("%d vectors came back for %d texts", len(*a.Data), texts)
	}
	vectors := make([][]float32, texts)
	length := len((*a.Data)[0].Embedding)
	for i, d := range *a.Data {
		at := i
		if d.Index != nil {
			at = *d.Index
		}
		if at < 0 || at >= texts || vectors[at] != nil {
			return nil, replyf("vector %d came back as that of text %d", i, at)
		}
		if len(d.Embedding) != length || length == 0 || length > MostNumbers {
			return nil, replyf("vectors of %d and of %d numbers came back", length, len(d.Embedding))
		}
		v, ok := unit(d.Embedding)
		if !ok {
			return nil, replyf("the vector of text %d has no direction", at)
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
