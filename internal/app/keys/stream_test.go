package keys

import (
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ken/internal/config"
)

// TestKeyStream: an answer that comes in any pieces shows no key in use, and all else as
// it is.
func TestKeyStream(t *testing.T) {
	t.Parallel()
	first, second := "ordinary"+"words", "ordinary"+"wordsandmore"
	env := map[string]string{"OPENAI_API_KEY": first, "OTHER": second}
	r := New(func(name string) string { return env[name] }, func(err error) { t.Error(err) })
	r.Note(&config.Config{Models: map[string]config.Model{"a": {APIKeyEnv: "OTHER"}}}, filepath.Join(t.TempDir(), "mask.key"))
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.SampledFrom([]string{first, second, "ordinary", "o", " ", "words", "\n", "andmore", "tea", first[3:]})).Draw(t, "parts")
		text := strings.Join(parts, "")
		want := strings.NewReplacer(second, r.MaskText(second), first, r.MaskText(first)).Replace(text)
		s, got := r.Stream(), ""
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

// TestSeal: without the person's key nothing is sealed, and what is only written has sums
// all the same; with it there is one seal.
func TestSeal(t *testing.T) {
	t.Parallel()
	r := New(func(string) string { return "" }, func(err error) { t.Error(err) })
	if _, err := r.Seal(); err == nil {
		t.Error("a seal under no key")
	}
	if r.Sums() == nil {
		t.Error("no sums")
	}
	r.Note(&config.Config{}, filepath.Join(t.TempDir(), "mask.key"))
	seal, err := r.Seal()
	if err != nil {
		t.Fatal(err)
	}
	if again, err := r.Seal(); err != nil || again != seal || r.Sums() != seal {
		t.Errorf("another seal, %v", err)
	}
}
