package home

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"ken/internal/config"
)

// TestKeysBeside: what runs beside the person masks while keys are exported and
// settings change, and no key that is in use then gets through.
func TestKeysBeside(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	env := map[string]string{"OPENAI_API_KEY": "ordinary" + "words"}
	r := open(t, "")
	plain := r.o.Getenv
	r.o.Getenv = func(name string) string {
		mu.Lock()
		defer mu.Unlock()
		if v, ok := env[name]; ok {
			return v
		}
		return plain(name)
	}
	if _, err := r.Settings.Read(); err != nil {
		t.Fatal(err)
	}
	var work sync.WaitGroup
	for range 4 {
		work.Go(func() {
			for range 50 {
				if got := r.Keys.MaskText("why ordinary" + "words here?"); strings.Contains(got, "ordinary"+"words") {
					t.Errorf("%q", got)
				}
			}
		})
	}
	for i := range 20 {
		name, key := fmt.Sprintf("KEY_%d", i), "lantern"+strings.Repeat(string(rune('a'+i)), 4)
		mu.Lock()
		env[name] = key
		mu.Unlock()
		cfg, _ := r.Settings.Read()
		cfg.Models = map[string]config.Model{name: {APIKeyEnv: name}}
		r.Settings.Take(cfg)
		if got := r.Keys.MaskText("x=" + key + "."); strings.Contains(got, key) {
			t.Errorf("%q", got)
		}
	}
	work.Wait()
	if got := r.Keys.MaskText("the first: lantern" + "aaaa"); strings.Contains(got, "lantern"+"aaaa") {
		t.Errorf("a key that is named no more: %q", got)
	}
}

// TestKeyStream: an answer that comes in any pieces shows no key in use, and all else as
// it is.
func TestKeyStream(t *testing.T) {
	t.Parallel()
	first, second := "ordinary"+"words", "ordinary"+"wordsandmore"
	settings := "[models.a]\nbase_url = \"http://127.0.0.1:1\"\nmodel = \"a\"\napi_key_env = \"OTHER\"\n"
	r := open(t, settings, "OPENAI_API_KEY", first, "OTHER", second)
	if _, err := r.Settings.Read(); err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.SampledFrom([]string{first, second, "ordinary", "o", " ", "words", "\n", "andmore", "tea", first[3:]})).Draw(t, "parts")
		text := strings.Join(parts, "")
		want := strings.NewReplacer(second, r.Keys.MaskText(second), first, r.Keys.MaskText(first)).Replace(text)
		s, got := r.Keys.Stream(), ""
		for rest := text; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "n")
			got += s.Write(rest[:n])
			rest = rest[n:]
		}
		if got += s.Flush(); got != want {
			t.Fatalf("%q became %q, want %q", text, got, want)
		}
	})
}
