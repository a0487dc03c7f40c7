package rank

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"ken/internal/index"
)

// A turn is a line of turns.jsonl.
type turn struct {
	ID      string `json:"id"`
	Conv    string `json:"conv"`
	Session int    `json:"session"`
	Date    string `json:"date"` // without zone
	Speaker string `json:"speaker"`
	Text    string `json:"text"`
	Caption string `json:"caption"`
}

// A question is a line of questions.jsonl.
type question struct {
	ID       string   `json:"id"`
	Conv     string   `json:"conv"`
	Category string   `json:"category_name"`
	Text     string   `json:"question"`
	Evidence []string `json:"evidence"` // ids of turns
	Scored   bool     `json:"scored"`
}

// A dataset is what is measured with.
type dataset struct {
	turns     []turn
	questions []question // those that are scored
	convs     []string   // in the order of the turns
}

func load(dir string) (*dataset, error) {
	var d dataset
	if err := readLines(filepath.Join(dir, "turns.jsonl"), &d.turns); err != nil {
		return nil, err
	}
	if err := readLines(filepath.Join(dir, "questions.jsonl"), &d.questions); err != nil {
		return nil, err
	}
	d.questions = slices.DeleteFunc(d.questions, func(q question) bool { return !q.Scored || len(q.Evidence) == 0 })
	for _, t := range d.turns {
		if !slices.Contains(d.convs, t.Conv) {
			d.convs = append(d.convs, t.Conv)
		}
	}
	if len(d.turns) == 0 || len(d.questions) == 0 {
		return nil, fmt.Errorf("%s: no turns or no questions", dir)
	}
	return &d, nil
}

func readLines[T any](path string, list *[]T) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read the data: %w", err)
	}
	n := 0
	for line := range bytes.Lines(data) {
		n++
		var x T
		if err := json.Unmarshal(line, &x); err != nil {
			return fmt.Errorf("%s: line %d: %w", path, n, err)
		}
		*list = append(*list, x)
	}
	return nil
}

// said is what the turn says, with what its picture shows.
func (t *turn) said() string {
	if t.Caption == "" {
		return t.Text
	}
	return t.Text + " " + t.Caption
}

func (t *turn) time() (time.Time, error) {
	at, err := time.Parse("2006-01-02T15:04", t.Date)
	if err != nil {
		return at, fmt.Errorf("turn %s: %w", t.ID, err)
	}
	return at, nil
}

// importLine is the turn as `ken import --format turns` reads it.
func (t *turn) importLine() ([]byte, error) {
	at, err := t.time()
	if err != nil {
		return nil, err
	}
	return json.Marshal(map[string]any{
		"session": fmt.Sprintf("%s/%d", t.Conv, t.Session), "turn": t.ID, "ts": at.Format(time.RFC3339),
		"speaker": t.Speaker, "text": t.said(), "scope": t.Conv,
	})
}

// document is the turn as the index has it after that.
func (t *turn) document() (index.Document, error) {
	at, err := t.time()
	return index.Document{
		Ref: t.ID, In: index.Sessions, Kind: "user", Scope: t.Conv, Time: at, Content: t.said(), Speaker: t.Speaker,
		Session: fmt.Sprintf("%s/%d", t.Conv, t.Session),
	}, err
}
