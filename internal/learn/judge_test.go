package learn

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ken/internal/app"
	"ken/internal/fault"
	"ken/internal/llm/llmtest"
)

// judgeBed is a home with settings, and what it told.
func judgeBed(t *testing.T, settings string) (*app.View, *[]string) {
	t.Helper()
	dir, told := t.TempDir(), new([]string)
	if err := os.WriteFile(filepath.Join(dir, "config.toml"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	h := app.Open(app.Options{
		Local:  []string{},
		Now:    time.Now,
		Getenv: func(name string) string { return map[string]string{"KEN_HOME": dir, "HOME": dir}[name] },
	}).View(app.Standing{Dir: dir, Voice: fault.Voice{OnNote: func(n fault.Note) { *told = append(*told, fmt.Sprint(n)) }}})
	if _, err := h.Settings.Read(); err != nil {
		t.Fatal(err)
	}
	return h, told
}

// TestR371Judge: the preset that the settings name judges, else the one called deep, else the one in use; which one is said once, and
// a secret of the material does not reach it. It judges at a temperature of 0.2, unless its preset sets one.
func TestR371Judge(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ more, want, says, warm string }{
		{"", "a", "config set models.strong", "0.2"},
		{"[models.deep]\nbase_url = \"%[1]s\"\nmodel = \"d\"\ntemperature = 0.7\n", "d", "deep judges", "0.7"},
		{"[models.deep]\nmodel = \"d\"\n[models.b]\nbase_url = \"%[1]s\"\nmodel = \"b\"\n[models]\nstrong = \"b\"\n", "b", "b judges", "0.2"},
	} {
		server := llmtest.New(t, llmtest.Text(" yes \n"))
		h, told := judgeBed(t, fmt.Sprintf("model = \"a\"\n[models.a]\nbase_url = \"%[1]s\"\nmodel = \"a\"\n"+tt.more+"#%[1]s\n", server.URL))
		j, err := OpenJudge(t.Context(), h)
		if err != nil || j == nil {
			t.Fatal(j, err)
		}
		secret := "sk-" + "proj-" + strings.Repeat("aB3dE5fG7h", 5)
		if got, err := j.Answer(t.Context(), "judge", "the key is "+secret); err != nil || got != "yes" {
			t.Errorf("%q %v", got, err)
		}
		sent := string(server.Requests()[0].Body)
		if !strings.Contains(sent, `"model":"`+tt.want+`"`) || strings.Contains(sent, secret) || !strings.Contains(sent, "[masked:") {
			t.Errorf("want model %s: %s", tt.want, sent)
		}
		if !strings.Contains(sent, `"temperature":`+tt.warm+`,`) {
			t.Errorf("want a temperature of %s: %s", tt.warm, sent)
		}
		if len(*told) != 1 || !strings.Contains((*told)[0], tt.says) {
			t.Errorf("told %q, want %q", *told, tt.says)
		}
	}
}

// TestNobody: where there is no model nobody judges; an answer that does not end is an error.
func TestNobody(t *testing.T) {
	t.Parallel()
	h, told := judgeBed(t, "")
	if j, err := OpenJudge(t.Context(), h); j != nil || err != nil || len(*told) > 0 {
		t.Errorf("%v %v %q", j, err, *told)
	}
	server := llmtest.New(t, llmtest.Text(strings.Repeat("and so on ", mostJudged/10+1)))
	h, _ = judgeBed(t, fmt.Sprintf("model = \"a\"\n[models.a]\nbase_url = %q\nmodel = \"a\"\n", server.URL))
	j, err := OpenJudge(t.Context(), h)
	if err != nil || j == nil {
		t.Fatal(j, err)
	}
	if got, err := j.Answer(t.Context(), "judge", "x"); err == nil || got != "" {
		t.Errorf("%.20q %v", got, err)
	}
}
