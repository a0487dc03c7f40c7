package acp

import (
	"context"
	"errors"

	"github.com/coder/acp-go-sdk"

	"ken/internal/gate"
	"ken/internal/runner"
)

// cancelled is the code of a request that was given up.
const cancelled = -32800

// The answers that an editor is offered.
const (
	onceID    = "once"
	sessionID = "session"
	noID      = "no"
)

// An approver has the editor ask the person. It implements runner.Approver.
type approver struct{ c *session }

func (x approver) Approve(ctx context.Context, q runner.Request) (gate.How, error) {
	c := x.c
	c.mu.Lock()
	one := c.call
	c.mu.Unlock()
	if q.Operation == nil && q.Line != one.act.Line || q.Operation != nil && q.Operation.Title != one.act.Title {
		return "", runner.ErrNobody // the editor would show something else
	}
	options := []acp.PermissionOption{{Kind: acp.PermissionOptionKindAllowOnce, OptionId: onceID, Name: "Allow once"}}
	if q.Session {
		options = append(options, acp.PermissionOption{
			Kind: acp.PermissionOptionKindAllowAlways, OptionId: sessionID, Name: "Allow for this session, exactly this",
		})
	}
	options = append(options, acp.PermissionOption{Kind: acp.PermissionOptionKindRejectOnce, OptionId: noID, Name: "No"})
	why := runner.Because(q.Decision)
	if q.Operation != nil {
		why = q.Operation.Because()
	}
	if err := c.s.out.room(ctx); err != nil {
		return "", &runner.Declined{Stopped: true}
	}
	content := append(c.content(one.act), acp.ToolContent(acp.TextBlock("caution: "+c.d.Mask(why))))
	ask := acp.RequestPermissionRequest{SessionId: c.id, Options: options, ToolCall: acp.ToolCallUpdate{
		ToolCallId: one.id, Title: acp.Ptr(c.titleOf(one.act)), Kind: acp.Ptr(one.kind), Status: acp.Ptr(acp.ToolCallStatusPending),
		Content: content,
	}}
	got, err := acp.SendRequest[acp.RequestPermissionResponse](c.s.conn, ctx, acp.ClientMethodSessionRequestPermission, ask)
	refused := (*acp.RequestError)(nil)
	switch {
	case ctx.Err() != nil, errors.As(err, &refused) && refused.Code == cancelled, err == nil && got.Outcome.Cancelled != nil:
		return "", &runner.Declined{Stopped: true}
	case err != nil:
		return "", runner.ErrNobody // an editor that cannot ask
	case got.Outcome.Selected == nil:
		return gate.HowRefused, nil
	}
	started := func() {
		_ = c.s.update(ctx, c.id, acp.UpdateToolCall(one.id, acp.WithUpdateStatus(acp.ToolCallStatusInProgress)))
	}
	switch id := got.Outcome.Selected.OptionId; {
	case id == onceID:
		started()
		return gate.HowOnce, nil
	case id == sessionID && q.Session:
		started()
		return gate.HowSession, nil
	}
	return gate.HowRefused, nil
}
