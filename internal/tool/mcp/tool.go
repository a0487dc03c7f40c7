package mcp

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ken/internal/jsonl"
	"ken/internal/tool/mcp/schema"
)

// A Tool is a tool of a server as a model may be offered it.
type Tool struct {
	Wire        string          // its name for models: server__tool
	Shown       string          // its name for people: server.tool
	Server      string          // the name of its server
	Name        string          // its name there; not clean
	Description string          // for models, in one clean line
	Parameters  json.RawMessage // for models: a schema, cleaned
	// Pin is the SHA-256 of all that the server says of it, in hexadecimal: an approval of the tool
	// is one of these very bytes.
	Pin string

	of   *server         // whose it is: under that name there may be another one later
	own  json.RawMessage // the server's own schema
	said string          // all that it says of the tool, as canonical JSON
	note bool            // its one parameter stands for none
}

// Definition returns the tool as it goes into a request.
func (t Tool) Definition() []byte {
	b := jsonl.AppendString([]byte(`{"type":"function","function":{"name":`), t.Wire)
	b = jsonl.AppendString(append(b, `,"description":`...), t.Description)
	b = append(append(b, `,"parameters":`...), t.Parameters...)
	return append(b, "}}"...)
}

// newTools makes the tools of a server: each has a name of its own, and those that cannot be
// offered are refused with the reason. Names that endpoints take as they are go first, so that a
// tool cannot take the name of another by being spelt like it.
func newTools(of *server, found []*mcp.Tool) (tools []Tool, refused []string) {
	server := of.name
	taken := map[string]bool{}
	for _, exactly := range []bool{true, false} {
		for _, f := range found {
			wire, exact := schema.Wire(server, f.Name)
			if exact != exactly {
				continue
			}
			if taken[wire] {
				refused = append(refused, fmt.Sprintf("%s: another tool has that name", schema.Shown(server, f.Name)))
				continue
			}
			own := raw(f.InputSchema)
			p, err := schema.Clean(own)
			if err != nil {
				refused = append(refused, fmt.Sprintf("%s: %v", schema.Shown(server, f.Name), err))
				continue
			}
			taken[wire] = true
			t := Tool{
				Wire: wire, Shown: schema.Shown(server, f.Name), Server: server, Name: f.Name,
				Description: schema.Description(f.Description), Parameters: p.JSON, of: of, own: own, note: p.Note,
			}
			if t.Description == "" {
				t.Description = schema.Line(f.Name, 60) + " of " + server
			}
			said := map[string]any{"name": f.Name, "description": f.Description, "inputSchema": f.InputSchema}
			t.said = string(raw(said))
			sum := sha256.Sum256([]byte(t.said))
			t.Pin = hex.EncodeToString(sum[:])
			tools = append(tools, t)
		}
	}
	slices.SortFunc(tools, func(a, b Tool) int {
		switch {
		case a.Wire < b.Wire:
			return -1
		case a.Wire > b.Wire:
			return 1
		}
		return 0
	})
	return tools, refused
}

// offered are the tools that models may be offered: those that are as they were when the
// person approved of the server, or all of one that they have not approved of yet.
func (v *server) offered() []Tool {
	v.mu.Lock()
	tools := v.tools
	v.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(tools), func(t Tool) bool { return v.of.pins.verdict(v, t) != nil })
}

// Tools returns the tools of a server that may be offered, and for people why others are not.
// ok is false if there is no such server.
func (s *Servers) Tools(server string) (tools []Tool, not []string, ok bool) {
	v := s.find(server)
	if v == nil {
		return nil, nil, false
	}
	v.mu.Lock()
	not = slices.Clone(v.refused)
	v.mu.Unlock()
	for _, c := range v.waiting() {
		not = append(not, fmt.Sprintf("%s: %s since you approved of the server: look at it first", c.Tool.Shown, c.Is))
	}
	return v.offered(), not, true
}

// Schema returns what the server itself says of the parameters, as JSON.
func (t Tool) Schema() json.RawMessage { return t.own }

// Asks returns the parameters of a tool for people, one a line, in clean text.
func (t Tool) Asks() []string {
	if t.note {
		return nil
	}
	var p struct {
		Properties map[string]struct {
			Type, Description string
			Enum              []any
		}
		Required []string
	}
	if json.Unmarshal(t.Parameters, &p) != nil {
		return nil
	}
	var out []string
	for _, name := range slices.Sorted(maps.Keys(p.Properties)) {
		one := p.Properties[name]
		line := name + " (" + one.Type
		if slices.Contains(p.Required, name) {
			line += ", needed"
		}
		line += "): " + one.Description
		if len(one.Enum) > 0 {
			line += "; one of " + compact(one.Enum)
		}
		out = append(out, schema.Plain(line))
	}
	return out
}
