//ken:slow

package app

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"ken/internal/embed/vectors"
	"ken/internal/engine"
	"ken/internal/memory"
	"ken/internal/scrub"
)

// house is a run in a directory, with an endpoint at url.
func house(t *testing.T, dir, url string) *View {
	t.Helper()
	text := fmt.Sprintf("[embeddings]\nbase_url = %q\nmodel = \"m\"\n", url)
	if err := os.WriteFile(filepath.Join(dir, "config.toml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	vars := map[string]string{"KEN_HOME": dir, "HOME": dir}
	a := Open(Options{
		Now:    time.Now,
		Clock:  time.Now,
		Getenv: func(name string) string { return vars[name] },
	}).View(Standing{Dir: dir, Actor: engine.Actor{Kind: engine.Person}})
	if _, err := a.Settings.Read(); err != nil {
		t.Fatal(err)
	}
	return a
}

// TestL5EraseWhileFilling: what is erased while a model makes its vector leaves
// none, whether the model answers before the log is rewritten or after it.
func TestL5EraseWhileFilling(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var asked atomic.Int32
	var between func() error
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			t.Error(err)
		}
		if asked.Add(1) == 2 {
			if err := between(); err != nil {
				t.Error(err)
			}
		}
		var b bytes.Buffer
		for i := range q.Input {
			fmt.Fprintf(&b, `{"index":%d,"embedding":[%d,1,2]},`, i, i+1)
		}
		_, _ = fmt.Fprintf(w, `{"data":[%s]}`, bytes.TrimSuffix(b.Bytes(), []byte(",")))
	}))
	t.Cleanup(s.Close)
	a := house(t, dir, s.URL)
	e, err := a.Memory.Writer()
	if err != nil {
		t.Fatal(err)
	}
	const items = 70 // three batches, the newest first
	for i := range items {
		if _, err := e.Remember(t.Context(), engine.Draft{Content: fmt.Sprintf("thing number %d is kept in drawer %d", i, i*i)}); err != nil {
			t.Fatal(err)
		}
	}
	between = func() error { // the second batch is with the model; 70 has its vector, 35 has not
		other := house(t, dir, s.URL)
		eraser, err := other.Memory.Eraser()
		if err != nil {
			return err
		}
		p, err := eraser.Plan(t.Context(), scrub.Want{IDs: []memory.ID{memory.Num(70), memory.Num(35)}})
		if err != nil {
			return err
		}
		if err := eraser.Run(t.Context(), p); err != nil {
			return err
		}
		if _, err := os.Stat(other.Settings.Paths().Vectors()); err == nil {
			return errors.New("the vectors are there after erasing")
		}
		return nil
	}
	f, err := NewFiller(a)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Fill(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 2 { // what is missing now is made, and nothing else
		w, err := vectors.Edit(t.Context(), f.path, f.space)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range []int{70, 35} {
			text := fmt.Sprintf("thing number %d is kept in drawer %d", id-1, (id-1)*(id-1))
			if w.Has(fmt.Sprint(id), vectors.KeyOf(text)) {
				t.Errorf("%d has a vector after erasing", id)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := f.Fill(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	work, err := f.Preview(t.Context())
	if err != nil || work.Texts != 0 || work.Items != items-2 || work.Spare != 0 {
		t.Errorf("%+v, %v", work, err)
	}
}
