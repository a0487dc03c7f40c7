package cli_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"

	"ken/internal/cli/clitest"
)

// TestUnsolicited: what a server sends that nobody asked for is read by the library of HTTP, which logs it: no byte of it is shown.
func TestUnsolicited(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer func() { _ = c.Close() }()
				in := bufio.NewReader(c)
				for {
					r, err := http.ReadRequest(in)
					if err != nil {
						return
					}
					const body = `{"choices":[{"message":{"role":"assistant","content":"All right."},"finish_reason":"stop"}]}`
					_ = r.Body.Close()
					_, _ = fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"+
						"HTTP/1.1 200 OK\r\n\r\nzebulon \x1b[31m of the server", len(body), body)
				}
			}()
		}
	}()
	dir := t.TempDir()
	clitest.Configure(t, dir, "[models.m]\nmodel = \"m\"\nbase_url = \"http://"+l.Addr().String()+"/v1\"\n")
	for range 3 { // the connection is put aside while the answer is kept
		out, errs, code := clitest.Run(t, dir, "hello\nand again\n")
		if code != 0 || !strings.Contains(out, "All right.") || strings.Contains(out+errs, "zebulon") || strings.Contains(errs, "olicited") {
			t.Errorf("%d %q %q", code, out, errs)
		}
	}
}
