package endpoint

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// unread is an answer's writer whose client reads nothing.
type unread struct {
	http.ResponseWriter
	past chan struct{}
}

func (u *unread) Header() http.Header { return http.Header{} }
func (u *unread) WriteHeader(int)     {}
func (u *unread) Flush()              {}
func (u *unread) Write([]byte) (int, error) {
	<-u.past
	return 0, io.ErrClosedPipe
}

func (u *unread) SetWriteDeadline(time.Time) error {
	close(u.past)
	return nil
}

// TestNeverReads: a client that never reads what a model says is hung up on: the request to the model ends with it.
func TestNeverReads(t *testing.T) {
	t.Parallel()
	defer func() {
		if err, is := recover().(error); !is || !errors.Is(err, http.ErrAbortHandler) {
			t.Errorf("it ended with %v", err)
		}
	}()
	said := io.NopCloser(strings.NewReader(strings.Repeat("data: {}\n\n", 100)))
	res := &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: said}
	relay(&unread{past: make(chan struct{})}, res, 20*time.Millisecond, func([]byte) {}, nil)
}
