package acp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/coder/acp-go-sdk"

	"ken/internal/agent/loop"
	"ken/internal/config"
	"ken/internal/termsafe"
)

// mostConnect is how long the first question waits for tool servers that were just let: what they have comes too late for it then.
const mostConnect = 5 * time.Second

// A brought is a tool server that the editor brings: it is asked about before it is started.
type brought struct {
	name string
	set  config.Server
}

// key is what a yes to it is for.
func (b brought) key() string {
	k, err := json.Marshal(b.set)
	if err != nil {
		return ""
	}
	return b.name + "\x00" + string(k)
}

// line is how it is started, as the person sees it.
func (b brought) line() string {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(b.set.Env)) {
		words = append(words, name+"="+b.set.Env[name])
	}
	for _, w := range append(b.set.Command, b.set.Args...) {
		if w == "" || strings.ContainsAny(w, " \t\n\"'\\$&|;<>()*?") {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		words = append(words, w)
	}
	return strings.Join(words, " ")
}

// bring takes note of the editor's tool servers. Those that ken cannot use, and ken itself, are left out; of the former it is said.
func (c *session) bring(list []acp.McpServer) {
	if c.brought { // it is loaded again
		return
	}
	c.brought = true
	taken, other := make(map[string]bool), 0
	for _, one := range list {
		s := one.Stdio
		if s == nil || c.s.o.Servers == nil {
			other++
			continue
		}
		if c.s.isSelf(s.Command) {
			continue // its memory is here
		}
		b := brought{alias(s.Name, taken), config.Server{Command: []string{s.Command}, Args: s.Args, Cwd: ".", Env: make(map[string]string)}}
		for _, e := range s.Env {
			b.set.Env[e.Name] = e.Value
		}
		c.waiting = append(c.waiting, b)
	}
	if other > 0 {
		c.told = "Tool servers of the editor that are no programs of this machine are not used here. In a terminal they are, " +
			"once ken's settings name them: [mcp.servers.NAME]."
	}
}

// isSelf reports whether a command is this program.
func (s *server) isSelf(command string) bool {
	if find := s.o.Talk.FindProgram; find != nil {
		if path, err := find(command); err == nil {
			command = path
		}
	}
	a, err := os.Stat(s.o.Self)
	b, berr := os.Stat(command)
	return err == nil && berr == nil && os.SameFile(a, b)
}

// alias is a name of a server as tools have it before theirs.
func alias(name string, taken map[string]bool) string {
	const most = 24
	name = strings.Trim(strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		}
		return '-'
	}, name), "-")
	if name == "" {
		name = "server"
	}
	name = name[:min(len(name), most)]
	as := name
	for n := 2; taken[as]; n++ {
		as = fmt.Sprintf("%s-%d", name, n)
	}
	taken[as] = true
	return as
}

// errNone says that there are no tool servers.
var errNone = errors.New("the editor brought no tool server that was let")

// toolServers are those that were let; the turn is held.
func (c *session) toolServers() (*loop.Servers, error) {
	if c.servers == nil {
		return nil, errNone
	}
	return c.servers, nil
}

// report says what there is to say of tool servers.
func (c *session) report(say func(string)) {
	if c.servers == nil {
		return
	}
	for _, line := range c.servers.Said() {
		say("\n\n> [ken] " + termsafe.Line(c.d.Mask(line)))
	}
}

// settle asks about the tool servers that the editor brought, each once, and has those that were let be started with the question.
func (c *session) settle(ctx context.Context) error {
	if c.kept.Reading() {
		return nil // nothing is started there
	}
	let := make(map[string]config.Server)
	for len(c.waiting) > 0 {
		b := c.waiting[0]
		yes, err := c.lets(ctx, b)
		if err != nil {
			return err
		}
		if c.waiting = c.waiting[1:]; yes {
			let[b.name] = b.set
		}
	}
	if len(let) > 0 && c.servers == nil {
		c.servers = c.s.o.Servers(c.dir, let)
		return nil
	}
	for name, set := range let {
		if err := c.servers.Connect(ctx, name, set); err != nil {
			c.s.o.Warn(fmt.Errorf("%s: %w", name, err))
		}
	}
	return nil
}

// lets reports whether a tool server may be started. The error is that the question was broken off.
func (c *session) lets(ctx context.Context, b brought) (bool, error) {
	c.s.mu.Lock()
	before := c.s.let[b.key()]
	c.s.mu.Unlock()
	if before {
		return true, nil
	}
	id, title := acp.ToolCallId("server-"+b.name), "start the tool server "+b.name
	content := []acp.ToolCallContent{acp.ToolContent(acp.TextBlock(visible(c.d.Mask(b.line()))))}
	if err := c.s.update(ctx, c.id, acp.StartToolCall(id, title,
		acp.WithStartKind(acp.ToolKindExecute), acp.WithStartStatus(acp.ToolCallStatusPending), acp.WithStartContent(content))); err != nil {
		return false, err
	}
	why := "caution: it is a program of the editor's settings, and runs as you. Calls of its tools are asked about one by one."
	ask := acp.RequestPermissionRequest{SessionId: c.id, Options: []acp.PermissionOption{
		{Kind: acp.PermissionOptionKindAllowOnce, OptionId: onceID, Name: "Start it"},
		{Kind: acp.PermissionOptionKindRejectOnce, OptionId: noID, Name: "No"},
	}, ToolCall: acp.ToolCallUpdate{
		ToolCallId: id, Title: acp.Ptr(termsafe.Line(title)), Kind: acp.Ptr(acp.ToolKindExecute), Status: acp.Ptr(acp.ToolCallStatusPending),
		Content: append(content, acp.ToolContent(acp.TextBlock(why))),
	}}
	got, err := acp.SendRequest[acp.RequestPermissionResponse](c.s.conn, ctx, acp.ClientMethodSessionRequestPermission, ask)
	refused := (*acp.RequestError)(nil)
	if ctx.Err() != nil || errors.As(err, &refused) && refused.Code == cancelled || err == nil && got.Outcome.Cancelled != nil {
		return false, context.Canceled
	}
	yes, status := err == nil && got.Outcome.Selected != nil && got.Outcome.Selected.OptionId == onceID, acp.ToolCallStatusFailed
	if yes {
		status = acp.ToolCallStatusCompleted
		c.s.mu.Lock()
		c.s.let[b.key()] = true
		c.s.mu.Unlock()
	}
	return yes, c.s.update(ctx, c.id, acp.UpdateToolCall(id, acp.WithUpdateStatus(status)))
}
