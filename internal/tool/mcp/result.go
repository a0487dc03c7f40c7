package mcp

import (
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ken/internal/termsafe"
	"ken/internal/text"
)

// mostText is how much of a result is kept, in bytes: the beginning and the end. Models get far less.
const mostText = 256 << 10

// A Result is what came of a call, for the model. Its text is UTF-8, and neither cleaned of what it
// does to a terminal nor masked: its caller does that with all results.
type Result struct {
	Text    string
	Failed  bool // the server says so, or it was not run, or it is not known
	Unknown bool // it may have run or not
}

func failure(format string, args ...any) Result {
	return Result{Text: fmt.Sprintf(format, args...), Failed: true}
}

func unknown(format string, args ...any) Result {
	return Result{Text: fmt.Sprintf(format, args...), Failed: true, Unknown: true}
}

// clean is what a server says of an error, in a line that is not long.
func clean(s string) string {
	s = termsafe.Line(s)
	if cut := text.CutRunes(s, 400); cut != s {
		return cut + "…"
	}
	return s
}

// resultOf makes a result of what a server answered.
func resultOf(r *mcp.CallToolResult) Result {
	var texts, other []string
	for _, c := range r.Content {
		if text, ok := c.(*mcp.TextContent); ok {
			texts = append(texts, text.Text)
		} else if line := lineOf(c); line != "" {
			other = append(other, line)
		}
	}
	if len(texts) == 0 && r.StructuredContent != nil {
		texts = append(texts, compact(r.StructuredContent))
	}
	text := cut(strings.Join(texts, "\n"))
	if len(other) > 0 {
		text = strings.TrimLeft(strings.TrimRight(text, "\n")+"\n"+cut(strings.Join(other, "\n")), "\n")
	}
	return Result{Text: text, Failed: r.IsError}
}

// lineOf says in a line what is no text.
func lineOf(c mcp.Content) string {
	switch c := c.(type) {
	case *mcp.TextContent:
		return c.Text
	case *mcp.ImageContent:
		return notShown(c.MIMEType, "image", len(c.Data))
	case *mcp.AudioContent:
		return notShown(c.MIMEType, "audio", len(c.Data))
	case *mcp.ResourceLink:
		return fmt.Sprintf("[resource %s: %s]", clean(c.URI), clean(firstOf(c.Title, c.Name, c.Description)))
	case *mcp.EmbeddedResource:
		return resourceText(c.Resource)
	}
	return "[something that is no text, not shown]"
}

// resourceText is the text of a resource, or a line on what it is.
func resourceText(r *mcp.ResourceContents) string {
	switch {
	case r == nil:
		return ""
	case r.Blob != nil:
		return notShown(r.MIMEType, r.URI, len(r.Blob))
	}
	return r.Text
}

func notShown(kind, or string, size int) string {
	return fmt.Sprintf("[%s, %s, not shown]", clean(firstOf(kind, or)), bytesOf(size))
}

func bytesOf(n int) string {
	switch {
	case n < 1024:
		return fmt.Sprintf("%d bytes", n)
	case n < 1<<20:
		return fmt.Sprintf("%d KB", (n+512)>>10)
	}
	return fmt.Sprintf("%d MB", (n+1<<19)>>20)
}

func firstOf(list ...string) string {
	for _, s := range list {
		if s != "" {
			return s
		}
	}
	return ""
}

// cut keeps the beginning and the end of a long text.
func cut(s string) string {
	s = strings.ToValidUTF8(s, "\ufffd")
	if len(s) <= mostText {
		return s
	}
	head, tail := text.CutBytes(s, mostText*2/5), text.LastBytes(s, mostText*3/5)
	return fmt.Sprintf("%s\n[... %s left out ...]\n%s", head, bytesOf(len(s)-len(head)-len(tail)), tail)
}
