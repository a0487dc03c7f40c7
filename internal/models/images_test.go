package models

import (
	"testing"
)

// TestImages: whether a model takes images is what the settings say, else what its server said in the way of such
// servers, else what is publicly known; of others it is not known, and they are asked. A server is asked
// for a question that has some, once a run, and a no of another run is not taken for granted.
func TestImages(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, settings, model string
		says                  map[string]string
		takes, asks           bool
	}{
		{name: "the list says yes", says: list(`"architecture":{"input_modalities":["text","image"]}`), takes: true, asks: true},
		{name: "the list says no", says: list(`"capabilities":{"vision":false}`), asks: true},
		{
			name: "Ollama says no", asks: true, says: map[string]string{
				"/v1/models": `{"data":[{"id":"m"}]}`, "/api/ps": `{"models":[]}`, "/api/show": `{"capabilities":["completion"]}`,
			},
		},
		{
			name: "the settings say yes", settings: "images = true\n", takes: true, says: list(`"capabilities":{"vision":false}`),
		},
		{name: "the settings say no", settings: "images = false\n", says: list(`"capabilities":{"vision":true}`)},
		{name: "nobody says it", says: list(""), takes: true, asks: true},
		{name: "it is publicly known", model: "gpt-4o", says: list(""), takes: true},
		{name: "it is known to take none", model: "gpt-4", says: list(""), asks: true},
		{name: "and its server says it does", model: "gpt-4", says: map[string]string{
			"/v1/models": `{"data":[{"id":"gpt-4","input_modalities":["text","image"]}]}`,
		}, takes: true, asks: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l := newLister(t, tt.says)
			settings := tt.settings
			if tt.model != "" {
				settings += "[models.q]\nbase_url = \"" + l.URL + "\"\nmodel = \"" + tt.model + "\"\n"
			}
			r, _ := deskAt(t, l.URL, settings)
			name := "p"
			if tt.model != "" {
				name = "q"
			}
			r.AskImages(t.Context(), name)
			n := l.asked.Load()
			r.AskImages(t.Context(), name)
			if got := r.TakesImages(name); got != tt.takes || n > 0 != tt.asks || l.asked.Load() != n {
				t.Errorf("takes images: %v, asked %d times, then %d", got, n, l.asked.Load()-n)
			}
			// Another run knows it, and asks again only what says no.
			other, _ := deskAt(t, l.URL, settings)
			other.Kept, other.now = r.Kept, r.now
			if got := other.TakesImages(name); got != tt.takes {
				t.Errorf("another run: %v", got)
			}
			other.AskImages(t.Context(), name)
			if unsaid := tt.name == "nobody says it"; l.asked.Load() == n == (tt.asks && (!tt.takes || unsaid)) {
				t.Errorf("another run asked %d times", l.asked.Load()-n)
			}
			r.RefusedImages(name)
			if tt.settings == "" && r.TakesImages(name) {
				t.Error("it was refused")
			}
		})
	}
}
