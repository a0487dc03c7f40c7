package loop

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"ken/internal/fault"
	"ken/internal/memory"
	"ken/internal/runner"
	"ken/internal/session/acts"
	"ken/internal/tool"
)

// shell runs a command line in the lane of a model.
func (h *Loop) shell() tool.Tool {
	return tool.Tool{
		Spec: tool.Spec{
			Name: acts.Shell,
			Description: "Run a command line with bash in the current directory and get its output and exit code. " +
				"It has no terminal and no standard input; a cd or a variable ends with it.",
			Params: []tool.Param{
				{Name: "command", Type: tool.String, Description: "the command line", Required: true},
				{Name: "timeout", Type: tool.Integer, Description: "the most seconds it may take; 120 if left out, and at most what the user allows"},
				{Name: "why", Type: tool.String, Description: "what it is for, in a few words"},
			},
		},
		Plan: func(_ context.Context, a tool.Args) (tool.Act, error) {
			line := tool.Unfenced(a.Text("command"))
			if strings.TrimSpace(line) == "" {
				return tool.Act{}, &tool.CallError{Text: "shell: the command is empty"}
			}
			return tool.Act{Title: "$ " + line, Line: line, Limit: time.Duration(a.Int("timeout")) * time.Second}, nil
		},
	}
}

// runLine has a line judged, asked about and run.
func (h *Loop) runLine(ctx context.Context, act tool.Act, live io.Writer, e *entry) tool.Result {
	ran, err := h.run.RunModel(ctx, runner.Line{Text: act.Line, Limit: act.Limit, Live: live, Begins: e.begun})
	if e.at.IsZero() { // it did not begin
		if unnoted := (*notedError)(nil); errors.As(err, &unnoted) {
			return tool.Result{State: tool.Failed, Text: text(err)}
		}
		return e.declined(ctx, ran.Level, err)
	}
	took := fmt.Sprintf("%.1f s", h.home.Now().Sub(e.at).Seconds())
	r := tool.Result{State: tool.Done, Text: ran.Output, End: true, From: memory.OriginTool}
	if ran.Foreign {
		r.From = memory.OriginExternal
	}
	switch {
	case err != nil && fault.KindOf(err) == fault.NotStarted:
		return tool.Result{State: tool.Failed, Text: "not run: " + err.Error()}
	case ctx.Err() != nil:
		r.State, r.Head = tool.Stopped, "stopped by the person after "+took+"; so far:"
	case err != nil:
		r.State, r.Head = tool.Failed, fmt.Sprintf("it began, and after %s how it went could not be followed: %v; so far:", took, err)
	case ran.TimedOut:
		r.State, r.Head = tool.Expired, "time limit, "+took+"; so far:"
	case ran.Crowded:
		r.State, r.Head = tool.Expired, "limit of processes at once, "+took+"; so far:"
	default:
		r.Head = fmt.Sprintf("exit %d, %s", ran.Exit, took)
		r.Ended, r.Exit = true, ran.Exit
		if ran.Exit != 0 {
			r.State = tool.Failed
		}
	}
	return r
}
