package llm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"

	"ken/internal/llm/delta"
	"ken/internal/llm/wire"
)

// An exchange reads the body of one success.
type exchange struct {
	client      *Client
	ctx, rctx   context.Context
	watch       *watch
	events      *wire.Reader
	assembler   *delta.Assembler
	show        func(Delta) error
	req         Request
	contentType string
}

func (x *exchange) run() (Answer, *Error) {
	a := x.assembler
	for !a.Done() {
		ev, err := x.events.Next()
		if err != nil {
			if errors.Is(err, io.EOF) || a.Finish() != "" && x.ctx.Err() == nil && !endless(err) {
				break // all that matters is there, however the server ended it
			}
			return x.partial(x.fail(err))
		}
		had, finished, held := a.Began(), a.Finish(), a.Held()
		d, fault := a.Take(ev)
		if err := shield(x.show, d); err != nil {
			return x.partial(&Error{Kind: Callback, Op: "show the answer", cause: err})
		}
		if fault != nil {
			e := fromFault(*fault, "read answer", http.StatusOK)
			e.ContentType = x.contentType
			return x.partial(e)
		}
		if a.Held() != held {
			x.events.Useful()
		}
		if a.Full() {
			break
		}
		switch {
		case a.Finish() != "" && (finished == "" || d != (Delta{})):
			x.watch.enter(finishing)
		case a.Began() && !had && a.Finish() == "":
			x.watch.enter(reading)
		}
		if x.ctx.Err() != nil && !a.Done() { // while show was busy
			return x.partial(ended(x.ctx, "read answer"))
		}
	}
	x.watch.stop()
	return x.end()
}

// end takes a clean end of the stream.
func (x *exchange) end() (Answer, *Error) {
	a := x.assembler
	if err := shield(x.show, a.End()); err != nil {
		return x.partial(&Error{Kind: Callback, Op: "show the answer", cause: err})
	}
	broke := func(kind Kind, message string) (Answer, *Error) {
		return x.partial(&Error{Kind: kind, Op: "read answer", Status: http.StatusOK, ContentType: x.contentType, Message: message})
	}
	switch {
	case a.Finish() != "":
	case !a.Began():
		_, e := broke(Protocol, "the answer holds no content, no tool call and no finish reason")
		e.Head = x.events.Head()
		if e.Head == "" {
			e.Message += ": the body is empty"
		}
		return Answer{}, e
	case !a.Done() && a.CallCut():
		return broke(Incomplete, "the stream ended inside a tool call")
	case a.Empty():
		return broke(Incomplete, "the stream ended after reasoning, without an answer")
	}
	return x.answer(), nil
}

func (x *exchange) answer() Answer {
	ids := map[string]bool{}
	for _, m := range x.req.Messages {
		for _, c := range m.ToolCalls {
			ids[c.ID] = true
		}
	}
	w := x.assembler.Whole(ids)
	out := Answer{
		Message:   Message{Role: "assistant", Content: w.Content, ToolCalls: w.ToolCalls, Preset: x.client.preset.Name, Raw: w.Raw},
		Reasoning: w.Reasoning,
		Finish:    w.Finish,
		Truncated: w.Finish == "" && !x.assembler.Done(),
		Usage:     w.Usage,
		Model:     w.Model,
		Warnings:  w.Warnings,
		Events:    w.Events,
	}
	if x.assembler.Full() {
		out.Warnings = append(out.Warnings, fmt.Sprintf("the answer was cut off: it is longer than the %s that are kept of one", size(x.client.o.MostAnswer)))
	}
	if x.events != nil {
		out.Bytes = x.events.Bytes()
	}
	return out
}

// partial puts beside an error what had arrived.
func (x *exchange) partial(e *Error) (Answer, *Error) {
	out := x.answer()
	if x.assembler.Began() {
		e.Partial = &out
	}
	return out, e
}

// fail is the error of a read that failed.
func (x *exchange) fail(err error) *Error {
	if endless(err) {
		return &Error{Kind: Protocol, Op: "read answer", Status: http.StatusOK, ContentType: x.contentType, cause: err}
	}
	e := x.client.broken(x.ctx, x.rctx, x.watch, "read answer", err)
	if e.Kind == Network && x.assembler.Began() {
		e.Kind, e.Message = Incomplete, "the connection broke before the end of the answer"
	}
	return e
}

// endless reports whether a body was given up since it has no end.
func endless(err error) bool {
	return errors.Is(err, wire.ErrTooLarge) || errors.Is(err, wire.ErrQuiet)
}

// size says a number of bytes to a person.
func size(n int) string {
	if n >= 1<<20 {
		return strconv.Itoa(n>>20) + " MiB"
	}
	return strconv.Itoa(n) + " bytes"
}
