package turn

import (
	"context"
	"errors"
	"strconv"

	"ken/internal/agent"
	"ken/internal/agent/auto"
	"ken/internal/agent/loop"
	"ken/internal/fault"
	"ken/internal/llm"
)

// errStalled says that a model went round and was not asked again.
var errStalled = errors.New("stopped: the model makes the same calls again and again")

// ErrStopped says that the person broke off at a question about a call: nothing else of that answer was done, and the model
// was not asked again. All calls have their results, and the conversation goes on.
var ErrStopped = errors.New("stopped: what else the answer called for is not done, and the model was not asked again")

// send asks the question, and has it gone on with until it is answered, or the goal of a run is reached.
func (d *Dialog) send(ctx context.Context, ans *Answer, q agent.Question, ev Events, run *auto.Run) (spent []llm.Answer, err error) {
	if run != nil && d.o.Loop != nil {
		return nil, d.pursue(ctx, ans, q, ev, run)
	}
	ans.Answer, err = d.conv.Ask(ctx, q, ev.Delta)
	return d.rounds(ctx, ans, ev, err)
}

// rounds does what an answer calls for and asks again, until one calls for nothing. err is that of the first
// answer. spent are all answers that were recorded.
func (d *Dialog) rounds(ctx context.Context, ans *Answer, ev Events, err error) (spent []llm.Answer, _ error) {
	note := func() {
		if ans.N > 0 {
			spent = append(spent, ans.Answer.Answer)
		}
	}
	note()
	if d.o.Loop == nil {
		return spent, err
	}
	d.o.Loop.Run(strconv.Itoa(ans.Q))
	cfg, serr := d.home.Settings.Read()
	if err == nil {
		err = serr
	}
	most := cfg.MCP.MaxToolDepth
	for n := 1; err == nil && !ans.Truncated && len(ans.Message.ToolCalls) > 0; n++ { // of one that broke off nothing is done
		if ev.Paused != nil {
			if err := ev.Paused(); err != nil {
				return spent, err
			}
		}
		d.o.Loop.Heed(ans.Foreign, ans.From())
		stopped := false
		stalled := d.o.Loop.Answer(ctx, ans.Message.ToolCalls, ev.Tools, func(r loop.Reply) {
			stopped = stopped || r.Stopped()
			d.conv.Return(agent.Returned{Call: r.Call, Text: r.Text, From: r.From})
		})
		switch {
		case ctx.Err() != nil:
			return spent, context.Cause(ctx)
		case stopped:
			return spent, fault.New(fault.Interrupted, ErrStopped)
		case stalled:
			return spent, fault.New(fault.Limit, errStalled).WithHint("say what to do instead, or ask another model")
		case n%most == 0 && (ev.More == nil || !ev.More(ctx, n)):
			return spent, fault.New(fault.Limit, errors.New("stopped: the model has not answered after the calls that the settings allow")).
				WithHint("say: go on; or raise mcp.max_tool_depth")
		}
		if ev.Sends != nil {
			ev.Sends(ans.Model)
		}
		first := ans.Answer
		ans.Answer, err = d.conv.GoOn(ctx, ev.Delta)
		ans.Evicted += first.Evicted
		ans.Warnings = append(first.Warnings, ans.Warnings...)
		note()
	}
	return spent, err
}
