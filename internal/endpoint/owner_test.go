package endpoint

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"ken/internal/llm/llmtest"
)

// TestSigned: where a secret is set the headers of Open WebUI count as it signed them alone; a program that says nothing of who asks
// is answered as ever; and where none is set nobody is known by a signature.
func TestSigned(t *testing.T) {
	t.Parallel()
	const key = "webui-signs-with-these-32-bytes!"
	file := filepath.Join(t.TempDir(), "webui")
	if err := os.WriteFile(file, []byte(key+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b := newBed(t, "[serve]\nowner = [\"me-17\"]\nuser_secret_file = \""+file+"\"\n")
	none := newBed(t, "[serve]\nowner = [\"me-17\"]\n")
	lost := newBed(t, "[serve]\nowner = [\"me-17\"]\nuser_secret_file = \""+file+"x\"\n")
	for _, bed := range []*bed{b, none, lost} {
		bed.model.Always(llmtest.Text("yes"))
		bed.state("the staging host is kettle", "")
	}
	now := b.now
	claims := func(change jwt.MapClaims) jwt.MapClaims {
		all := jwt.MapClaims{
			"sub": "me-17", "email": "m@example.com", "name": "Mara", "role": "user", "iss": "open-webui",
			"iat": now.Unix(), "exp": now.Add(5 * time.Minute).Unix(),
		}
		for name, value := range change {
			if all[name] = value; value == nil {
				delete(all, name)
			}
		}
		return all
	}
	sign := func(how jwt.SigningMethod, with any, change jwt.MapClaims) string {
		t.Helper()
		text, err := jwt.NewWithClaims(how, claims(change)).SignedString(with)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	with := func(change jwt.MapClaims) string { return sign(jwt.SigningMethodHS256, []byte(key), change) }
	good := with(nil)
	head, rest, _ := strings.Cut(good, ".")
	for name, c := range map[string]struct {
		header []string
		want   string
	}{
		"the owner":          {[]string{signedHeader, good}, "1"},
		"nobody":             {nil, "1"},
		"another":            {[]string{signedHeader, with(jwt.MapClaims{"sub": "you-18"})}, "off"},
		"no name":            {[]string{signedHeader, with(jwt.MapClaims{"sub": nil})}, "off"},
		"another key":        {[]string{signedHeader, sign(jwt.SigningMethodHS256, []byte(key+"x"), nil)}, "off"},
		"another way":        {[]string{signedHeader, sign(jwt.SigningMethodHS512, []byte(key), nil)}, "off"},
		"not signed":         {[]string{signedHeader, sign(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, nil)}, "off"},
		"another issuer":     {[]string{signedHeader, with(jwt.MapClaims{"iss": "me"})}, "off"},
		"over":               {[]string{signedHeader, with(jwt.MapClaims{"exp": now.Add(-time.Hour).Unix()})}, "off"},
		"for ever":           {[]string{signedHeader, with(jwt.MapClaims{"exp": nil})}, "off"},
		"a clock that lags":  {[]string{signedHeader, with(jwt.MapClaims{"exp": now.Add(-10 * time.Second).Unix()})}, "1"},
		"changed":            {[]string{signedHeader, head + "." + strings.ToLower(rest)}, "off"},
		"no token":           {[]string{signedHeader, "me-17"}, "off"},
		"empty":              {[]string{signedHeader, ""}, "off"},
		"by name alone":      {[]string{userHeader, "me-17"}, "off"},
		"both":               {[]string{signedHeader, good, userHeader, "me-17"}, "1"},
		"both, and not one":  {[]string{signedHeader, good, userHeader, "you-18"}, "off"},
		"as the headers are": {[]string{"X-OpenWebUI-User-Jwt", good}, "1"},
	} {
		status, h, _ := b.ask(about, c.header...)
		if status != http.StatusOK || h.Get("Ken-Memory") != c.want {
			t.Errorf("%s: %d, Ken-Memory %q, want %q", name, status, h.Get("Ken-Memory"), c.want)
		}
	}
	if _, h, _ := none.ask(about, signedHeader, good); h.Get("Ken-Memory") != "off" {
		t.Errorf("without a secret: %q", h.Get("Ken-Memory"))
	}
	status, _, text := lost.ask(about, signedHeader, good)
	if status != http.StatusBadGateway || !strings.Contains(text, `"code":"settings"`) || len(lost.warned)+len(lost.model.Requests()) != 1 {
		t.Errorf("a secret that is not there: %d %s, %v", status, text, lost.warned)
	}
}
