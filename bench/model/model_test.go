package model

import (
	"bufio"
	"strings"
	"testing"
)

func TestWordsDiffer(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for i := range round {
		if len(Word(i)) != 8 || seen[Mark(i)] {
			t.Fatalf("word %d is %q: want 8 bytes that no other has", i, Word(i))
		}
		seen[Mark(i)] = true
	}
}

func TestReadRequest(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{"body", "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\ncontent-length: 4\r\n\r\nbodyPOST", "body"},
		{"no length", "POST / HTTP/1.1\r\nHost: x\r\n\r\nbody", ""},
		{"negative length", "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\nbody", ""},
		{"cut short", "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nbody", ""},
		{"nothing", "", ""},
	}
	for _, tt := range tests {
		got, err := readRequest(bufio.NewReader(strings.NewReader(tt.text)))
		if (err != nil) != (tt.want == "") || err == nil && string(got) != tt.want {
			t.Errorf("%s: %q, %v; want %q", tt.name, got, err, tt.want)
		}
	}
}
