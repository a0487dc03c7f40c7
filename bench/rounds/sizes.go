//go:build unix

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"

	"ken/internal/tokens"
)

// toolsEnv has this program be a tool server with so many tools.
const toolsEnv = "KEN_BENCH_TOOLS"

// mostDefined is the most that the definitions of all tools should take, in bytes.
const mostDefined = 6 << 10

// sizes prints how large a request is with the tools of servers, and without them.
func sizes(ctx context.Context, out io.Writer, model *script, ken contender) error {
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	file := filepath.Join(ken.home, "ken", "config.toml")
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\na request of ken by the tools that servers have, with a memory")
	fmt.Fprint(w, "tools of servers\tas their servers say them\toffered\tof tools\tgoal\t\trequest\ttokens, about\t\n")
	if _, err := (contender{
		name: "ken", argv: []string{ken.argv[0], "remember", "the kettle is in the kitchen"}, home: ken.home, project: ken.project,
	}).output(ctx); err != nil {
		return err
	}
	for _, n := range []int{0, 7, 60} {
		text := settings(model.url)
		if n > 0 {
			text += fmt.Sprintf("[mcp.servers.bench]\ncommand = [%q]\nenv = { %s = %q }\n", exe, toolsEnv, strconv.Itoa(n))
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return err
		}
		model.take()
		if _, err := ken.output(ctx); err != nil {
			return err
		}
		list := model.take()
		if len(list) == 0 {
			return fmt.Errorf("with %d tools: the model was not asked", n)
		}
		var body struct{ Tools []json.RawMessage }
		if err := json.Unmarshal(list[0].body, &body); err != nil {
			return err
		}
		size := 0
		for _, t := range body.Tools {
			size += len(t)
		}
		verdict := "met"
		if size > mostDefined {
			verdict = "MISSED"
		}
		fmt.Fprintf(w, "%d\t%d bytes\t%d\t%d bytes\t%d\t%s\t%d bytes\t%d\t\n", n, len(strings.Join(tools(n), ",")), len(body.Tools), size,
			mostDefined, verdict, len(list[0].body), tokens.Estimate(string(list[0].body)))
	}
	return w.Flush()
}

// output runs a command line of an assistant.
func (c contender) output(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := c.command(ctx)
	b, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", c.name, err, last(string(b)))
	}
	return string(b), nil
}

// tools are definitions of the size that those of public servers have: 14 of the file server take 7.4 KB.
func tools(n int) []string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf(`{"name":"look_up_%d","description":"Look up what the notes of project %d say about a subject, `+
			`and list the places where it is said, the newest of them first.",`+
			`"inputSchema":{"type":"object","properties":{"subject":{"type":"string","description":"what to look for, in plain words"},`+
			`"limit":{"type":"integer","description":"the most places to list; ten if it is left out"}},"required":["subject"]}}`, i, i))
	}
	return list
}

// serveTools is a tool server with so many tools.
func serveTools(n string, in io.Reader, out io.Writer) {
	count, _ := strconv.Atoi(n) // main's own
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		var m struct {
			ID     json.RawMessage
			Method string
		}
		if json.Unmarshal(lines.Bytes(), &m) != nil || m.ID == nil {
			continue
		}
		result := `{}`
		switch m.Method {
		case "initialize":
			result = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"bench","version":"1"}}`
		case "tools/list":
			result = `{"tools":[` + strings.Join(tools(count), ",") + `]}`
		}
		_, _ = fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", m.ID, result) // who hung up reads no more
	}
}
