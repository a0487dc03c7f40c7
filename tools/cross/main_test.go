package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A fault is in a package of its own, beside a sound file.
type fault struct {
	name, file, text string
	darwin, windows  string // a part of what is found; empty: nothing is
}

// TestCheck: what does not compile on a system is found there, and nowhere else.
func TestCheck(t *testing.T) {
	t.Parallel()
	finds(t, []fault{
		{"nothing", "q.go", "const one = 1", "", ""},
		{"mistyped", "q_darwin.go", "var _ int = f()", "q_darwin.go:3:13: cannot use f()", ""},
		{"unnamed", "q_windows.go", "import \"syscall\"\n\nvar _ = syscall.Setsid", "", "undefined: syscall.Setsid"},
		{"unix", "q.go", "import \"syscall\"\n\nvar _ = syscall.Setsid", "", "undefined: syscall.Setsid"},
		{"tested", "q_windows_test.go", "var _ = missing", "", "undefined: missing"},
		{"unpackaged", "q_darwin.go", "import _ \"p/missing\"", "p/missing", ""},
		{"embedded", "q_darwin.go", "import _ \"embed\"\n\n//go:embed gone\nvar gone string", "pattern gone", ""},
		{"unreadable", "q_windows.go", "func {", "", "q_windows.go:3:6"},
	})
}

// TestCheckVet: so is what go vet would say of what compiles, in tests as well.
func TestCheckVet(t *testing.T) {
	t.Parallel()
	finds(t, []fault{
		{"printed", "q_darwin.go", "import \"fmt\"\n\nfunc g() string { return fmt.Sprintf(\"%d\", f()) }\n\nvar _ = g", "of wrong type string", ""},
		{"tested", "q_windows_test.go", "import \"testing\"\n\nfunc TestG(t *testing.T) { t.Errorf(\"%d\", f()) }", "", "of wrong type string"},
	})
}

func finds(t *testing.T, faults []fault) {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module p\n\ngo 1.26.0")
	for _, f := range faults {
		if err := os.Mkdir(filepath.Join(dir, f.name), 0o700); err != nil {
			t.Fatal(err)
		}
		write(filepath.Join(f.name, "p.go"), "package p\n\nfunc f() string { return \"\" }\n\nvar _ = f")
		write(filepath.Join(f.name, f.file), "package p\n\n"+f.text)
	}
	for _, system := range []string{"darwin", "windows"} {
		found, err := check(dir, system)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range faults {
			want := map[string]string{"darwin": f.darwin, "windows": f.windows}[system]
			var of []string // what is found there
			for _, line := range found {
				if strings.Contains(line, filepath.Join(f.name, f.file)+":") {
					of = append(of, line)
				}
			}
			if all := strings.Join(of, "\n"); (all == "") != (want == "") || !strings.Contains(all, want) {
				t.Errorf("%s: %s: found %q, want %q; of all %q", system, f.name, of, want, found)
			}
		}
	}
}
