package termsafe

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A sample is a line of testdata/vectors/terminal, or of the corpus that KEN_TERMINAL
// names, in which a byte that is no text is a lone surrogate.
type sample struct {
	ID, Kind, Name, Label, Text, Want string
	Base64                            string `json:"text_b64"`
}

func readSamples(t *testing.T, path string) []sample {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	surrogate := regexp.MustCompile(`(\\ud[89ab][0-9a-f]{2})?\\udc([89a-f][0-9a-f])`)
	var all []sample
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := surrogate.ReplaceAllStringFunc(lines.Text(), func(s string) string {
			if len(s) > len(`\udc80`) {
				return s // half of a pair
			}
			return `\uf7` + s[len(`\udc`):]
		})
		var s sample
		if err := json.Unmarshal([]byte(line), &s); err != nil {
			t.Fatal(err)
		}
		if s.Base64 != "" {
			b, err := base64.StdEncoding.DecodeString(s.Base64)
			if err != nil {
				t.Fatal(err)
			}
			s.Text = string(b)
		}
		var b strings.Builder
		for _, r := range s.Text {
			if r >= 0xf780 && r <= 0xf7ff && s.Base64 == "" {
				b.WriteByte(byte(r))
			} else {
				b.WriteRune(r)
			}
		}
		if s.Base64 == "" {
			s.Text = b.String()
		}
		all = append(all, s)
	}
	return all
}

// everyWay cleans a text whole, byte by byte and cut at every place.
func everyWay(s string, check func(how, got string)) {
	check("whole", Clean(s))
	check("byte by byte", chunked(bytewise(s)...))
	for i := range len(s) {
		check("cut at "+strconv.Itoa(i), chunked(s[:i], s[i:]))
	}
}

// TestT1Vectors: the texts that other implementations can be tested with, too.
func TestT1Vectors(t *testing.T) {
	t.Parallel()
	n := map[string]int{}
	for _, s := range readSamples(t, "../../testdata/vectors/terminal/texts.jsonl") {
		n[s.Kind]++
		want := s.Want
		if s.Kind == "benign" {
			want = s.Text
		}
		everyWay(s.Text, func(how, got string) {
			if got != want {
				t.Errorf("%s %q, %s: %q, want %q", s.Kind, s.Name, how, got, want)
			}
		})
	}
	if n["hostile"] < 60 || n["benign"] < 25 {
		t.Errorf("too few texts: %v", n)
	}
}

// TestT1Corpus: a corpus from elsewhere, of which it is known only which texts are
// hostile.
func TestT1Corpus(t *testing.T) {
	t.Parallel()
	path := os.Getenv("KEN_TERMINAL")
	if path == "" {
		path = "../../../shared/corpora/terminal-dev.jsonl"
	}
	if _, err := os.Stat(path); err != nil {
		t.Skip("no corpus: KEN_TERMINAL names one")
	}
	color := regexp.MustCompile("\x1b\\[[0-9;:]*m")
	inert, same := 0, 0
	for _, s := range readSamples(t, path) {
		text := s.Text
		if s.Kind == "split-seq" {
			text = strings.Replace(text, "|", "", 1)
		}
		ok := true
		everyWay(text, func(how, got string) {
			bad := strings.ContainsFunc(got, func(r rune) bool { return (r < 0x20 || r >= 0x7f && r < 0xa0) && r != '\n' && r != '\t' })
			if s.Label == "benign" {
				bad = bad || got != color.ReplaceAllString(text, "")
			} else {
				bad = bad || got == text
			}
			if bad && ok {
				ok = false
				t.Errorf("%s %s, %s: %q became %q", s.Label, s.Kind, how, text, got)
			}
		})
		if ok && s.Label == "benign" {
			same++
		} else if ok {
			inert++
		}
	}
	t.Logf("%d inert, %d unchanged", inert, same)
}
