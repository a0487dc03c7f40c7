//go:build unix

package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
)

// madeUp returns texts with a secret each, made up from seed when the test runs,
// and the bytes that must not get anywhere.
func madeUp(seed uint64) map[string]string {
	r := rand.New(rand.NewPCG(seed, 7))
	from := func(alphabet string, n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = alphabet[r.IntN(len(alphabet))]
		}
		return string(b)
	}
	const (
		digits = "23456789"
		hexes  = digits + "abcdef"
		base   = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ" + digits
	)
	pass := func() string { return "Orchid!" + from(digits, 4) + "walnut" + from("abcdef", 3) }
	words := strings.Fields("orbit cactus velvet ladder pigeon marble tunnel walnut fabric goose puzzle rocket sample timber umbrella window")
	r.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
	texts := map[string]string{}
	add := func(text, secret string) { texts[strings.Replace(text, "@@", secret, 1)] = secret }
	for _, prefix := range []string{"ghp" + "_", "sk-" + "ant-api03-", "sk-" + "proj-", "glpat" + "-", "npm" + "_", "hf" + "_", "sk_" + "live_"} {
		add("use the key @@ for that", prefix+from(base, 40))
	}
	add("aws id and key: AKIA"+from("ABCDEFGHIJ"+digits, 16)+" @@ ok", from(base, 38)+"x7")
	add("export DB_PASSWORD=@@", pass())
	add("my password is @@, keep it", pass())
	add("use @@ as the password", pass())
	add("das Passwort lautet @@", pass())
	add("我的密码是@@", pass())
	add("git clone https://alice:@@@git.example.org/x.git", strings.Replace(pass(), "!", "_", 1))
	add("mysql -uroot -p@@ shop", pass())
	add("sshpass -p @@ ssh bob@10.0.0.1", pass())
	add("curl -H \"Authorization: Bearer @@\" https://x.example.org", from(base, 40))
	add("2fa seed @@", from("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 30)+"Q7")
	add("recovery codes: @@", from(hexes, 5)+"-2"+from(hexes, 3)+"f")
	add("seed phrase: @@", strings.Join(words[:12], " "))
	add("social security number: @@", "640-7"+from(digits, 1)+"-5"+from(digits, 3))
	add("the alarm PIN is @@", "48"+from(digits, 2)+"19")
	add("secret_key: @@", from(base, 32))
	return texts
}

// TestS48NoSecretIsWritten types, runs, imports and is answered one secret of each
// kind, and then looks for the literal secret in every file and every request.
func TestS48NoSecretIsWritten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	model := llmtest.New(t)
	texts := madeUp(1)
	answers := madeUp(2)
	queue := make([]string, 0, len(answers))
	for text := range answers {
		queue = append(queue, text)
	}
	tmp := filepath.Join(dir, "ken", "tmp") // what is written beside the data counts too
	if err := os.MkdirAll(tmp, 0o700); err != nil {
		t.Fatal(err)
	}
	n := 0
	model.Reply(func(llmtest.Request) llmtest.Script {
		text := queue[n%len(queue)]
		n++
		mid := len(text) / 2 // the secret arrives in two pieces
		for mid > 0 && text[mid]&0xc0 == 0x80 {
			mid--
		}
		return llmtest.Text("You said: ", text[:mid], text[mid:], ", noted.")
	})
	ken := func(stdin string, args ...string) (string, string) {
		t.Helper()
		cmd := clitest.Command(t, dir, model, args...)
		cmd.Env = append(cmd.Env, "TMPDIR="+tmp)
		cmd.Stdin = strings.NewReader(stdin)
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		_ = cmd.Run() // refusals are part of the test
		return out.String(), errs.String()
	}
	// A conversation: each text is remembered, said, and printed by a command. Its
	// own process, with a script of the lines.
	var lines, told strings.Builder
	var turns bytes.Buffer
	enc := json.NewEncoder(&turns)
	i := 0
	for text := range texts {
		fmt.Fprintf(&lines, ":remember %s\n%s\n$cat said%d\nwhat was that?\n", text, text, i)
		clitest.Write(t, filepath.Join(dir, fmt.Sprintf("said%d", i)), text+"\n")
		if err := enc.Encode(map[string]any{"session": "old", "turn": i + 1, "ts": "2026-05-13T19:00:00Z", "speaker": "Ann", "text": text}); err != nil {
			t.Fatal(err)
		}
		i++
	}
	_, errs := ken(lines.String())
	told.WriteString(errs)
	clitest.Write(t, filepath.Join(dir, "turns.jsonl"), turns.String())
	_, errs = ken("", "import", "--format", "turns", filepath.Join(dir, "turns.jsonl"))
	told.WriteString(errs)
	i = 0
	for text := range texts {
		// A process each costs time, so the texts take turns.
		turns := [][]string{
			{"remember", text}, {"remember", "--tag", text, "tea"}, {"ask", "-c", "and " + text}, {"recall", text}, {"sessions", "search", "--json", text}, {"frobnicate", text}, {"memory", "edit", "1", text}, {"ask", text},
		}
		_, errs := ken(text+"\n", turns[i%len(turns)]...)
		told.WriteString(errs)
		ken(text+"\n", "ask", "what is this?")
		i++
	}
	kept := keepElsewhere(t, dir, texts)
	for _, args := range [][]string{{"import", "CLAUDE.md", "objects.json", "memory.jsonl"}, {"import", "conversations.json"}} {
		_, errs := ken("", args...)
		told.WriteString(errs)
	}
	for _, object := range kept {
		out, errs := ken(object, "port", "remember_preference", "-")
		told.WriteString(out + errs)
		out, errs = ken(object, "port", "recall_preferences", "-")
		told.WriteString(out + errs)
	}
	// What programs are answered.
	for _, args := range [][]string{
		{"memory", "list", "--json", "--all"},
		{"export", "--json", "--all"},
		{"export", "--format", "jsonl", "--all"},
		{"port", "export"},
		{"review", "--json"},
		{"sessions", "list", "--json"},
		{"recall", "--json", "key password"},
		{"sessions", "export", "old"},
		{"sessions", "search", "--json", "password"},
		{"memory", "page", "--print"},
		{"why", "--json"},
	} {
		out, errs := ken("", args...)
		told.WriteString(out + errs)
	}
	if n := strings.Count(told.String(), "[masked:"); n < 3*len(texts) {
		t.Errorf("only %d masks in what was told", n)
	}

	var sent strings.Builder
	for _, r := range model.Requests() {
		sent.Write(r.Body)
	}
	if len(model.Requests()) < 2*len(texts) {
		t.Fatalf("only %d requests", len(model.Requests()))
	}
	written := everyByte(t, filepath.Join(dir, "ken"))
	if !strings.Contains(written, "[masked:") || !strings.Contains(sent.String(), "[masked:") {
		t.Error("nothing was masked at all")
	}
	for _, set := range []map[string]string{texts, answers} {
		for text, secret := range set {
			for where, all := range map[string]string{"a file": written, "a request": sent.String(), "a message": told.String()} {
				if i := strings.Index(all, secret); i >= 0 {
					t.Errorf("%q stands in %s: %q", text, where, all[max(0, i-120):min(len(all), i+60)])
				}
			}
		}
	}
}

