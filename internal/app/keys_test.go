package app

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"ken/internal/config"
)

// TestKeysBeside: what runs beside the person masks while keys are exported and
// settings change, and no key that is in use then gets through.
func TestKeysBeside(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	env := map[string]string{"OPENAI_API_KEY": "ordinary" + "words"}
	home := t.TempDir()
	env["KEN_HOME"], env["HOME"] = home, home
	r := Open(Options{Now: time.Now, Local: []string{}, Getenv: func(name string) string {
		mu.Lock()
		defer mu.Unlock()
		return env[name]
	}}).View(Standing{})
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
