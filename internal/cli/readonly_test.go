package cli

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
)

// tree is all that stands below a directory, byte by byte; of a directory its name alone.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	if err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		all[path] = ""
		if d.Type().IsRegular() {
			text, err := os.ReadFile(path)
			all[path] = "=" + string(text)
			return err
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// differing are the names of what is not the same in two trees.
func differing(before, after map[string]string) (names []string) {
	for name, text := range after {
		if was, there := before[name]; !there || was != text {
			names = append(names, name)
		}
	}
	for name := range maps.Keys(before) {
		if _, there := after[name]; !there {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// TestOnlyRead runs every command where the memory is only read, by the flag and by the setting: what states that it writes is
// refused with a hint, all else does what it does, and not a byte of the memory's data and state is another.
func TestOnlyRead(t *testing.T) {
	t.Parallel()
	for name, calls := range laneCases() {
		for _, call := range calls {
			for _, how := range []string{"flag", "setting"} {
				if how == "flag" && name == "serve token add" {
					continue // its own flag of that name says what the token is for
				}
				t.Run(strings.Trim(name+" "+call.args, " ")+" by "+how, func(t *testing.T) {
					t.Parallel()
					home := newLaneHome(t)
					args := append(strings.Fields(name), strings.Fields(call.args)...)
					if how == "flag" {
						args = append([]string{"--read-only"}, args...)
					} else {
						file := filepath.Join(string(home), "ken/config.toml")
						if err := os.WriteFile(file, []byte("[memory]\nread_only = true\n"), 0o600); err != nil {
							t.Fatal(err)
						}
					}
					writes := statesWrite(t, name, call.args, how == "setting")
					before := tree(t, filepath.Join(string(home), "ken"))
					_, said, code := home.run(t, "", call.stdin, args)
					changed := differing(before, tree(t, filepath.Join(string(home), "ken")))
					refused := strings.Contains(said, "the memory is only read here") && strings.Contains(said, "ken config set memory.read_only=false")
					settings := how == "setting" && strings.HasPrefix(name, "config ")
					if len(changed) > 0 && !settings {
						t.Errorf("changed: %q\n%s", changed, said)
					}
					if refused != writes || refused && code != term.ExitRefused {
						t.Errorf("refused %v, states that it writes %v; exit code %d\n%s", refused, writes, code, said)
					}
				})
			}
		}
	}
}

// statesWrite reports whether a call states that it writes to a memory, its settings aside if they are none of it.
func statesWrite(t *testing.T, name, args string, settings bool) (writes bool) {
	t.Helper()
	allCommands((&program{app: term.New(Env{})}).Root(), func(n string, c *cobra.Command) {
		if n != name {
			return
		}
		w, _ := term.WritesOf(c.Annotations)
		if len(w.When) > 0 {
			if err := c.ParseFlags(strings.Fields(args)); err != nil {
				t.Fatal(err)
			}
		}
		person := w.ByPerson(func(flag string) bool { return isOn(c, flag) })
		writes = (w.Memory+person != "" || w.Own != "" && w.Own != "the conversation") && !w.Spares && !(w.Settings && settings)
	})
	return writes
}
