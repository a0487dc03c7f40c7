// Servers tries ken's client of tool servers. With the address of a server as its last word it is the
// client that the protocol's conformance suite starts; with -real DIR it starts the servers of npm that are
// installed below DIR, and calls each of their tools.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ken/internal/config"
	"ken/internal/tool/mcp"
	"ken/internal/tool/mcp/oauth"
)

func main() {
	real := flag.String("real", "", "`DIR` with node_modules: try its servers")
	flag.Parse()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var err error
	switch {
	case *real != "":
		err = tryReal(ctx, os.Stdout, *real)
	case flag.NArg() > 0:
		err = conform(ctx, flag.Arg(flag.NArg()-1), os.Getenv("MCP_CONFORMANCE_SCENARIO"), os.Getenv("MCP_CONFORMANCE_CONTEXT"))
	default:
		err = errors.New("want -real DIR, or the address of a server")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "servers:", err)
		os.Exit(1)
	}
}

// An asked is what the person is asked; the zero value: nothing can be.
type asked struct {
	elicit mcp.Elicit
	visit  oauth.Ask
}

// open returns servers that are connected, with the person signed in to those that want it.
func open(ctx context.Context, home string, set map[string]config.Server, a asked, more ...string) (*mcp.Servers, error) {
	s := mcp.New(mcp.Options{
		Settings: config.MCP{Servers: set, ConnectTimeout: 20 * time.Second},
		Env:      append(os.Environ(), more...), Home: home, Dir: home,
		Pins: filepath.Join(home, "tools.jsonl"), Version: "bench", Now: time.Now, Elicit: a.elicit,
		Logins: filepath.Join(home, "logins"), Visit: a.visit,
	})
	s.Start()
	s.Await(ctx)
	for _, st := range s.List() {
		if strings.Contains(st.Why, "mcp login") && a.visit != nil {
			if err := s.Login(ctx, st.Name); err != nil {
				s.Close()
				return nil, fmt.Errorf("sign in: %w", err)
			}
		}
	}
	for _, st := range s.List() {
		if st.Is != "ready" {
			s.Close()
			return nil, fmt.Errorf("%s: %s", st.Name, st.Why)
		}
	}
	return s, nil
}

// conform does what a scenario of the suite wants of a client.
func conform(ctx context.Context, url, scenario, about string) error {
	elicit := func(_ context.Context, q mcp.Question) (map[string]any, bool) {
		values := map[string]any{}
		for _, f := range q.Fields {
			if f.Type == "boolean" && f.Default == "" {
				values[f.Name] = true
			}
		}
		return values, true
	}
	var given struct {
		Calls []struct {
			Name      string
			Arguments json.RawMessage
		} `json:"toolCalls"`
		ID     string `json:"client_id"`
		Secret string `json:"client_secret"`
	}
	_ = json.Unmarshal([]byte(about), &given) // most scenarios say nothing
	home, err := os.MkdirTemp("", "ken-servers")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(home) }()
	set := config.Server{URL: url, ClientID: given.ID}
	if set.ClientID == "" && scenario == "auth/basic-cimd" {
		set.ClientID = "https://conformance-test.local/client-metadata.json" // that scenario's own
	}
	if given.Secret != "" {
		set.ClientSecretEnv = "CONFORMANCE_SECRET"
	}
	s, err := open(ctx, home, map[string]config.Server{"t": set}, asked{elicit, browse}, "CONFORMANCE_SECRET="+given.Secret)
	if err != nil {
		return err
	}
	defer s.Close()
	tools, _, _ := s.Tools("t")
	switch scenario {
	case "http-custom-headers":
		for _, c := range given.Calls {
			call(ctx, s, c.Name, string(c.Arguments))
		}
		return nil
	case "json-schema-2020-12-preservation":
		for _, t := range tools {
			if t.Name == "json_schema_2020_12_tool" {
				call(ctx, s, "json_schema_echo", `{"schema":`+string(t.Schema())+`}`)
			}
		}
		return nil
	case "http-standard-headers":
		if list, _, err := s.Wares().Resources(ctx, "t"); err == nil && len(list) > 0 {
			_, _ = s.Wares().Resource(ctx, "t", list[0].URI)
		}
		if list, _, err := s.Wares().Prompts(ctx, "t"); err == nil && len(list) > 0 {
			_, _ = s.Wares().Prompt(ctx, "t", list[0].Name, map[string]string{})
		}
	}
	for _, t := range tools {
		call(ctx, s, t.Name, map[bool]string{true: `{"a":5,"b":3}`, false: `{"region":"us-west1"}`}[t.Name == "add_numbers"])
	}
	return nil
}

