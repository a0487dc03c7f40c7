package main

import (
	"encoding/json"
	"testing"

	"ken/internal/tool/mcp"
)

// TestArguments: what the tools of real servers are called with is JSON.
func TestArguments(t *testing.T) {
	t.Parallel()
	for _, server := range []string{"everything", "filesystem", "memory"} {
		for _, name := range []string{"edit_file", "move_file", "create_entities", "read_text_file", "list_allowed_directories", "echo"} {
			if args := arguments(mcp.Tool{Server: server, Name: name}, "/tmp/work"); !json.Valid([]byte(args)) {
				t.Errorf("%s.%s: %s", server, name, args)
			}
		}
	}
}
