package text_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"html"
	"net/url"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ken/internal/text"
)

// wrapped is base64 as the program of that name writes it: lines of 76.
func wrapped(text string) string {
	var b strings.Builder
	for i, c := range []byte(base64.StdEncoding.EncodeToString([]byte(text))) {
		if i > 0 && i%76 == 0 {
			b.WriteByte('\n')
		}
		b.WriteByte(c)
	}
	return b.String()
}

// TestEncoded: a text that a program passed on is found: in an address, in a page,
// in base64 of either alphabet, whatever stands before it, and in JSON besides.
func TestEncoded(t *testing.T) {
	t.Parallel()
	letters := rapid.SampledFrom([]rune("abcdeXYZ 0189é&<>\"'+%/?=-_日ß"))
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string, least int) string {
			return string(rapid.SliceOfN(letters, least, 90).Draw(t, name))
		}
		said, before, after := "staging host: "+draw("text", 4)+".", draw("before", 0), draw("after", 0)
		set := text.NewMatcher(said)
		all := before + said + after
		for name, form := range map[string]string{
			"query": url.QueryEscape(all), "path": url.PathEscape(all), "page": html.EscapeString(all),
			"base64": base64.StdEncoding.EncodeToString([]byte(all)), "in addresses": base64.RawURLEncoding.EncodeToString([]byte(all)),
			"glued": "data/" + base64.StdEncoding.EncodeToString([]byte(all)) + ",", "lines": wrapped(all),
		} {
			if !set.In("it is " + form + " then") {
				t.Errorf("%s: not found in %s", name, form)
			}
			line, err := json.Marshal(map[string]string{"content": "it is " + form})
			if err != nil {
				t.Fatal(err)
			}
			if !set.InBytes(line) || set.Count(line) == 0 {
				t.Errorf("%s: not found in %s", name, line)
			}
		}
	})
}

// TestNotEncoded: what is no text in any form is not taken for one.
func TestNotEncoded(t *testing.T) {
	t.Parallel()
	set := text.NewMatcher("the staging host is kettle")
	for _, s := range []string{
		"", "%", "%2", "100% of it + more", "&amp", "a & b; c", strings.Repeat("a", 100), "internal/cli/testdata/script_of-the_day",
		base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{0, 255, 'a'}, 40)), base64.StdEncoding.EncodeToString([]byte("the staging host is kettl")),
	} {
		if set.In(s) || set.Count([]byte(s)) != 0 {
			t.Errorf("found in %q", s)
		}
	}
	if n := set.Count([]byte("the+staging+host+is+kettle, the%20staging%20host%20is%20kettle and the staging host is kettle")); n != 3 {
		t.Errorf("%d places, want 3", n)
	}
}

func FuzzEncoded(f *testing.F) {
	f.Add([]byte("dGhlIHN0YWdpbmcgaG9zdA== %zz%4 &#xD800; &amp;"))
	f.Fuzz(func(t *testing.T, b []byte) {
		set := text.NewMatcher("the staging host")
		with := append(append(bytes.Clone(b), "\n"...), "the%20staging%20host"...)
		if !set.InBytes(with) {
			t.Errorf("not found behind %q", b)
		}
	})
}
