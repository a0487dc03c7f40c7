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

// TestOwnInside: in a longer line such a word is found where the line itself would run
// it, and not in a subshell or a pipe, which would not act on the shell either.
func TestOwnInside(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"export A=1; make": "export", "cd x && npm install": "cd", "make || cd x": "cd", "unset A; env": "unset", "export A+=1": "export",
		"(cd x; ls)": "", "cd x | cat": "", "echo cd": "", "export -p": "", "ls; pwd": "", "if x; then cd y; fi": "", "cd 'x": "",
	} {
		if got := OwnInside(line); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}
