package secret_test

import (
	"encoding/base64"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ken/internal/jsonl"
	"ken/internal/redact"
	"ken/internal/secret"
)

var mark = regexp.MustCompile(`\[masked:([a-z-]+):[0-9a-f]{4}\]`)

// TestLine: where a secret may stand in a line, and what stays.
func TestLine(t *testing.T) {
	t.Parallel()
	m := redact.New([]byte("key"))
	coded := base64.StdEncoding.EncodeToString([]byte("the password=hunter2Zq9 is for staging"))
	for line, want := range map[string]string{
		`{"id":1,"content":"password=hunter2Zq9"}`:                      `{"id":1,"content":"password=[masked:password]"}`,
		`{ "id" : 1.0, "content":"password=hunter2Zq9", "x":[ 1, 2 ] }`: `{"id":1.0,"content":"password=[masked:password]","x":[ 1, 2 ]}`,
		"{\"content\":\"password=hunter2Zq9\"}\r":                       "{\"content\":\"password=[masked:password]\"}\r",
		"\ufeff" + `{"content":"password=hunter2Zq9"}`:                  "\ufeff" + `{"content":"password=[masked:password]"}`,
		`{"id":2,"content":"tea","tags":["a","password=hunter2Zq9"]}`:   `{"id":2,"content":"tea","tags":["a","password=[masked:password]"]}`,
		`{"id":3,"new":{"password":"hunter2Zq9","user":"ann"}}`:         `{"id":3,"new":{"password":"[masked:password]","user":"ann"}}`,
		`{"id":4,"password=hunter2Zq9":true}`:                           `{"id":4,"password=[masked:password]":true}`,
		`{"id":5,"content":"` + coded + `"}`:                            `{"id":5,"content":"[masked:password]"}`,
		`{"role":"assistant","tool_calls":[{"id":"call_1","function":{"name":"f","arguments":"{\"password\": \"hunter2Zq9\"}"}}]}`: `{"role":"assistant","tool_calls":[{"id":"call_1","function":{"name":"f","arguments":"{\"password\": \"[masked:password]\"}"}}]}`,
		`{"role":"tool","content":"x","tool_call_id":"password=hunter2Zq9"}`:                                                       `{"role":"tool","content":"x","tool_call_id":"password=[masked:password]"}`,
		`{"role":"tool","content":"x","tool_call_id":"call_Zq9hunter2x"}`:                                                          ``,
		`{"content":"x","raw":{"a":["password=correct-horse-7!"]}}`:                                                                `{"content":"x","raw":{"a":["password=[masked:password]"]}}`,
		`{"content":"\u0070assword=correct-horse-7!"}`:                                                                             `{"content":"password=[masked:password]"}`,
		`not json: password=hunter2Zq9`:                                                                                            `not json: password=[masked:password]`,
		`{"id":6,"content":"password=hunter2Zq9`:                                                                                   `{"id":6,"content":"password=[masked:password]`,
		`{"id":7,"content":"x","key":"Zq9hunter2x","hash":"0a1b2c3d4e5f6071"}`:                                                     ``,
		`{"id":4111111111111111,"n":4111111111111111,"content":"a card"}`:                                                          ``,
		`{"id":8,  "content":"the kettle"}`:                                                                                        ``,
		``:                                                                                                                         ``,
	} {
		got, found := secret.Line([]byte(line), m.Mask)
		if want == "" {
			want = line
		}
		if shown := mark.ReplaceAllString(string(got), "[masked:$1]"); shown != want {
			t.Errorf("%s\nbecomes %s\nwant    %s", line, shown, want)
		}
		if found.Any() != (want != line) {
			t.Errorf("%s: found %+v", line, found)
		}
		if again, more := secret.Line(got, m.Mask); string(again) != string(got) || more.Any() {
			t.Errorf("%s\nmasked again is %s", got, again)
		}
		if strings.Contains(line, coded) && (len(found.Secrets) < 2 || found.Secrets[1].Text != "hunter2Zq9") {
			t.Errorf("the secret in base64 is not told: %+v", found.Secrets)
		}
	}
}

// TestLawLine: a line of JSON stays one with the same names, and masking is
// idempotent, whatever the values.
func TestLawLine(t *testing.T) {
	t.Parallel()
	m := redact.New([]byte("key"))
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.SampledFrom([]string{"password=", "hunter2Zq9", `"`, `\`, "\n", "tea", "%3D", "é", " is ", "{", ":", "my password is "})
		text := func(name string) string { return strings.Join(rapid.SliceOfN(piece, 0, 6).Draw(t, name), "") }
		line := []byte(`{"id":1`)
		for _, name := range rapid.SliceOfN(rapid.SampledFrom([]string{"content", "password", "new", "tags"}), 1, 4).Draw(t, "names") {
			line = jsonl.AppendString(jsonl.AppendName(line, name), text("value"))
		}
		line = append(line, '}')
		got, _ := secret.Line(line, m.Mask)
		names := func(line []byte) (all []string) {
			for f, err := range jsonl.Object(line) {
				if err != nil {
					t.Fatalf("%s becomes %s: %v", line, got, err)
				}
				all = append(all, string(f.Name))
			}
			return all
		}
		if a, b := names(line), names(got); strings.Join(a, " ") != strings.Join(b, " ") {
			t.Fatalf("%s becomes %s", line, got)
		}
		if again, found := secret.Line(got, m.Mask); string(again) != string(got) {
			t.Fatalf("%s becomes %s and then %s (%+v)", line, got, again, found)
		}
	})
}
