package oauth

import (
	"net/url"
	"testing"
)

// TestSafe: what a server names is asked over https and not on this machine, unless the server is here as well.
func TestSafe(t *testing.T) {
	t.Parallel()
	for address, want := range map[string][2]bool{ // for a server elsewhere, and one here
		"https://auth.example.com/x":       {true, true},
		"http://auth.example.com/x":        {false, false},
		"https://auth.example.com@evil/x":  {false, false},
		"http://127.0.0.1:8/x":             {false, true},
		"https://127.0.0.1/x":              {false, true},
		"http://localhost./x":              {false, true},
		"http://[::1]:80/":                 {false, true},
		"http://169.254.169.254/latest":    {false, false},
		"https://169.254.169.254/latest":   {false, false},
		"https://[fe80::1]/":               {false, false},
		"https://0.0.0.0/":                 {false, false},
		"https://[::ffff:127.0.0.1]/":      {false, true},
		"file:///etc/passwd":               {false, false},
		"https:opaque":                     {false, false},
		"javascript:alert(1)":              {false, false},
		"https://127.0.0.1.example.com/":   {true, true},
		"https://localhost.example.com/":   {true, true},
		"https://user:word@example.com/":   {false, false},
		"ftp://127.0.0.1/":                 {false, false},
		"https://x.localhost/":             {false, true},
		"https://0x7f.1/":                  {false, false},
		"https://2130706433/":              {false, false},
		"https://017700000001/":            {false, false},
		"https://127.1/":                   {false, false},
		"https://10.0.0.7/of-the-company/": {true, true},
	} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		for i, here := range []bool{false, true} {
			if got := safe(u, here); got != want[i] {
				t.Errorf("%s, here: %v: %v", address, here, got)
			}
		}
	}
}

// TestSameOrigin: scheme, host and port are the origin, whatever the port is written like.
func TestSameOrigin(t *testing.T) {
	t.Parallel()
	for pair, want := range map[[2]string]bool{
		{"https://a.b/x", "https://A.B:443/y"}: true,
		{"http://a.b/x", "http://a.b:80/y"}:    true,
		{"http://a.b/x", "https://a.b/x"}:      false,
		{"https://a.b/x", "https://a.b:8443/"}: false,
		{"https://a.b/x", "https://c.a.b/"}:    false,
	} {
		a, _ := url.Parse(pair[0])
		b, _ := url.Parse(pair[1])
		if sameOrigin(a, b) != want {
			t.Errorf("%v", pair)
		}
	}
}
