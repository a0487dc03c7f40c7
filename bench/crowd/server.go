package crowd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// The reference memory server of the Model Context Protocol, and where npm puts
// its program.
const (
	ReferenceName    = "@modelcontextprotocol/server-memory"
	ReferenceVersion = "2026.8.31"
	referenceProgram = "dist/index.js"
)

// Install has npm install the reference server below dir, its cache as well,
// and returns its program, for node. This is the only thing in the bench that
// uses the network.
func Install(ctx context.Context, dir string) (string, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, "npm", "install", "--prefix", dir, "--cache", filepath.Join(dir, "cache"),
		"--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", ReferenceName+"@"+ReferenceVersion)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm install %s: %w\n%s", ReferenceName, err, out)
	}
	program := filepath.Join(dir, "node_modules", filepath.FromSlash(ReferenceName), filepath.FromSlash(referenceProgram))
	_, err := os.Stat(program)
	return program, err
}

// Serve starts a memory server that takes tools/call create_entities over its
// standard input, and greets it as the protocol asks.
func Serve(cmd *exec.Cmd) (Writer, error) {
	p, err := start(cmd)
	if err != nil {
		return nil, err
	}
	s := &server{process: p}
	_, err = s.call("initialize", map[string]any{
		"protocolVersion": "2025-06-18", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "ken-bench", "version": "1"},
	})
	if err == nil {
		err = s.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"})
	}
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return s, nil
}

// A server is asked one thing at a time.
type server struct {
	*process
	asked int
}

// Add makes the text an entity: its name, and what is observed of it.
func (s *server) Add(_ context.Context, text string) error {
	result, err := s.call("tools/call", map[string]any{
		"name": "create_entities",
		"arguments": map[string]any{"entities": []any{
			map[string]any{"name": text, "entityType": "fact", "observations": []string{text}},
		}},
	})
	if err != nil {
		return err
	}
	var said struct {
		IsError bool `json:"isError"`
		Content []struct {
			Text string `json:"text"`
		} `json:"content"`
	}
	switch err := json.Unmarshal(result, &said); {
	case err != nil:
		return fmt.Errorf("read the answer %s: %w", result, err)
	case len(said.Content) == 0:
		return fmt.Errorf("the answer %s says nothing", result)
	case said.IsError:
		return Unkept(said.Content[0].Text)
	case !strings.Contains(said.Content[0].Text, text):
		return Unkept("it was not created: " + said.Content[0].Text)
	}
	return nil
}

func (s *server) send(message any) error {
	text, err := json.Marshal(message)
	if err != nil {
		return err
	}
	_, err = s.in.Write(append(text, '\n'))
	return err
}

// call sends a request and waits for its answer. An error that the server
// answers is an Unkept.
func (s *server) call(method string, params any) (json.RawMessage, error) {
	s.asked++
	if err := s.send(map[string]any{"jsonrpc": "2.0", "id": s.asked, "method": method, "params": params}); err != nil {
		return nil, err
	}
	for {
		text, err := s.line()
		if err != nil {
			return nil, err
		}
		var m struct {
			ID     *int            `json:"id"`
			Result json.RawMessage `json:"result"`
			Error  *struct {
				Message string `json:"message"`
			} `json:"error"`
		}
		switch err := json.Unmarshal([]byte(text), &m); {
		case err != nil:
			return nil, fmt.Errorf("read the answer %q: %w", text, err)
		case m.ID == nil || *m.ID != s.asked:
			continue // a notification
		case m.Error != nil:
			return nil, Unkept(m.Error.Message)
		}
		return m.Result, nil
	}
}

// Entities are the names of what stands in the file of a reference server, as
// many as can be read: each line counts by itself, also where the server would
// give up on the whole file.
func Entities(r io.Reader) (map[string]bool, error) {
	text, err := io.ReadAll(r)
	names := map[string]bool{}
	for line := range bytes.Lines(text) {
		var e struct{ Type, Name string }
		if json.Unmarshal(line, &e) == nil && e.Type == "entity" {
			names[e.Name] = true
		}
	}
	return names, err
}
