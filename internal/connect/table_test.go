package connect

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// codexFile is the shared file of codex, in a home of its own.
func codexFile(t *testing.T) (a Agent, p Place, f File) {
	t.Helper()
	a, _ = Find("codex")
	p = place(t)
	return a, p, a.Files(p, Want{Command: "/opt/bin/ken"})[1]
}

// TestTableThereAndBack sets up texts of TOML, twice, and takes it back: all their bytes are there again.
func TestTableThereAndBack(t *testing.T) {
	t.Parallel()
	for name, src := range map[string]string{
		"nothing": "", "key": "model = \"x\"\n", "mark": "\ufeffmodel = \"x\"\n", "windows": "model = \"x\"\r\n\r\n[a]\r\nb = 1 # c\r\n",
		"tabs": "[a]\n\tb = 1\n", "no last line end": "model = \"x\"", "only a comment": "# nothing yet\n", "blank last line": "[a]\nb = 1\n\n",
		"5 MB":           "a = \"" + strings.Repeat("x", 5<<20) + "\"\n",
		"another server": "[mcp_servers.other]\ncommand = \"x\" # mine\n\n# ui\n[tui]\nb = 1\n",
		"inline":         "mcp_servers = { other = { command = \"x\" } }\n", "dotted": "mcp_servers.other.command = \"x\"\n[tui]\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, p, f := codexFile(t)
			write(t, f.Path, src)
			if _, changed, err := apply(t, f, false); err != nil || !changed {
				t.Fatal(changed, err)
			}
			s, there, err := a.Registered(p)
			if err != nil || !there || !slices.Equal(s.Argv, []string{"/opt/bin/ken", "mcp", "--as", "codex"}) ||
				!slices.Contains(s.Only, "KEN_HOME") || !slices.Contains(s.Only, "PATH") || slices.Contains(s.Only, "OPENAI_API_KEY") {
				t.Error(s, there, err)
			}
			if _, changed, err := apply(t, f, false); changed || err != nil {
				t.Errorf("again: %v, %v", changed, err)
			}
			if _, changed, err := apply(t, f, true); !changed || err != nil {
				t.Fatal(changed, err)
			}
			if got := read(t, f.Path); got != src {
				t.Errorf("%s", cmp.Diff(src, got))
			}
		})
	}
}

// TestTable: an older table of ken's gets the new program and keeps what else the person says there; what is not
// ken's, and what is no TOML, is left alone.
func TestTable(t *testing.T) {
	t.Parallel()
	_, _, f := codexFile(t)
	older := "[mcp_servers.ken]\ncommand = 'C:\\old\\ken.exe'\nargs = [\"mcp\"]\ndefault_tools_approval_mode = \"approve\"\n"
	write(t, f.Path, older)
	if _, changed, err := apply(t, f, false); !changed || err != nil {
		t.Fatal(changed, err)
	}
	want := `[mcp_servers.ken]
command = "/opt/bin/ken"
args = ["mcp", "--as", "codex"]
default_tools_approval_mode = "approve"
env_vars = ["KEN_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"]
`
	if got := read(t, f.Path); got != want {
		t.Error(cmp.Diff(want, got))
	}
	for src, as := range map[string]any{
		"[mcp_servers.ken]\ncommand = \"kenobi\"\nargs = [\"mcp\"]\n": new(*ForeignError), "[mcp_servers]\nken = 1\n": new(*ForeignError),
		"mcp_servers = 1\n": new(*RejectedError), "a = \n": new(*RejectedError), "a = 1\na = 2\n": new(*RejectedError),
	} {
		for _, remove := range []bool{false, true} {
			write(t, f.Path, src)
			if _, err := Plan(f, remove); !errors.As(err, as) && (!remove || err != nil || !strings.HasPrefix(src, "mcp_servers = 1")) {
				t.Errorf("%q: %v", src, err)
			}
			if got := read(t, f.Path); got != src {
				t.Error(got)
			}
		}
	}
}

// TestCodexHome: its directory may be elsewhere.
func TestCodexHome(t *testing.T) {
	t.Parallel()
	a, p, _ := codexFile(t)
	elsewhere := filepath.Join(p.Home, "elsewhere")
	p.Getenv = func(name string) string { return map[string]string{"CODEX_HOME": elsewhere}[name] }
	if got := a.Files(p, Want{Command: "/opt/bin/ken"})[1].Path; got != filepath.Join(elsewhere, "config.toml") {
		t.Error(got)
	}
	if _, err := os.Stat(elsewhere); err == nil {
		t.Error("looking made a directory")
	}
}
