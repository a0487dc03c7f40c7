package repl

import "testing"

// TestParseOwn: which lines act on ken itself, and which are the shell's.
func TestParseOwn(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"cd": "cd", "cd a b": "cd", " cd /usr ": "cd", "cd $(pwd)": "cd",
		"export A=1": "export", "export A": "export", "export A=$B C='x y'": "export",
		"unset A B": "unset", "unset -v A": "unset", "unset": "unset",

		"cd / && pwd": "", "cd x | cat": "", "cd > f": "", "cd &": "", "! cd": "", "A=1 cd": "", "'cd' x": "", "cd 'x": "", "pwd": "", "": "",
		"export": "", "export -p": "", "export A+=1": "", "export A=(1 2)": "", "export A[1]=2": "", "export A=1; echo": "",
		"unset -f name": "", "cdx": "",
	} {
		got, ok := ParseOwn(line)
		if ok != (want != "") || ok && got.Name != want {
			t.Errorf("%q: %q, %t, want %q", line, got.Name, ok, want)
		}
	}
}
