package archtest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestConsoleBlocks(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		md   string
		want [][]Command
	}{
		{name: "none", md: "text\n", want: nil},
		{
			name: "command and output",
			md:   "# T\n\n```console\n$ ken --version\nken 1\nmore\n```\n",
			want: [][]Command{{{Line: 4, Text: "ken --version", Output: []string{"ken 1", "more"}}}},
		},
		{
			name: "two commands, other languages left out",
			md:   "```sh\n$ no\n```\n```console\n$ a\n$ b\nx\n```\n",
			want: [][]Command{{{Line: 5, Text: "a"}, {Line: 6, Text: "b", Output: []string{"x"}}}},
		},
		{
			name: "continued lines",
			md:   "```console\n$ printf 'a\n> b'\nout\n$ c \\\n  d\n> out\n```\n",
			want: [][]Command{{
				{Line: 2, Text: "printf 'a\nb'", Output: []string{"out"}},
				{Line: 5, Text: "c \\\n  d\nout"},
			}},
		},
		{
			name: "no command, unclosed, longer fence, carriage returns",
			md:   "```console\nout\n```\n````console\r\n$ a\r\n```\r\n````\r\n```console\n$ z",
			want: [][]Command{
				{},
				{{Line: 5, Text: "a", Output: []string{"```"}}},
				{{Line: 9, Text: "z"}},
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, ConsoleBlocks([]byte(tt.md))); diff != "" {
				t.Errorf("ConsoleBlocks (-want +got):\n%s", diff)
			}
		})
	}
}

func FuzzConsoleBlocks(f *testing.F) {
	f.Add([]byte("```console\n$ ken\nout\n```\n"))
	f.Add([]byte("````\n```console\n$ \n````"))
	f.Fuzz(func(t *testing.T, md []byte) {
		for _, block := range ConsoleBlocks(md) {
			for _, c := range block {
				if c.Line < 2 {
					t.Fatalf("command %q on line %d, before any fence could open", c.Text, c.Line)
				}
			}
		}
	})
}
