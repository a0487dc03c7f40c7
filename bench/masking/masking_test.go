package masking

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/redact"
)

func line(label, kind, text, secret string) string {
	b := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
	return fmt.Sprintf("{\"id\":\"1\",\"label\":%q,\"kind\":%q,\"text_b64\":%q,\"secret_b64\":%q}\n", label, kind, b(text), b(secret))
}

// mask masks every Q, and nothing else: a judge must see each way to be wrong.
func mask(s string) (string, []redact.Hit) {
	var hits []redact.Hit
	for i := range len(s) {
		if s[i] == 'Q' {
			hits = append(hits, redact.Hit{Kind: "q", Start: i, End: i + 1})
		}
	}
	return strings.ReplaceAll(s, "Q", "[masked:q:0000]"), hits
}

// TestJudge reads a corpus and counts what was found by half, missed, or masked
// without need.
func TestJudge(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	corpus := line("secret", "key", "the key is QQ", "QQ") +
		line("secret", "key", "the key is QQab, Q!", "QQab") + // half of it, and one more
		line("secret", "key", "twice: QQ and QQ", "QQ") +
		line("secret", "card", "the card is 12", "12") + // missed
		line("secret", "bytes", "odd \xff\xfeQ", "Q") +
		line("benign", "uuid", "no secret here", "") +
		line("benign", "uuid", "and Q is one of 26, Q!", "")
	if err := os.WriteFile(filepath.Join(dir, "a.jsonl"), []byte(corpus), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "README.md"), []byte("about it"), 0o600); err != nil {
		t.Fatal(err)
	}
	cases, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	rows := Judge(mask, cases)
	want := []Row{
		{Kind: "bytes", Secret: true, Cases: 1, Found: 1, Gone: 1},
		{Kind: "card", Secret: true, Cases: 1},
		{Kind: "key", Secret: true, Cases: 3, Found: 3, Gone: 2, False: 1},
		{Kind: "uuid", Cases: 2, False: 1},
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	table := strings.Join(Table(rows), "\n")
	for _, want := range []string{"secrets, all                          5      4      3      1", "no secret, all                        2                    1"} {
		if !strings.Contains(table, want) {
			t.Errorf("no %q in\n%s", want, table)
		}
	}
}

// TestRead tells what is no corpus, by its line.
func TestRead(t *testing.T) {
	t.Parallel()
	good := line("benign", "x", "text", "")
	for text, want := range map[string]string{
		"":                                      "no text in it",
		good + "{\n":                            "line 2: unexpected end of JSON",
		good + line("perhaps", "x", "text", ""): `line 2: label "perhaps": must be secret or benign`,
		good + line("secret", "x", "text", ""):  "line 2: a secret has a secret_b64",
		good + line("benign", "x", "text", "text"):  "line 2: a secret has a secret_b64",
		good + line("secret", "x", "text", "other"): "line 2: the secret does not stand in the text",
		line("benign", "x", "", ""):                 "line 1: no text_b64",
	} {
		file := filepath.Join(t.TempDir(), "corpus")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

func TestInitialisers(t *testing.T) {
	t.Parallel()
	const trace = `init runtime @0.02 ms, 0.5 ms clock, 0 bytes, 0 allocs
init ken/internal/redact @0.1 ms, 0.012 ms clock, 9232 bytes, 4 allocs
init ken/internal/redact/chars @0.1 ms, 0.25 ms clock, 9232 bytes, 4 allocs
init ken/internal/redactor @0.1 ms, 1 ms clock, 9232 bytes, 4 allocs
`
	ours, all, err := Initialisers([]byte(trace), "ken/internal/redact")
	if err != nil || ours != 0.262 || all != 1.762 {
		t.Errorf("%v, %v, %v; want 0.262, 1.762", ours, all, err)
	}
	if _, _, err := Initialisers([]byte("ken 1.0\n"), "x"); err == nil {
		t.Error("no error where nothing was traced")
	}
}
