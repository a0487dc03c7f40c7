package llm

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"ken/internal/llm/discover"
	"ken/internal/llm/wire"
)

// A Kind is a class of errors that callers treat alike.
type Kind string

// The kinds of an Error.
const (
	Network    Kind = "network"     // no connection, or it broke before the first token
	Auth       Kind = "auth"        // 401, 402, 403: the key or the account
	RateLimit  Kind = "rate_limit"  // 429
	Server     Kind = "server"      // 5xx, or an error in the stream
	BadRequest Kind = "bad_request" // other 4xx, or a request that cannot be written
	NotFound   Kind = "not_found"   // 404: no such model, or no such path
	Protocol   Kind = "protocol"    // an answer that is no chat completion
	Incomplete Kind = "incomplete"  // the answer broke off after its first token
	Timeout    Kind = "timeout"     // a limit of the preset, or of the caller's context
	Cancelled  Kind = "cancelled"   // by the caller's context
	Callback   Kind = "callback"    // by the caller's own callback
)

const (
	// lineBytes bounds each part of an Error that comes from outside.
	lineBytes = 500
	// shortBytes bounds it in a sentence for a person.
	shortBytes = 200
	// briefBytes bounds it where it is no more than a part of a line.
	briefBytes = 80
)

// An Error is a call that failed. Every error of a Client is one.
type Error struct {
	Kind   Kind
	Op     string // what was being done: "connect", "read answer", ...
	Preset string // its name
	URL    string // without user, query or key

	Status      int    // HTTP status, 0 if none came
	Code        string // the server's own code or type of error
	Message     string // the server's own words, one line
	ContentType string
	Head        string        // first 500 bytes of the body, without control characters; "" if Message says it
	RetryAfter  time.Duration // how long the server asked to wait

	// Partial is what had arrived before the error; nil if no token had.
	Partial *Answer

	images  bool              // the request had some
	window  int               // of the model, where the server states it beside its words; else 0
	sent    int               // tokens of the request, likewise
	param   string            // the field of the request that the server named
	setting string            // key of the preset that sets the limit that was hit
	keys    map[string]string // of the preset
	cause   error
}

func (e *Error) Error() string {
	if e.Kind == Callback && e.cause != nil { // no fault of the model's, nor of its server's
		return e.Op + ": " + wire.Line(e.cause.Error(), lineBytes)
	}
	var b strings.Builder
	if e.Preset != "" {
		b.WriteString("model " + e.Preset + ": ")
	}
	b.WriteString(e.Op)
	if e.URL != "" {
		b.WriteString(" " + e.URL)
	}
	if e.Status != 0 && e.Status/100 != 2 {
		b.WriteString(": " + strconv.Itoa(e.Status))
		if text := http.StatusText(e.Status); text != "" {
			b.WriteString(" " + text)
		}
	}
	if e.Message != "" {
		b.WriteString(": " + e.Message)
	}
	if e.Code != "" && !strings.Contains(e.Message, e.Code) {
		b.WriteString(" (" + e.Code + ")")
	}
	if e.Head != "" {
		if e.ContentType != "" {
			b.WriteString(": " + e.ContentType)
		}
		b.WriteString(": " + e.Head)
	}
	if e.cause != nil {
		b.WriteString(": " + wire.Line(e.cause.Error(), lineBytes))
	}
	return b.String()
}

// Short returns the error in one sentence for a person: what happened, and the server's own
// words. Where the server is, and all that it sent, Error says.
func (e *Error) Short() string {
	if e.Kind == Callback && e.cause != nil {
		return e.Error()
	}
	text := e.happened()
	if e.Status != 0 && e.Status/100 != 2 {
		text += " (" + strings.TrimSpace(strconv.Itoa(e.Status)+" "+http.StatusText(e.Status)) + ")"
	}
	if e.Preset != "" {
		text = "model " + e.Preset + ": " + text
	}
	switch {
	case e.Message != "":
		text += ": " + wire.Line(e.Message, shortBytes)
	case e.Code != "":
		text += ": " + e.Code
	case e.Kind == Protocol || e.Head != "" && e.Status/100 == 2:
		for _, part := range []string{e.ContentType, wire.Line(e.Head, briefBytes)} {
			if part != "" {
				text += ": " + part
			}
		}
	case e.Status == 0 || e.Status/100 == 2:
		if why := e.Brief(); why != strings.ReplaceAll(string(e.Kind), "_", " ") {
			text += ": " + why
		}
	}
	return text
}

// Sentence is an error for a person: of a call to a server one sentence, and of everything else what it says.
func Sentence(err error) string {
	text := err.Error()
	if call := (*Error)(nil); errors.As(err, &call) {
		text = strings.Replace(text, call.Error(), call.Short(), 1)
	}
	return text
}

