package discover

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
)

// A Model is one that a server has, as far as the server describes it. What cannot be
// true counts as not said.
type Model struct {
	Name string // as it is sent and shown
	// Window is how many tokens a request and its answer may have together, as the
	// model runs there; 0: not said.
	Window int
	// Guess says that Window is what such a server gives as a rule: it does not say what
	// it gives to a model that it has not loaded yet.
	Guess bool
	// In and Out are prices of a million tokens sent and received, in US dollars. Priced
	// says that they were stated; they may be 0.
	In, Out float64
	Priced  bool
	// Images says whether the model takes images.
	Images Said
}

// A Said is what was said of something that is so or not.
type Said string

// What can be said.
const (
	Unsaid Said = ""
	Yes    Said = "yes"
	No     Said = "no"
)

// said is b as it was said.
func said(b bool) Said {
	if b {
		return Yes
	}
	return No
}

// MostWindow is the largest window that is believed, in tokens.
const MostWindow = 100_000_000

// The bounds of what else is believed.
const (
	leastWindow = 256
	mostPrice   = 100_000 // of a million tokens
)

// asLoaded is what Ollama and LM Studio give to a model, as a rule, where nobody said how
// much; both say what they gave once it is loaded.
const asLoaded = 4096

// An entry is one of a list, with what servers call the fields.
type entry struct {
	ID string `json:"id"`

	MaxModelLen    json.RawMessage `json:"max_model_len"`         // vLLM, SGLang
	ContextWindow  json.RawMessage `json:"context_window"`        // Groq
	ContextLength  json.RawMessage `json:"context_length"`        // OpenRouter, Together, Fireworks
	MaxContext     json.RawMessage `json:"max_context_length"`    // Mistral; LM Studio: what the model could have
	MaxInput       json.RawMessage `json:"max_input_tokens"`      // LiteLLM, Anthropic
	ContextSize    json.RawMessage `json:"context_size"`          // Novita
	LoadedContext  json.RawMessage `json:"loaded_context_length"` // LM Studio, /api/v0
	MaxModelLength json.RawMessage `json:"max_sequence_length"`   // some others of that kind

	Meta        json.RawMessage `json:"meta"`         // llama.cpp
	TopProvider json.RawMessage `json:"top_provider"` // OpenRouter
	Pricing     json.RawMessage `json:"pricing"`

	Type         string          `json:"type"`             // LM Studio, /api/v0: "llm", "vlm"
	Inputs       json.RawMessage `json:"input_modalities"` // some routers
	Architecture json.RawMessage `json:"architecture"`     // OpenRouter: the same within
	Capabilities json.RawMessage `json:"capabilities"`     // Mistral
}

// model is what an entry of /v1/models says.
func (e *entry) model() Model {
	m := Model{Name: e.ID}
	var meta struct {
		Given   json.RawMessage `json:"n_ctx"`
		Trained json.RawMessage `json:"n_ctx_train"`
	}
	var top struct {
		ContextLength json.RawMessage `json:"context_length"`
	}
	_, _ = json.Unmarshal(e.Meta, &meta), json.Unmarshal(e.TopProvider, &top) // of another form: they say nothing
	m.Window = first(
		e.MaxModelLen, e.LoadedContext, meta.Given, e.ContextWindow, e.ContextLength,
		e.MaxContext, e.MaxInput, e.ContextSize, e.MaxModelLength,
	)
	if n := window(top.ContextLength); n > 0 && (m.Window == 0 || n < m.Window) {
		m.Window = n // of who serves it, which may be less
	}
	if n := window(meta.Trained); m.Window == 0 && n > 0 {
		m.Window, m.Guess = n, true // a server may give less
	}
	m.In, m.Out, m.Priced = prices(e.Pricing)
	m.Images = e.images()
	return m
}

// images is what an entry says of images.
func (e *entry) images() Said {
	var architecture struct {
		Inputs json.RawMessage `json:"input_modalities"`
	}
	var capabilities struct {
		Vision *bool `json:"vision"`
	}
	_, _ = json.Unmarshal(e.Architecture, &architecture), json.Unmarshal(e.Capabilities, &capabilities) // of another form: they say nothing
	for _, raw := range []json.RawMessage{architecture.Inputs, e.Inputs} {
		if s := among("image", raw); s != Unsaid {
			return s
		}
	}
	if capabilities.Vision != nil {
		return said(*capabilities.Vision)
	}
	return Unsaid
}

// among says whether a list of words has one of them; a list that is none, or empty, says nothing.
func among(word string, raw json.RawMessage) Said {
	var list []string
	if len(raw) == 0 || json.Unmarshal(raw, &list) != nil || len(list) == 0 {
		return Unsaid
	}
	return said(slices.Contains(list, word))
}

// loadable is what an entry of LM Studio's own list says.
func (e *entry) loadable() Model {
	m := Model{Name: e.ID, Window: window(e.LoadedContext)}
	if most := window(e.MaxContext); m.Window == 0 && most > 0 {
		m.Window, m.Guess = min(most, asLoaded), true
	}
	if e.Type == "llm" || e.Type == "vlm" {
		m.Images = said(e.Type == "vlm")
	}
	return m
}

// first is the first of several sizes that is stated and can be true; 0 if none is.
func first(list ...json.RawMessage) int {
	for _, raw := range list {
		if n := window(raw); n > 0 {
			return n
		}
	}
	return 0
}

// window is the size of a window, if raw is a number that can be one; else 0.
func window(raw json.RawMessage) int {
	var n float64
	if len(raw) == 0 || json.Unmarshal(raw, &n) != nil || n != math.Trunc(n) || n < leastWindow || n > MostWindow {
		return 0
	}
	return int(n)
}

// prices reads what is asked for tokens: texts with the price of one, or numbers with
// that of a million.
func prices(raw json.RawMessage) (in, out float64, ok bool) {
	var p struct {
		Prompt     string   `json:"prompt"`
		Completion string   `json:"completion"`
		Input      *float64 `json:"input"`
		Output     *float64 `json:"output"`
	}
	if len(raw) == 0 || json.Unmarshal(raw, &p) != nil {
		return 0, 0, false
	}
	const million, digits = 1e6, 1e6
	switch {
	case p.Input != nil && p.Output != nil:
		in, out = *p.Input, *p.Output
	case p.Prompt != "" && p.Completion != "":
		a, aerr := strconv.ParseFloat(p.Prompt, 64)
		b, berr := strconv.ParseFloat(p.Completion, 64)
		if aerr != nil || berr != nil {
			return 0, 0, false
		}
		in, out = math.Round(a*million*digits)/digits, math.Round(b*million*digits)/digits
	default:
		return 0, 0, false
	}
	if !(in >= 0 && in <= mostPrice && out >= 0 && out <= mostPrice) { // nor what is no number
		return 0, 0, false
	}
	return in, out, true
}
