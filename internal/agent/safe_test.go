package agent

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ken/internal/redact"
	"ken/internal/session"
)

// key is a made-up key, as one provider gives them.
func key() string { return "sk-proj-" + strings.Repeat("a1B2", 10) }

// masker masks for real.
func masker() func(string) string {
	m := redact.New([]byte(strings.Repeat("k", redact.KeySize)))
	return func(s string) string {
		s, _ = m.Mask(s)
		return s
	}
}

// TestMaskJSON: secrets go, everything else stays byte for byte.
func TestMaskJSON(t *testing.T) {
	t.Parallel()
	mask := masker()
	hidden := mask(key())
	if hidden == key() || !strings.HasPrefix(hidden, "[masked:") {
		t.Fatalf("the masker does not know the made-up key: %s", hidden)
	}
	signature := strings.Repeat("CikB0e2KbzV6pT1lq9rXw3dFhQ", 12) + "=="
	pem := "-----BEGIN " + "PRIVATE KEY-----\n" + strings.Repeat("MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n", 3) + "-----END " + "PRIVATE KEY-----"
	lit := func(s string) string {
		b, _ := json.Marshal(s)
		return string(b)
	}
	for _, test := range []struct{ name, in, want string }{
		{"nothing to hide", `{"a": [1, 2.50, null],  "b":"\u00e9 <&> \n"}`, `{"a": [1, 2.50, null],  "b":"\u00e9 <&> \n"}`},
		{"in a string", `"use ` + key() + ` please"`, `"use ` + hidden + ` please"`},
		{"behind an escape", `"line\n` + key() + `\ttab"`, `"line\n` + hidden + `\ttab"`},
		{"in an escaped string", `"\u0073` + key()[1:] + `"`, `"` + hidden + `"`},
		{"as a name", `{"` + key() + `":1}`, `{"` + hidden + `":1}`},
		{"in arguments", `[{"id":"1","function":{"arguments":` + lit(`{"cmd": "curl -H `+key()+`"}`) + `}}]`, `[{"id":"1","function":{"arguments":` + lit(`{"cmd": "curl -H `+hidden+`"}`) + `}}]`},
		{"arguments stay as they are", `{"arguments":` + lit("{\n  \"cmd\": \"ls\"\n}") + `}`, `{"arguments":` + lit("{\n  \"cmd\": \"ls\"\n}") + `}`},
		{"arguments that are cut off", lit(`{"cmd": "` + key()), lit(`{"cmd": "` + hidden)},
		{"a signature", `{"google":{"thought_signature":"` + signature + `"}}`, `{"google":{"thought_signature":"` + signature + `"}}`},
		{"over several lines", lit(pem), lit(mask(pem))},
		{"empty", ``, ``},
		{"no JSON", `{"a":`, ``},
	} {
		got := string(maskJSON(json.RawMessage(test.in), mask))
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s:\n%s", test.name, diff)
		}
	}
	// What a name gives away.
	word := "hunter2" + "Zq9!x"
	for _, in := range []string{`{"password":"` + word + `"}`, `{"arguments":` + lit(`{"password":"`+word+`"}`) + `}`} {
		got := maskJSON(json.RawMessage(in), mask)
		if strings.Contains(string(got), word) || got != nil && !json.Valid(got) {
			t.Errorf("%s became %s", in, got)
		}
	}
	// A secret that is no string takes its value along.
	digits := func(s string) string { return strings.ReplaceAll(s, "4111", "[masked:card:0123]") }
	if got := maskJSON(json.RawMessage(`{"card":4111}`), digits); got != nil {
		t.Errorf("left: %s", got)
	}
}

// TestSafeAgain: a turn that comes back from its session is the same bytes.
func TestSafeAgain(t *testing.T) {
	t.Parallel()
	c := New(Options{Keys: masks(masker())})
	piece := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{key(), "password: hunter2" + "Zq9!x", "\x1b[31m", "\\\"", "{", "}", "\n", `{"token":"`, `"}`, "Bearer " + key()}))
	text := rapid.Map(rapid.SliceOfN(piece, 0, 5), func(l []string) string { return strings.Join(l, "") })
	rapid.Check(t, func(t *rapid.T) {
		lit := func(s string) json.RawMessage {
			b, err := json.Marshal(s)
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
		turn := session.Turn{Role: session.RoleAssistant, Content: text.Draw(t, "content")}
		turn.Raw = map[string]json.RawMessage{"a": lit(text.Draw(t, "raw")), "b": json.RawMessage("{\n \"c\":" + string(lit(text.Draw(t, "inner"))) + "\r\n}")}
		turn.ToolCalls = json.RawMessage(`[{"arguments":` + string(lit(text.Draw(t, "arguments"))) + `}]`)
		once := c.o.safe(turn)
		if diff := cmp.Diff(once, c.o.safe(once)); diff != "" {
			t.Fatalf("not the same again:\n%s", diff)
		}
		for _, s := range []string{once.Content, string(once.ToolCalls), string(once.Raw["a"]), string(once.Raw["b"])} {
			if strings.Contains(s, "\x1b") || strings.Contains(s, " "+key()+" ") {
				t.Fatalf("left: %q", s)
			}
		}
		for _, v := range []json.RawMessage{once.ToolCalls, once.Raw["a"], once.Raw["b"]} {
			if v != nil && !json.Valid(v) || strings.ContainsAny(string(v), "\n\r") {
				t.Fatalf("no JSON on one line: %q", v)
			}
		}
	})
}

// TestReason: how an answer ended is a word; what a server says at length there, or a
// secret, is not kept.
func TestReason(t *testing.T) {
	t.Parallel()
	c := New(Options{Keys: masks(masker())})
	for finish, want := range map[string]string{
		"": "", "stop": "stop", "tool_calls": "tool_calls", "content-filter.v2": "content-filter.v2", "STOP": "STOP",
		"the password is Kettle-4711x": finishOther, strings.Repeat("a", 41): finishOther, "a b": finishOther, key(): finishOther, "größe": finishOther,
	} {
		if got := c.o.safe(session.Turn{Finish: finish}).Finish; got != want {
			t.Errorf("%q is recorded as %q, want %q", finish, got, want)
		}
	}
}
