package llm

import (
	"context"
	"errors"
)

// A Link is one model of a Chain.
type Link struct {
	Name string // of its preset
	// Open gives the client, when it is this one's turn. An error is one of this
	// model alone (no key, say), and the next one's turn comes.
	Open func() (*Client, error)
}

// A Chain asks one model, and the next ones in order as long as nobody answers.
// The next one is asked only before the first token (text, reasoning or a tool
// call), and only for faults of the server or the way to it: no connection, key
// or account, too many requests, an error of the server, no such model, no token
// in time, an answer that is none. What the request itself is refused for, what
// broke off in the middle and what a person stopped ends the call.
type Chain struct {
	Links []Link // at least one
	// Failed is called with each model that did not answer; next is the one that is
	// asked instead, "" if none is left. It may be nil.
	Failed func(name string, err error, next string)
}

// Stream is Client.Stream with the first model of the chain that answers, whose
// name is in Answer.Preset. If none does, the error wraps the first one's, and its
// text has a line for each.
func (c *Chain) Stream(ctx context.Context, req Request, show func(Delta) error) (Answer, error) {
	var failed []error
	for i, link := range c.Links {
		last := i == len(c.Links)-1
		a, err := link.stream(ctx, req, show, last)
		if err == nil || !passes(err) || ctx.Err() != nil {
			return a, err
		}
		failed = append(failed, err)
		if c.Failed != nil {
			next := ""
			if !last {
				next = c.Links[i+1].Name
			}
			c.Failed(link.Name, err, next)
		}
	}
	if len(failed) == 1 {
		return Answer{}, failed[0]
	}
	return Answer{}, unanswered(failed)
}

// unanswered are the errors of a whole chain. Only the first one is wrapped:
// that model is the one that was meant, so its fault is the one to mend.
type unanswered []error

func (e unanswered) Error() string { return errors.Join(e...).Error() }
func (e unanswered) Unwrap() error { return e[0] }

// stream asks one model. Where another one is at hand, no longer wait that its
// server asks for is sat out.
func (l Link) stream(ctx context.Context, req Request, show func(Delta) error, last bool) (Answer, error) {
	client, err := l.Open()
	if err != nil {
		return Answer{}, &unopened{err}
	}
	longest := busyWait
	if last {
		longest = maxWait
	}
	return client.stream(ctx, req, show, longest)
}

// unopened is the error of a client that could not be made.
type unopened struct{ cause error }

func (e *unopened) Error() string { return e.cause.Error() }
func (e *unopened) Unwrap() error { return e.cause }

// passes reports whether after err another model is worth asking.
func passes(err error) bool {
	var none *unopened
	if errors.As(err, &none) {
		return true
	}
	var e *Error
	if !errors.As(err, &e) || e.Partial != nil || e.TooLong() {
		return false
	}
	switch e.Kind {
	case Network, Auth, RateLimit, Server, NotFound, Timeout, Protocol:
		return true
	}
	return false
}
