package battery

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"
)

// A handEdit is what a person's tool does to a file while ken has it open. It
// works on what stands between line ends: the last is empty in a file that ends
// with one.
type handEdit struct {
	Name string
	// Lines is what the tool makes of the lines.
	Lines func(lines []string, rng *rand.Rand) []string
	// Rename: the tool saves by renaming a new file over the old one; else it
	// cuts the file and writes it again.
	Rename bool
}

// handEdits are what people and their tools do. None takes a whole line away but
// those that say so.
func handEdits() []handEdit {
	same := func(lines []string, _ *rand.Rand) []string { return lines }
	return []handEdit{
		{"vim", same, true},
		{"nano", same, false},
		{"sed -i", func(lines []string, _ *rand.Rand) []string {
			for i := range lines {
				lines[i] = strings.Replace(lines[i], "prefers", "likes", 1)
			}
			return lines
		}, true},
		{"echo -n >>", func(lines []string, _ *rand.Rand) []string {
			return append(lines[:len(lines)-1:len(lines)-1], `{"note":"no line end`)
		}, false},
		{"reorder", func(lines []string, rng *rand.Rand) []string {
			if n := len(lines) - 2; n > 1 {
				i, j := 1+rng.IntN(n), 1+rng.IntN(n)
				lines[i], lines[j] = lines[j], lines[i]
			}
			return lines
		}, true},
		{"delete a line", func(lines []string, rng *rand.Rand) []string {
			if n := len(lines) - 2; n > 1 {
				i := 1 + rng.IntN(n)
				lines = slices.Delete(lines, i, i+1)
			}
			return lines
		}, true},
		{"git checkout", func(lines []string, rng *rand.Rand) []string {
			return append(lines[:1+rng.IntN(len(lines)):len(lines)-1], "")
		}, true},
		{"merge markers", func(lines []string, rng *rand.Rand) []string {
			i := rng.IntN(len(lines))
			return slices.Insert(lines, i, "<<<<<<< HEAD", "=======", ">>>>>>> other")
		}, false},
		{"pretty", func(lines []string, rng *rand.Rand) []string {
			i := rng.IntN(len(lines))
			if text, ok := strings.CutPrefix(lines[i], "{"); ok {
				return slices.Replace(lines, i, i+1, "{", text)
			}
			return lines
		}, true},
		{"byte order mark", func(lines []string, _ *rand.Rand) []string {
			lines[0] = "\ufeff" + strings.TrimPrefix(lines[0], "\ufeff")
			return lines
		}, false},
		{"CRLF", func(lines []string, _ *rand.Rand) []string {
			for i := range lines[:len(lines)-1] {
				lines[i] = strings.TrimSuffix(lines[i], "\r") + "\r"
			}
			return lines
		}, true},
	}
}

// Do edits the file at path.
func (ed handEdit) Do(path string, rng *rand.Rand) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	text := strings.Join(ed.Lines(strings.Split(string(b), "\n"), rng), "\n")
	if !ed.Rename {
		return os.WriteFile(path, []byte(text), 0o600)
	}
	if err := os.WriteFile(path+"~", []byte(text), 0o600); err != nil {
		return err
	}
	return os.Rename(path+"~", path)
}
