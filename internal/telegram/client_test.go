package telegram

import (
	"bytes"
	"errors"
	"image"
	"image/png"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"ken/internal/telegram/telegramtest"
)

// onePixel is a picture.
func onePixel() string {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		panic(err)
	}
	return b.String()
}

// forgetful is a Bot API that does not know what was taken: the first poll asks for all that there is.
type forgetful struct{ s *telegramtest.Server }

// Do implements bot.HttpClient.
func (f forgetful) Do(r *http.Request) (*http.Response, error) {
	if strings.HasSuffix(r.URL.Path, "/getUpdates") && len(f.s.Calls("getUpdates")) < 3 {
		b, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		r.Body = io.NopCloser(strings.NewReader(strings.ReplaceAll(string(b), "name=\"offset\"", "name=\"ignored\"")))
	}
	return f.s.Do(r)
}

// TestClient: no redirect is followed, which would take the token along, and a reply has an end.
func TestClient(t *testing.T) {
	t.Parallel()
	c, ok := newClient().(*http.Client)
	if !ok || c.Timeout != 70*time.Second || !errors.Is(c.CheckRedirect(nil, nil), http.ErrUseLastResponse) {
		t.Errorf("%+v", c)
	}
}
