package scripttest

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// An embedServer is a server of embeddings. It knows words, and that some mean the same;
// in the file at how stands what is wrong with it.
type embedServer struct {
	how  string
	mu   sync.Mutex
	sent []string // the bodies of requests
}

// scriptEmbedder starts a server of embeddings, whose base URL is then in EMBED:
//
//	embedder HOW    HOW is a file; its text, which may change, is one of
//	                good, chance, down, slow, short, null, wide, or key KEY
//	embedded FILE   write the bodies of all requests so far to FILE, a line each
func scriptEmbedder(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: embedder HOW")
	}
	s := &embedServer{how: ts.MkAbs(args[0])}
	server := httptest.NewServer(s)
	ts.Defer(server.Close)
	embedServers.Store(ts, s)
	ts.Setenv("EMBED", server.URL)
}

var embedServers sync.Map //nolint:gochecknoglobals // by script, as the models are

func scriptEmbedded(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: embedded FILE")
	}
	found, _ := embedServers.Load(ts)
	s, ok := found.(*embedServer)
	if !ok {
		ts.Fatalf("there is no embedder")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	text := ""
	for _, b := range s.sent {
		text += b + "\n"
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o600))
}

func (s *embedServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	how, err := os.ReadFile(s.how)
	body, bodyErr := io.ReadAll(r.Body)
	var q struct {
		Model string
		Input []string
	}
	if err != nil || bodyErr != nil || r.URL.Path != "/v1/embeddings" || json.Unmarshal(body, &q) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	s.sent = append(s.sent, string(body))
	s.mu.Unlock()
	mode := strings.TrimSpace(string(how))
	if key, ok := strings.CutPrefix(mode, "key "); ok {
		if r.Header.Get("Authorization") != "Bearer "+key {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
	} else if r.Header.Get("Authorization") != "" {
		w.WriteHeader(http.StatusTeapot) // a key that nobody meant for it
		return
	}
	switch mode {
	case "down":
		w.WriteHeader(http.StatusInternalServerError)
		return
	case "slow":
		select {
		case <-r.Context().Done():
		case <-time.After(time.Minute):
		}
		return
	}
	type made struct {
		Index     int        `json:"index"`
		Embedding []*float64 `json:"embedding"`
	}
	var list []made
	for i := len(q.Input) - 1; i >= 0; i-- { // not in order
		list = append(list, made{i, vectorOf(q.Input[i], mode)})
	}
	if mode == "short" {
		list = list[1:]
	}
	b, err := json.Marshal(map[string]any{"data": list})
	if err == nil {
		_, _ = w.Write(b)
	}
}

func vectorOf(text, mode string) []*float64 {
	numbers := 128
	if mode == "wide" {
		numbers = 200
	}
	v := make([]*float64, numbers)
	for i := range v {
		v[i] = new(float64)
	}
	words := strings.Fields(strings.ToLower(text))
	if mode == "chance" {
		words = []string{text}
	}
	for _, word := range words {
		word = strings.Trim(word, ".?!,")
		switch word {
		case "beverage", "drink":
			word = "tea"
		case "automobile":
			word = "car"
		}
		h := fnv.New64a()
		fmt.Fprint(h, word)
		r := rand.New(rand.NewPCG(h.Sum64(), 1))
		for i := range v {
			*v[i] += r.NormFloat64()
		}
	}
	if mode == "null" {
		v[3] = nil
	}
	return v
}
