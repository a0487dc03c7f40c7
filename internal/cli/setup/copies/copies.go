package copies

import (
	"path/filepath"
	"strings"
)

// Is reports whether a file beside the file of lines at path looks like a copy of
// it, by its name alone.
func Is(name, path string) bool {
	base := filepath.Base(path)
	stem := strings.TrimSuffix(base, ".jsonl")
	lower := strings.ToLower(name)
	return name != base && strings.HasPrefix(name, stem) && (strings.Contains(lower, ".jsonl") || strings.Contains(lower, "conflict"))
}
