package acp

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"github.com/coder/acp-go-sdk"

	"ken/internal/agent"
	"ken/internal/agent/host"
	"ken/internal/agent/loop"
	"ken/internal/agent/turn"
	"ken/internal/fault"
	"ken/internal/termsafe"
	"ken/internal/tool"
	"ken/internal/verbs"
)

// commands are what can be typed behind a slash.
func commands() (list []acp.AvailableCommand) {
	for _, v := range verbs.On(verbs.Editor) {
		c := acp.AvailableCommand{Name: v.Name, Description: v.Does}
		if v.Hint != "" {
			c.Input = &acp.AvailableCommandInput{Unstructured: &acp.UnstructuredCommandInput{Hint: v.Hint}}
		}
		list = append(list, c)
	}
	return list
}

// prompt answers what was typed. begun is called once the conversation knows of it.
func (s *server) prompt(ctx context.Context, p acp.PromptRequest, begun func()) (r acp.PromptResponse, err error) {
	t, err := s.next(ctx, p.SessionId)
	if err != nil {
		return r, err
	}
	begun()
	if err := t.Wait(); err != nil {
		if why := context.Cause(t.Context()); ctx.Err() != nil || errors.Is(why, host.ErrStopped) || errors.Is(why, host.ErrEnded) {
			return acp.PromptResponse{StopReason: acp.StopReasonCancelled}, nil
		}
		return r, err
	}
	defer t.Done()
	reason, err := t.Talk.answer(t.Context(), p.Prompt)
	if t.Context().Err() != nil {
		return acp.PromptResponse{StopReason: acp.StopReasonCancelled}, nil
	}
	return acp.PromptResponse{StopReason: reason}, err
}

// next is the next turn of a conversation: what is under way there is stopped.
func (s *server) next(ctx context.Context, id acp.SessionId) (*host.Turn[*session], error) {
	s.mu.Lock()
	defer s.mu.Unlock() // it is not closed meanwhile
	c := s.sessions[id]
	if c == nil {
		return nil, unknown(id)
	}
	s.host.Stop(string(id))
	return s.host.Queue(ctx, string(id), c)
}

// answer answers it, and says why it ended.
func (c *session) answer(ctx context.Context, blocks []acp.ContentBlock) (acp.StopReason, error) {
	if ctx.Err() != nil {
		return acp.StopReasonCancelled, nil
	}
	q, err := c.question(blocks)
	if err != nil {
		return "", err
	}
	say := func(text string) {
		_ = c.s.update(ctx, c.id, acp.UpdateAgentMessageText(text)) // an editor that is gone ends ctx
	}
	if verb, rest, ok := verbs.Slashed(verbs.Editor, q.Text); ok && len(q.Attached) == 0 {
		text, err := c.d.Do(ctx, verb.Name, rest)
		if err != nil {
			text = words(err)
		}
		say(c.d.Mask(text))
		return acp.StopReasonEndTurn, nil
	}
	if err := c.settle(ctx); err != nil {
		return acp.StopReasonCancelled, nil
	}
	if c.told != "" {
		say(c.told + "\n\n")
		c.told = ""
	}
	stream, thoughts, title := c.d.Stream(), c.d.Stream(), c.d.Title(ctx)
	clean := termsafe.Clean
	think := func(text string) string {
		if text == "" {
			return clean(thoughts.Flush())
		}
		return clean(thoughts.Write(text))
	}
	thought := func() {
		if rest := think(""); rest != "" {
			_ = c.s.update(ctx, c.id, acp.UpdateAgentThoughtText(rest))
		}
	}
	ans, err := c.d.Ask(ctx, q, turn.Events{
		Delta: c.show(ctx, think, func(text string) string {
			if text == "" {
				return ""
			}
			return clean(stream.Write(text))
		}),
		Paused: func() error {
			thought()
			if rest := clean(stream.Flush()); rest != "" {
				say(rest)
			}
			return nil
		},
		Tools: loop.Watch{Doing: c.doing(ctx), Done: c.done(ctx), Stops: func() bool { return ctx.Err() != nil }},
	}, func(line string) { say("> [ken] " + line + "\n\n") })
	thought()
	if rest := clean(stream.Flush()); rest != "" {
		say(rest)
	}
	c.report(say)
	if now := c.d.Title(ctx); now != title && now != "" {
		_ = c.s.update(ctx, c.id, acp.SessionUpdate{SessionInfoUpdate: &acp.SessionSessionInfoUpdate{Title: acp.Ptr(c.d.Mask(now))}})
	}
	c.tellUsage(ctx)
	return reasonOf(ans, err, say)
}

// tellUsage tells the editor how full the window of the model is, and what the conversation has cost, as far as that is known.
func (c *session) tellUsage(ctx context.Context) {
	u, ok := c.d.Usage(ctx)
	if !ok {
		return
	}
	now := acp.SessionUsageUpdate{Used: u.Used, Size: u.Window}
	if u.Currency != "" {
		now.Cost = &acp.Cost{Amount: u.Cost, Currency: u.Currency}
	}
	_ = c.s.update(ctx, c.id, acp.SessionUpdate{UsageUpdate: &now}) // as above
}

