package discover

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"sync"
)

// Describe asks a server that does not state in its list how much a model reads, or whether it takes images, in the
// ways of those that have one of their own: llama.cpp, LM Studio, Ollama. The questions
// go out at once and change nothing there; none loads the model. What
// nobody answers is not said. ctx bounds the wait. The errors are those of Models.
func Describe(ctx context.Context, s Server, name string) (Model, error) {
	base, err := s.base()
	if err != nil {
		return Model{}, fmt.Errorf("describe a model: %w", err)
	}
	root := url.URL{Scheme: base.Scheme, Host: base.Host, Path: strings.TrimSuffix(base.Path, "/v1")}
	found := make([]Model, 3)
	var all sync.WaitGroup
	for i, look := range []func(context.Context, string, string) Model{s.llamaCPP, s.lmStudio, s.ollama} {
		all.Go(func() { found[i] = look(ctx, root.String(), name) })
	}
	all.Wait()
	is := Model{Name: name}
	for _, m := range found {
		if m.Window > 0 && (is.Window == 0 || is.Guess && !m.Guess) {
			is.Window, is.Guess = m.Window, m.Guess
		}
		if is.Images == Unsaid {
			is.Images = m.Images
		}
	}
	return is, nil
}

// llamaCPP asks as llama.cpp is asked, which has one model.
func (s Server) llamaCPP(ctx context.Context, root, _ string) Model {
	var props struct {
		Settings struct {
			Given json.RawMessage `json:"n_ctx"`
		} `json:"default_generation_settings"`
		Modalities struct {
			Vision *bool `json:"vision"`
		} `json:"modalities"`
	}
	if body, err := s.ask(ctx, root+"/props", nil); err != nil || json.Unmarshal(body, &props) != nil {
		return Model{}
	}
	m := Model{Window: window(props.Settings.Given)}
	if see := props.Modalities.Vision; see != nil {
		m.Images = said(*see)
	}
	return m
}

// lmStudio asks as LM Studio is asked.
func (s Server) lmStudio(ctx context.Context, root, name string) Model {
	body, err := s.ask(ctx, root+"/api/v0/models", nil)
	if err != nil {
		return Model{}
	}
	entries, _ := entriesOf(body)
	for _, e := range entries {
		if e.ID == name {
			return e.loadable()
		}
	}
	return Model{}
}

// ollama asks as Ollama is asked: what is loaded, and if the model is not, how it
// will be.
func (s Server) ollama(ctx context.Context, root, name string) Model {
	body, err := s.ask(ctx, root+"/api/ps", nil)
	if err != nil {
		return Model{}
	}
	var loaded struct {
		Models []struct {
			Name   string          `json:"name"`
			Model  string          `json:"model"`
			Window json.RawMessage `json:"context_length"`
		} `json:"models"`
	}
	if json.Unmarshal(body, &loaded) != nil || loaded.Models == nil {
		return Model{}
	}
	is := s.ollamaShown(ctx, root, name)
	for _, m := range loaded.Models {
		if n := window(m.Window); n > 0 && (tagged(m.Name) == tagged(name) || tagged(m.Model) == tagged(name)) {
			is.Window, is.Guess = n, false
		}
	}
	return is
}

// ollamaShown is what Ollama shows of a model, loaded or not.
func (s Server) ollamaShown(ctx context.Context, root, name string) Model {
	question, err := json.Marshal(map[string]string{"model": name})
	if err != nil {
		return Model{}
	}
	body, err := s.ask(ctx, root+"/api/show", question)
	if err != nil {
		return Model{}
	}
	var shown struct {
		Parameters   string                     `json:"parameters"`
		Info         map[string]json.RawMessage `json:"model_info"`
		Capabilities json.RawMessage            `json:"capabilities"`
	}
	if json.Unmarshal(body, &shown) != nil {
		return Model{}
	}
	images := among("vision", shown.Capabilities)
	for lines := bufio.NewScanner(strings.NewReader(shown.Parameters)); lines.Scan(); {
		if f := strings.Fields(lines.Text()); len(f) == 2 && f[0] == "num_ctx" {
			if n := window(json.RawMessage(f[1])); n > 0 {
				return Model{Window: n, Images: images}
			}
		}
	}
	for key, raw := range shown.Info {
		if n := window(raw); n > 0 && strings.HasSuffix(key, ".context_length") {
			return Model{Window: min(n, asLoaded), Guess: true, Images: images}
		}
	}
	return Model{Images: images}
}

// tagged is the name of a model with the tag that stands for none.
func tagged(name string) string {
	if strings.Contains(name[strings.LastIndexByte(name, '/')+1:], ":") {
		return name
	}
	return name + ":latest"
}
