package discover

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestModelSays: what the servers that there are say of a model in their lists.
func TestModelSays(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, entry string // the entry without its id
		want        Model
	}{
		{"Ollama", `"object":"model","created":1758000000,"owned_by":"library"`, Model{}},
		{"vLLM", `"object":"model","owned_by":"vllm","root":"m","parent":null,"max_model_len":16384,"permission":[]`, Model{Window: 16384}},
		{
			"llama.cpp",
			`"object":"model","owned_by":"llamacpp","meta":{"vocab_type":2,"n_vocab":262144,"n_ctx":32768,"n_ctx_train":262144}`,
			Model{Window: 32768},
		},
		{"an older llama.cpp", `"owned_by":"llamacpp","meta":{"n_ctx_train":131072,"n_params":4647450147}`, Model{Window: 131072, Guess: true}},
		{
			"OpenRouter",
			`"context_length":1047576,"pricing":{"prompt":"0.0000025","completion":"0.00001","request":"0"},
				"top_provider":{"context_length":128000,"is_moderated":true}`,
			Model{Window: 128000, In: 2.5, Out: 10, Priced: true},
		},
		{
			"a free one there",
			`"context_length":65536,"pricing":{"prompt":"0","completion":"0"},"top_provider":{"context_length":null}`,
			Model{Window: 65536, Priced: true},
		},
		{"a router that has no price", `"context_length":2000000,"pricing":{"prompt":"-1","completion":"-1"}`, Model{Window: 2000000}},
		{
			"Together", `"type":"chat","context_length":131072,"pricing":{"hourly":0,"input":0.88,"output":0.88,"base":0}`,
			Model{Window: 131072, In: 0.88, Out: 0.88, Priced: true},
		},
		{"Groq", `"owned_by":"Meta","active":true,"context_window":131072,"max_completion_tokens":32768`, Model{Window: 131072}},
		{"Mistral", `"owned_by":"mistralai","max_context_length":131072,"capabilities":{}`, Model{Window: 131072}},
		{"OpenAI", `"object":"model","created":1715367049,"owned_by":"system"`, Model{}},
		{
			"OpenRouter, with images", `"context_length":8192,"architecture":{"modality":"text+image->text","input_modalities":["text","image"]}`,
			Model{Window: 8192, Images: Yes},
		},
		{"OpenRouter, without", `"architecture":{"input_modalities":["text"]}`, Model{Images: No}},
		{
			"Mistral, with images", `"max_context_length":131072,"capabilities":{"completion_chat":true,"vision":true}`,
			Model{Window: 131072, Images: Yes},
		},
		{"Mistral, without", `"capabilities":{"vision":false}`, Model{Images: No}},
		{"a router", `"input_modalities":["text","image"]`, Model{Images: Yes}},
		{"wrong words of images", `"input_modalities":"image","architecture":[],"capabilities":["vision"]`, Model{}},
		{"nothing", `"max_model_len":0`, Model{}},
		{"below nothing", `"max_model_len":-1,"context_length":4096`, Model{Window: 4096}},
		{"a trillion", `"context_length":1000000000000`, Model{}},
		{"beyond numbers", `"context_length":1e999`, Model{}},
		{"a text", `"context_length":"8192","meta":"none","top_provider":[],"pricing":"dear"`, Model{}},
		{"a half", `"context_length":8192.5`, Model{}},
		{"as some write it", `"context_length":1.31072e5`, Model{Window: 131072}},
		{"prices that are none", `"pricing":{"prompt":"NaN","completion":"Inf"}`, Model{}},
		{"a price beyond belief", `"pricing":{"prompt":"1","completion":"1"}`, Model{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				_, _ = io.WriteString(w, `{"object":"list","data":[{"id":"other","context_length":512},{"id":"m",`+tt.entry+`}]}`)
			}))
			t.Cleanup(s.Close)
			list, err := Models(t.Context(), Server{BaseURL: s.URL})
			tt.want.Name = "m"
			if err != nil || len(list) != 2 || list[0].Window != 512 {
				t.Fatalf("%+v, %v", list, err)
			}
			if diff := cmp.Diff(tt.want, list[1]); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A talker answers what it was given for a path, else that there is nothing.
type talker map[string]string

func (k talker) serve(t *testing.T) (base string, asked func() []string) {
	t.Helper()
	var mu sync.Mutex
	var log []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		at := r.Method + " " + r.URL.Path
		mu.Lock()
		log = append(log, strings.TrimSpace(at+" "+string(body)))
		mu.Unlock()
		if r.Header.Get("Authorization") != "Bearer k" {
			t.Errorf("%s with the key %q", at, r.Header.Get("Authorization"))
		}
		text, ok := k[at]
		if !ok {
			http.NotFound(w, r)
			return
		}
		_, _ = io.WriteString(w, text)
	}))
	t.Cleanup(s.Close)
	return s.URL, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return log
	}
}

