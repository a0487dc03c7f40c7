package question

import (
	"context"
	"slices"

	"ken/internal/agent/turn"
	"ken/internal/attach"
	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/frame"
	"ken/internal/termsafe"
)

// isServer reports whether a tool server is called name. None is started.
func isServer(a *term.Run) func(name string) bool {
	return func(name string) bool {
		s, err := a.Servers()
		return err == nil && slices.Contains(s.Names(), name)
	}
}

// readAll reads resources of tool servers. One that cannot be read is an error: the question is about it.
func readAll(ctx context.Context, a *term.Run, names []attach.Resource) (list []attach.Attachment, err error) {
	for _, n := range names {
		s, err := a.Servers()
		if err != nil {
			return nil, err
		}
		if !isServer(a)(n.Server) {
			return nil, fault.NotFoundf("@%s:%s: there is no tool server %q", n.Server, termsafe.Line(n.URI), n.Server).
				WithHint("%s", fault.Command("mcp list"))
		}
		text, err := s.Wares().Resource(ctx, n.Server, n.URI)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil {
			return nil, fault.Failuref("%s", termsafe.Line(err.Error())).WithHint("%s", fault.Command("mcp resources "+n.Server))
		}
		got, err := reader(a).Given(n, text)
		if err != nil {
			return nil, err
		}
		list = append(list, got)
	}
	return list, nil
}

// Shown is what the prompt of a tool server says, as the person sees it and as it is sent.
func Shown(a *term.Run, text string) string {
	return frame.Data(a.Home.Keys.MaskText(termsafe.Clean(text)))
}

// OfServer is what a prompt of a tool server says, as Shown gives it, as a question. They are the server's words and
// nobody's statement: nothing of them is remembered, they ask for nothing of ken's, and a file that they name is a
// word. typed is what the person typed to have it.
func OfServer(shown, typed string) turn.Question {
	return turn.Question{Text: shown, Typed: typed, From: "external"}
}
