package loop

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"ken/internal/memory"
	"ken/internal/risk"
	"ken/internal/tool"
	"ken/internal/tool/mcp"
)

// mostDefined is how many bytes all definitions of a request take, those of servers included: more of them and a
// small model picks the wrong one.
const mostDefined = 6 << 10

// started are the tool servers, started if they were not; nil if there are none.
func (h *Loop) started() *mcp.Servers {
	if h.o.Servers == nil {
		return nil
	}
	cfg, err := h.home.Settings.Read()
	if err != nil || slices.Contains(cfg.Tools.Off, "all") {
		return nil // settings that cannot be read are reported by whoever reads them first
	}
	s, err := h.o.Servers()
	if err != nil || len(s.Names()) == 0 {
		return nil
	}
	s.Start()
	return s
}

// await waits for servers that are being connected to, once.
func (h *Loop) await(ctx context.Context) {
	if h.awaited || h.servers == nil || h.o.Wait <= 0 {
		return
	}
	h.awaited = true
	h.servers.Greet(ctx, h.o.Wait)
}

// serverTools are the tools of servers that a request has behind own, whose definitions take so many bytes.
func (h *Loop) serverTools(own int) (list []mcp.Tool, deferred int) {
	s := h.servers
	if s == nil {
		return nil, 0
	}
	o := s.Offer(mcp.Room{Bytes: mostDefined - own, Window: h.asked.Window, Sent: h.sent})
	for _, t := range o.Tools {
		if !slices.Contains(h.sent, t.Wire) {
			h.sent = append(h.sent, t.Wire)
		}
	}
	return o.Tools, o.Deferred
}

// moreTools finds tools of servers that did not fit into the request.
func (h *Loop) moreTools() tool.Tool {
	return tool.Tool{
		Here: func(context.Context) bool { return h.deferred > 0 }, May: func(context.Context) bool { return h.servers != nil },
		Spec: tool.Spec{
			Name:        "more_tools",
			Description: "Find further tools, of the servers that the user has connected. What is found can be called from then on.",
			Params:      []tool.Param{{Name: "query", Type: tool.String, Description: "a word, or the name of a server; all if left out"}},
		},
		Plan: func(_ context.Context, a tool.Args) (tool.Act, error) {
			query := a.Text("query")
			return tool.Act{Title: strings.TrimSpace("look for tools: " + query), Do: func(context.Context, io.Writer) (tool.Result, error) {
				found, more := h.servers.Search(query)
				for _, t := range found {
					if !slices.Contains(h.sent, t.Wire) {
						h.sent = append(h.sent, t.Wire)
					}
				}
				// What servers say of their tools is sent unasked where it fits: to look at it is no more than that.
				return tool.Result{State: tool.Done, Text: mcp.Listing(found, more), From: memory.OriginTool}, nil
			}}, nil
		},
	}
}

// planServer is what a call of a server's tool would do.
func (h *Loop) planServer(name, arguments string) (tool.Call, tool.Act, error) {
	c, err := h.servers.Read(name, json.RawMessage(arguments))
	if err != nil {
		text := err.Error()
		if strings.HasPrefix(text, "no tool ") && len(h.sent) > 0 {
			text += "; there are: " + strings.Join(h.sent, ", ")
		}
		return tool.Call{}, tool.Act{}, &tool.CallError{Text: text}
	}
	act := tool.Act{
		Title: c.Tool.Shown, Shown: strings.Join(c.Shown(), "\n"), Level: risk.Caution,
		Why: []string{"a tool of the server " + c.Tool.Server}, Lasting: "any call of " + c.Tool.Shown,
		Of: h.servers.Identity(c.Tool),
	}
	act.Beyond = !h.servers.Local(c.Tool)
	if h.servers.AutoApproved(c.Tool) {
		act.Allowed = "mcp.auto_approve"
	}
	act.Do = func(ctx context.Context, live io.Writer) (tool.Result, error) {
		if err := h.servers.Approved(ctx, c.Tool); err != nil {
			return tool.Result{}, fmt.Errorf("not run, since what the tool is cannot be kept: %w", err)
		}
		got := h.servers.Run(ctx, c, func(p mcp.Progress) { h.progress(live, p) })
		r := tool.Result{State: tool.Done, Text: got.Text, From: memory.OriginExternal}
		switch {
		case got.Unknown:
			r.State = tool.Unknown
		case got.Failed:
			r.State = tool.Failed
			if !strings.HasPrefix(r.Text, "not run") {
				r.Text = "failed: " + r.Text
			}
		}
		return r, nil
	}
	return tool.Call{Name: c.Tool.Wire, Args: tool.RawArgs(string(c.Args))}, act, nil
}

// progress shows what a server says of a call that it works on.
func (h *Loop) progress(live io.Writer, p mcp.Progress) {
	if live == nil {
		return
	}
	text := h.safe(p.Text)
	if p.Of > 0 {
		text = strings.TrimSpace(fmt.Sprintf("%g of %g %s", p.Done, p.Of, text))
	}
	_, _ = io.WriteString(live, text+"\n") // it is shown, or not; the call goes on
}