// reasonOf is why an answer ended.
func reasonOf(ans turn.Answer, err error, say func(string)) (acp.StopReason, error) {
	switch {
	case errors.Is(err, turn.ErrStopped), errors.Is(err, context.Canceled):
		return acp.StopReasonCancelled, nil
	case fault.KindOf(err) == fault.Limit && err != nil:
		say("\n\n" + err.Error())
		return acp.StopReasonMaxTurnRequests, nil
	case err != nil:
		return "", err
	case ans.Finish == "length":
		return acp.StopReasonMaxTokens, nil
	case ans.Finish == "content_filter":
		return acp.StopReasonRefusal, nil
	}
	return acp.StopReasonEndTurn, nil
}

// question is what was typed, with what came along: that is data from outside.
func (c *session) question(blocks []acp.ContentBlock) (q turn.Question, err error) {
	var typed strings.Builder
	var files []agent.File
	add := func(name string, b []byte) {
		f, ferr := c.d.File(termsafe.Line(name), b)
		if ferr != nil {
			err = cmp.Or(err, error(invalid(ferr.Error())))
			return
		}
		files = append(files, f)
	}
	for _, b := range blocks {
		switch {
		case b.Text != nil:
			typed.WriteString(b.Text.Text)
		case b.ResourceLink != nil:
			fmt.Fprintf(&typed, " [%s](%s) ", termsafe.Line(b.ResourceLink.Name), termsafe.Line(b.ResourceLink.Uri))
			q.From = "external"
		case b.Resource != nil && b.Resource.Resource.TextResourceContents != nil:
			t := b.Resource.Resource.TextResourceContents
			add(t.Uri, []byte(t.Text))
		case b.Image != nil && c.s.o.Images:
			data, derr := base64.StdEncoding.DecodeString(b.Image.Data)
			if derr != nil {
				return q, invalid("a picture that is not in base64")
			}
			add("a picture", data)
		default:
			return q, invalid("a kind of content that is not taken: text, links, texts of files, and pictures where the settings have it")
		}
	}
	text := strings.TrimSpace(termsafe.Clean(typed.String()))
	if len(files) > 0 {
		q.From = "external"
	}
	q.Text, q.Typed, q.Attached, q.Sentence = agent.With(text, files, ""), text, files, q.From == ""
	if err == nil && text == "" {
		err = invalid("nothing was typed")
	}
	return q, err
}

// doing1 is a call as the editor was told of it.
type doing1 struct {
	id   acp.ToolCallId
	kind acp.ToolKind
	act  tool.Act
}

func kindOf(name string) acp.ToolKind {
	switch name {
	case "read_file", "recall":
		return acp.ToolKindRead
	case "edit_file", "write_file":
		return acp.ToolKindEdit
	case "search_files":
		return acp.ToolKindSearch
	case "shell":
		return acp.ToolKindExecute
	}
	return acp.ToolKindOther
}

// content is what a call would do, as the editor shows it: a difference, or the words.
func (c *session) content(act tool.Act) (list []acp.ToolCallContent) {
	switch {
	case act.Edit != nil && act.Edit.Made:
		return []acp.ToolCallContent{acp.ToolDiffContent(act.Path, c.d.Mask(act.Edit.After))}
	case act.Edit != nil:
		return []acp.ToolCallContent{acp.ToolDiffContent(act.Path, c.d.Mask(act.Edit.After), c.d.Mask(act.Edit.Before))}
	case act.Line != "":
		return []acp.ToolCallContent{acp.ToolContent(acp.TextBlock(visible(c.d.Mask(act.Line))))}
	case act.Shown != "":
		return []acp.ToolCallContent{acp.ToolContent(acp.TextBlock(visible(c.d.Mask(act.Shown))))}
	}
	return nil
}

// visible is a text in a block of code, with what does not show itself written out.
func visible(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "\n" + termsafe.Visible(text) + "\n" + fence
}

// doing tells the editor of a call.
func (c *session) doing(ctx context.Context) func(id, name string, act tool.Act) {
	return func(id, name string, act tool.Act) {
		one := doing1{acp.ToolCallId(id), kindOf(name), act}
		c.mu.Lock()
		c.call = one
		c.mu.Unlock()
		opts := []acp.ToolCallStartOpt{
			acp.WithStartKind(one.kind), acp.WithStartStatus(acp.ToolCallStatusPending), acp.WithStartContent(c.content(act)),
		}
		if act.Path != "" {
			opts = append(opts, acp.WithStartLocations([]acp.ToolCallLocation{{Path: act.Path}}))
		}
		_ = c.s.update(ctx, c.id, acp.StartToolCall(one.id, c.titleOf(act), opts...))
	}
}

// titleOf is a call in a line.
func (c *session) titleOf(act tool.Act) string {
	const most = 200
	return termsafe.Cut(termsafe.Line(c.d.Mask(act.Title)), most)
}

// done tells the editor what came of a call.
func (c *session) done(ctx context.Context) func(loop.Reply) {
	return func(r loop.Reply) {
		status := acp.ToolCallStatusFailed
		if r.State == tool.Done {
			status = acp.ToolCallStatusCompleted
		}
		c.mu.Lock()
		one := c.call
		c.mu.Unlock()
		var list []acp.ToolCallContent
		if string(one.id) == r.Call && one.act.Edit != nil {
			list = c.content(one.act)
		}
		list = append(list, acp.ToolContent(acp.TextBlock(visible(c.d.Mask(r.Text)))))
		_ = c.s.update(ctx, c.id, acp.UpdateToolCall(acp.ToolCallId(r.Call), acp.WithUpdateStatus(status), acp.WithUpdateContent(list)))
	}
}
