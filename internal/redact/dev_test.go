package redact

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

func TestDevCorpus(t *testing.T) {
	p := os.Getenv("DEVCORPUS")
	if p == "" {
		t.Skip()
	}
	fh, err := os.Open(p)
	if err != nil {
		t.Fatal(err)
	}
	m := New([]byte("k"))
	sc := bufio.NewScanner(fh)
	sc.Buffer(nil, 1<<20)
	sec, hit, ben, fp := 0, 0, 0, 0
	for sc.Scan() {
		var d struct {
			ID, Label, Kind string
			T               string `json:"text_b64"`
			S               string `json:"secret_b64"`
		}
		if err := json.Unmarshal(sc.Bytes(), &d); err != nil {
			t.Fatal(err)
		}
		tx, _ := base64.StdEncoding.DecodeString(d.T)
		se, _ := base64.StdEncoding.DecodeString(d.S)
		out, hits := m.Mask(string(tx))
		if d.Label == "secret" {
			sec++
			if !strings.Contains(out, string(se)) && len(hits) > 0 {
				hit++
			} else {
				t.Logf("MISS %s %s %q -> %q", d.ID, d.Kind, tx, out)
			}
			t.Logf("%s %s", d.Kind, out)
		} else {
			ben++
			if out != string(tx) {
				fp++
				t.Logf("FALSE %s %s %q -> %q", d.ID, d.Kind, tx, out)
			}
		}
	}
	t.Logf("recall %d/%d false %d/%d", hit, sec, fp, ben)
}