// happened says what a kind of error is.
func (e *Error) happened() string {
	switch e.Kind {
	case Network:
		if u, err := url.Parse(e.URL); err == nil && u.Host != "" {
			return "the server at " + u.Host + " cannot be reached"
		}
		return "the server cannot be reached"
	case Auth:
		if e.Status == http.StatusPaymentRequired {
			return "the server wants to be paid"
		}
		return "the server did not accept the key"
	case RateLimit:
		return "too many requests for now"
	case Server:
		return "the server failed"
	case BadRequest:
		return "the server did not accept the request"
	case NotFound:
		return "the server does not have this"
	case Protocol:
		return "what the server sent is no answer"
	case Incomplete:
		return "the answer broke off"
	case Timeout:
		return "no answer in time"
	}
	return e.Op
}

func (e *Error) Unwrap() error { return e.cause }

// Brief returns the reason alone, in a few words for a line about something else:
// "connection refused", "503 Service Unavailable".
func (e *Error) Brief() string {
	var over *expired
	switch {
	case e.Status != 0 && e.Status/100 != 2:
		return strings.TrimSpace(strconv.Itoa(e.Status) + " " + http.StatusText(e.Status))
	case errors.As(e, &over):
		return over.Error()
	case e.Message != "":
		return wire.Line(e.Message, briefBytes)
	case e.cause != nil:
		cause := e.cause
		for next := errors.Unwrap(cause); next != nil; next = errors.Unwrap(cause) {
			cause = next
		}
		return wire.Line(cause.Error(), briefBytes)
	}
	return strings.ReplaceAll(string(e.Kind), "_", " ")
}

// NoImages reports whether the server refused the request because it has images, and not
// because one of them is too large or damaged. Servers have no common code for it.
func (e *Error) NoImages() bool {
	if !e.images || e.Kind != BadRequest && e.Kind != Server && e.Kind != NotFound {
		return false
	}
	text := strings.ToLower(e.Code + " " + e.Message + " " + e.Head)
	if containsAny(text, "too large", "too big", "exceed", "dimension", "could not process", "decode", "corrupt", "image size") {
		return false
	}
	return containsAny(text, "image", "multimodal", "multi-modal", "vision", "must be a string", "expected a string", "be a valid string")
}

// Hint says in one line what a person can do, "" if nothing is known to help.
func (e *Error) Hint() string {
	key := func(name string) string {
		switch said, ok := e.keys[name]; {
		case ok:
			return said
		case e.Preset == "":
			return name
		}
		return "models." + e.Preset + "." + name
	}
	switch {
	case errors.Is(e.cause, discover.ErrExposed):
		return HintExposed(key("plain_http"))
	case e.TooLong():
		return "the question is longer than the model can take: ask with less, or :reset"
	case e.NoImages():
		return "this model takes no pictures; ask another one, or leave them out"
	case e.setting != "":
		return "raise " + key(e.setting) + `, or set it to "0" for no limit`
	case needsFlag(strings.ToLower(e.Message)):
		return flagHint
	case strings.Contains(strings.ToLower(e.Message), "does not support tools"):
		return "this model cannot use tools; choose another one"
	}
	switch e.Kind {
	case Auth:
		if env, file := key("api_key_env"), key("api_key_file"); env != file {
			return "check " + env + " or " + file
		}
		return "check " + key("api_key_env")
	case NotFound:
		return "check " + key("model") + " and " + key("base_url")
	case Network:
		return "is the server running? check " + key("base_url")
	case RateLimit:
		return "wait and ask again, or use another model"
	case Protocol:
		return "no chat completion came back; check " + key("base_url")
	case BadRequest:
		if e.Status == 0 {
			return "check " + key("base_url")
		}
	case Incomplete:
		return "the answer is not whole; ask again, or say: go on"
	}
	return ""
}

// HintExposed returns what to do where a key would go over plain http; setting is what allows
// it.
func HintExposed(setting string) string {
	return "use an https:// address; if nobody can listen on the way: " + setting + " = true"
}

// kindOf is the kind of an HTTP status, or of a code like one in an error that
// came inside a success.
func kindOf(status int) Kind {
	switch status {
	case http.StatusUnauthorized, http.StatusPaymentRequired, http.StatusForbidden:
		return Auth
	case http.StatusNotFound:
		return NotFound
	case http.StatusTooManyRequests:
		return RateLimit
	case http.StatusRequestTimeout:
		return Server
	}
	switch {
	case status >= 500:
		return Server
	case status >= 400:
		return BadRequest
	}
	return Protocol
}

// fromFault makes an Error of what a server said. Without a status of its own,
// and in a success, it is the server's fault.
func fromFault(f wire.Fault, op string, status int) *Error {
	e := &Error{Kind: Server, Op: op, Status: status, Code: f.Code, Message: f.Message, param: f.Param}
	e.window, e.sent = tokensIn(f.Window), tokensIn(f.Sent)
	switch {
	case status >= 400:
		e.Kind = kindOf(status)
	case f.Status != 0:
		e.Kind = kindOf(f.Status)
	case strings.Contains(f.Code, "auth"), strings.Contains(f.Code, "api_key"):
		e.Kind = Auth
	case strings.Contains(f.Code, "rate_limit"), strings.Contains(f.Code, "quota"):
		e.Kind = RateLimit
	case strings.Contains(f.Code, "invalid_request"), strings.Contains(f.Code, "tool_use_failed"):
		e.Kind = BadRequest
	}
	return e
}