// keepElsewhere writes the texts as other programs keep them below dir, and returns them
// as arguments of a port.
func keepElsewhere(t *testing.T, dir string, texts map[string]string) (ports []string) {
	t.Helper()
	var page, objects, graph, nodes strings.Builder
	quote := func(text string) string {
		b, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	i := 0
	for text := range texts {
		fmt.Fprintf(&page, "- %s\n", text)
		fmt.Fprintf(&objects, `,{"type":"fact","title":%s,"content":%s,"tags":[%s]}`, quote("t "+text), quote(text), quote(text))
		fmt.Fprintf(&graph, `{"type":"entity","name":%s,"entityType":"x","observations":[%s]}`+"\n", quote(text), quote(text))
		fmt.Fprintf(&nodes, `,"n%d":{"parent":"n%d","message":{"author":{"role":"user","name":%s},"content":{"content_type":"text","parts":[%s]}}}`, i, i-1, quote(text), quote(text))
		ports = append(ports, `{"key":`+quote(text)+`,"value":`+quote(text)+`,"agent":`+quote(text)+`,"activation_context":`+quote(text)+`}`)
		i++
	}
	clitest.Write(t, filepath.Join(dir, "CLAUDE.md"), page.String())
	clitest.Write(t, filepath.Join(dir, "objects.json"), "["+strings.TrimPrefix(objects.String(), ",")+"]")
	clitest.Write(t, filepath.Join(dir, "memory.jsonl"), graph.String())
	clitest.Write(t, filepath.Join(dir, "conversations.json"), fmt.Sprintf(`[{"title":"t","conversation_id":"c","current_node":"n%d","mapping":{%s}}]`, i-1, strings.TrimPrefix(nodes.String(), ",")))
	return ports
}

// everyByte returns the names and the bytes of all files below dir.
func everyByte(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		all.WriteString(path + "\n")
		all.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}