func TestDescribe(t *testing.T) {
	t.Parallel()
	const show = `{"license":"...","modelfile":"FROM x","parameters":"stop  \"<|eot|>\"\n%stemperature    0.6","details":{"family":"llama"},
		"model_info":{"general.architecture":"llama","general.parameter_count":3212749888,
			"llama.context_length":131072,"llama.embedding_length":3072},"capabilities":["completion","tools"]}`
	shown := func(parameters string) string { return strings.Replace(show, "%s", parameters, 1) }
	const studio = `{"object":"list","data":[
		{"id":"qwen2-vl-7b-instruct","object":"model","type":"vlm","state":"not-loaded","max_context_length":32768},
		{"id":"small","object":"model","type":"llm","state":"not-loaded","max_context_length":2048},
		{"id":"m","object":"model","type":"llm","state":"loaded","max_context_length":131072,"loaded_context_length":8192}]}`
	for _, tt := range []struct {
		name, model string
		server      talker
		want        Model
	}{
		{
			"llama.cpp", "m",
			talker{"GET /props": `{"default_generation_settings":{"id":0,"n_ctx":16384,"params":{}},"total_slots":4,"model_path":"x.gguf"}`},
			Model{Window: 16384},
		},
		{"LM Studio, loaded", "m", talker{"GET /api/v0/models": studio}, Model{Window: 8192, Images: No}},
		{"LM Studio, not loaded", "qwen2-vl-7b-instruct", talker{"GET /api/v0/models": studio}, Model{Window: 4096, Guess: true, Images: Yes}},
		{"LM Studio, small", "small", talker{"GET /api/v0/models": studio}, Model{Window: 2048, Guess: true, Images: No}},
		{"LM Studio, another", "none", talker{"GET /api/v0/models": studio}, Model{}},
		{
			"Ollama, loaded", "llama3.2",
			talker{
				"GET /api/ps":    `{"models":[{"name":"llama3.2:latest","model":"llama3.2:latest","size":1,"context_length":32768}]}`,
				"POST /api/show": shown(`num_ctx 2048\n`),
			},
			Model{Window: 32768, Images: No},
		},
		{
			"Ollama, another loaded", "llama3.2:3b",
			talker{
				"GET /api/ps":    `{"models":[{"name":"llama3.2:1b","model":"llama3.2:1b","context_length":32768}]}`,
				"POST /api/show": shown(`num_ctx    65536\n`),
			},
			Model{Window: 65536, Images: No},
		},
		{
			"Ollama, nothing loaded or said", "llama3.2:3b",
			talker{"GET /api/ps": `{"models":[]}`, "POST /api/show": shown("")},
			Model{Window: 4096, Guess: true, Images: No},
		},
		{"Ollama, no such model", "m", talker{"GET /api/ps": `{"models":[]}`}, Model{}},
		{
			"an older Ollama", "m",
			talker{"GET /api/ps": `{"models":[{"name":"m:latest","model":"m:latest"}]}`, "POST /api/show": shown("")},
			Model{Window: 4096, Guess: true, Images: No},
		},
		{
			"llama.cpp that sees", "m",
			talker{"GET /props": `{"default_generation_settings":{"n_ctx":16384},"modalities":{"vision":true,"audio":false}}`},
			Model{Window: 16384, Images: Yes},
		},
		{
			"llama.cpp that does not", "m",
			talker{"GET /props": `{"default_generation_settings":{"n_ctx":16384},"modalities":{"vision":false}}`},
			Model{Window: 16384, Images: No},
		},
		{
			"Ollama that sees", "m",
			talker{"GET /api/ps": `{"models":[]}`, "POST /api/show": `{"capabilities":["completion","vision"]}`},
			Model{Images: Yes},
		},
		{
			"an Ollama that says nothing of it", "m",
			talker{"GET /api/ps": `{"models":[]}`, "POST /api/show": `{"capabilities":"vision"}`},
			Model{},
		},
		{"none of these", "m", talker{}, Model{}},
		{
			"wrong answers", "m",
			talker{
				"GET /props":         `{"default_generation_settings":{"n_ctx":0}}`,
				"GET /api/v0/models": `{"data":"none"}`, "GET /api/ps": `{"models":{"a":1}}`,
			},
			Model{},
		},
		{
			"other wrong answers", "m",
			talker{
				"GET /props":         `<p>`,
				"GET /api/v0/models": `[{"id":"m","max_context_length":1000000000000}]`, "GET /api/ps": `{"models":[]}`,
				"POST /api/show": `{"parameters":"num_ctx none","model_info":{"x.context_length":"y"}}`,
			},
			Model{},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			base, asked := tt.server.serve(t)
			got, err := Describe(t.Context(), Server{BaseURL: base + "/v1", Key: "k"}, tt.model)
			tt.want.Name = tt.model
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
			for _, at := range asked() { // nothing is changed or loaded there
				if strings.HasPrefix(at, "POST ") && at != `POST /api/show {"model":"`+tt.model+`"}` {
					t.Errorf("asked: %s", at)
				}
			}
		})
	}
}

// TestDescribeEnds: who never answers costs the time given, and who may not have the key is
// not asked.
func TestDescribeEnds(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	t.Cleanup(s.Close)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if got, err := Describe(ctx, Server{BaseURL: s.URL}, "m"); err != nil || got.Window != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := Describe(t.Context(), Server{BaseURL: "http://models.example.com/v1", Key: "k"}, "m"); err == nil {
		t.Error("the key went over plain http")
	}
}