// browse is a person with a browser: the suite's page lets everybody in, and sends them back.
func browse(ctx context.Context, v oauth.Visit) (string, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, v.URL, http.NoBody)
	if err != nil {
		return "", err
	}
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return "", err
	}
	_ = resp.Body.Close()
	return resp.Header.Get("Location"), nil
}

// call calls a tool, and says on standard error what came of it, which the suite keeps.
func call(ctx context.Context, s *mcp.Servers, name, args string) {
	c, err := s.Read("t."+name, json.RawMessage(args))
	if err != nil {
		fmt.Fprintln(os.Stderr, name, err)
		return
	}
	fmt.Fprintf(os.Stderr, "%s: %+v\n", name, s.Run(ctx, c, nil))
}

// tryReal starts the servers that are installed below dir, and calls each tool of each once.
func tryReal(ctx context.Context, out io.Writer, dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "ken-files")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	for name, text := range map[string]string{
		"a.txt": "one\ntwo\n", "m.txt": "to be moved\n",
		"m.json": `{"type":"entity","name":"ken","entityType":"program","observations":["old"]}` + "\n",
	} {
		if err := os.WriteFile(filepath.Join(work, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	bin := filepath.Join(dir, "node_modules", ".bin")
	pass := []string{"NODE_OPTIONS"}
	began := time.Now()
	s, err := open(ctx, work, map[string]config.Server{
		"everything": {Command: []string{filepath.Join(bin, "mcp-server-everything")}, EnvPass: pass},
		"filesystem": {Command: []string{filepath.Join(bin, "mcp-server-filesystem"), work}, EnvPass: pass},
		"memory": {
			Command: []string{filepath.Join(bin, "mcp-server-memory")},
			Env:     map[string]string{"MEMORY_FILE_PATH": filepath.Join(work, "m.json")},
		},
	}, asked{})
	if err != nil {
		return err
	}
	defer s.Close()
	fmt.Fprintf(out, "connected in %v\n", time.Since(began).Round(time.Millisecond))
	failed := 0
	for _, st := range s.List() {
		tools, not, _ := s.Tools(st.Name)
		size, ok := 0, 0
		for _, t := range tools {
			size += len(t.Definition())
			c, err := s.Read(t.Wire, json.RawMessage(arguments(t, work)))
			if err != nil {
				return err
			}
			limit, cancel := context.WithTimeout(ctx, 15*time.Second)
			r := s.Run(limit, c, nil)
			cancel()
			if r.Unknown || r.Failed {
				if !strings.Contains(r.Text, "requires task augmentation") { // of an extension that ken has not
					failed++
				}
				fmt.Fprintf(out, "  %s %s: %.120q\n", t.Shown, c.Args, r.Text)
				continue
			}
			ok++
		}
		fmt.Fprintf(out, "%-10s %s: %d tools, %d bytes of definitions, %d answered, %d not offered, %d lines of noise\n",
			st.Name, st.Version, len(tools), size, ok, len(not), st.Noise)
	}
	wrong, err := tryWares(ctx, out, s)
	if err != nil {
		return err
	}
	failed += wrong
	o := s.Offer(mcp.Room{Bytes: 6 << 10, Window: 32768})
	fmt.Fprintf(out, "of a request with room for 6 KB: %d sent, %d found by a word\n", len(o.Tools), o.Deferred)
	if failed > 0 {
		return fmt.Errorf("%d calls failed", failed)
	}
	return nil
}

// tryWares reads what each server has to read and asks for its prompts, and counts what could not be had.
func tryWares(ctx context.Context, out io.Writer, s *mcp.Servers) (failed int, err error) {
	values := map[string]string{"city": "Paris", "resourceType": "Text", "resourceId": "1", "department": "Engineering", "name": "Alice"}
	for _, server := range s.Names() {
		resources, notR, err := s.Wares().Resources(ctx, server)
		if err != nil {
			return failed, err
		}
		size := 0
		for _, r := range resources {
			uri := r.URI
			if at := strings.IndexByte(uri, '{'); at >= 0 {
				uri = uri[:at] + "1"
			}
			text, err := s.Wares().Resource(ctx, server, uri)
			if size += len(text); err != nil || text == "" {
				failed++
				fmt.Fprintf(out, "  %s:%s: %.60q %v\n", server, uri, text, err)
			}
		}
		prompts, notP, err := s.Wares().Prompts(ctx, server)
		if err != nil {
			return failed, err
		}
		for _, p := range prompts {
			args := map[string]string{}
			for _, a := range p.Args {
				args[a.Name] = values[a.Name]
			}
			if text, err := s.Wares().Prompt(ctx, server, p.Name, args); err != nil || text == "" {
				failed++
				fmt.Fprintf(out, "  %s.%s %v: %.60q %v\n", server, p.Name, args, text, err)
			}
		}
		fmt.Fprintf(out, "%-10s %d resources with %d bytes, %d prompts, %d left out\n",
			server, len(resources), size, len(prompts), len(notR)+len(notP))
	}
	if failed == 0 && len(s.Names()) > 0 {
		if _, err := s.Wares().Resource(ctx, "everything", "demo://nobody"); err == nil {
			return 1, errors.New("everything has a resource that is not there")
		}
	}
	return failed, nil
}

// arguments are some that a tool takes.
func arguments(t mcp.Tool, work string) string {
	file, entity := filepath.Join(work, "a.txt"), `{"name":"nats","entityType":"program","observations":["old"]}`
	known := map[string]string{
		"edit_file":  `{"path":%q,"edits":[{"oldText":"two","newText":"2"}]}`,
		"move_file":  `{"source":"` + work + `/m.txt","destination":"` + work + `/b.txt"}`,
		"write_file": `{"path":"` + work + `/c.txt","content":"x"}`, "create_directory": `{"path":"` + work + `/d"}`,
		"list_directory": `{"path":"` + work + `"}`, "list_directory_with_sizes": `{"path":"` + work + `"}`,
		"directory_tree": `{"path":"` + work + `"}`,
		"search_files":   `{"path":"` + work + `","pattern":"*"}`, "read_multiple_files": `{"paths":[%q]}`,
		"create_entities":  `{"entities":[` + entity + `]}`,
		"create_relations": `{"relations":[{"from":"ken","to":"ken","relationType":"is"}]}`,
		"add_observations": `{"observations":[{"entityName":"ken","contents":["new"]}]}`,
		"delete_entities":  `{"entityNames":["nobody"]}`, "delete_observations": `{"deletions":[{"entityName":"ken","observations":["x"]}]}`,
		"delete_relations": `{"relations":[{"from":"ken","to":"nobody","relationType":"is"}]}`,
		"search_nodes":     `{"query":"ken"}`, "open_nodes": `{"names":["ken"]}`,
		"echo": `{"message":"hello"}`, "get-sum": `{"a":1,"b":2}`, "get-structured-content": `{"location":"New York"}`,
		"trigger-long-running-operation": `{"duration":1,"steps":2}`, "get-resource-reference": `{"resourceType":"Text","resourceId":1}`,
		"gzip-file-as-resource": `{"name":"x.gz","data":"data:text/plain;base64,eA=="}`, "get-resource-links": `{"count":2}`,
		"get-annotated-message": `{"messageType":"error"}`, "simulate-research-query": `{"topic":"tea"}`,
	}
	args, ok := known[t.Name]
	switch {
	case ok && strings.Contains(args, "%q"):
		return fmt.Sprintf(args, file)
	case ok:
		return args
	case t.Server == "filesystem" && t.Name != "list_allowed_directories":
		return fmt.Sprintf(`{"path":%q}`, file)
	}
	return "{}"
}
