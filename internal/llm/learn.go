package llm

import (
	"net/http"
	"slices"
	"strings"
)

// A lesson is one thing that a refusal may teach.
type lesson struct {
	// template says that the words are those of the template of a model, which llama.cpp sends with 500.
	template bool
	applies  bool // what was sent can be the cause
	means    func(said string) bool
	take     func(*shape)
	warning  string
}

// learn looks in a refusal for something that was sent and need not be, or can be put otherwise, and does
// so from now on. It returns a warning that says so, "" if there was none.
func (c *Client) learn(e *Error, sent shape, req Request) string {
	refused := refuses(e)
	template := refused || e.Status == http.StatusInternalServerError || e.Status == http.StatusNotFound
	if !template || e.TooLong() {
		return ""
	}
	said := strings.ToLower(e.Message + " " + e.param + " " + e.Head)
	for _, l := range append(lessonsOfFields(sent), lessonsOfTemplates(sent, req)...) {
		if l.applies && (refused || l.template) && l.means(said) {
			c.mu.Lock()
			defer c.mu.Unlock()
			l.take(&c.shape)
			return l.warning
		}
	}
	return ""
}

// refuses reports whether an answer is about what was sent, and how.
func refuses(e *Error) bool {
	return (e.Status == http.StatusBadRequest || e.Status == http.StatusUnprocessableEntity) && !e.TooLong()
}

// unlearn has everything forgotten that was learned, after a refusal that teaches nothing: what the server took before it may
// not take now, and it is asked as it was at first. It reports whether that is worth a try: something was learned, and
// the last time that all was forgotten was not in vain.
func (c *Client) unlearn(e *Error, sent shape) bool {
	first := c.preset.shape()
	if !refuses(e) || sent == first {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.inVain {
		return false
	}
	c.shape, c.inVain = first, true
	return true
}

// answered takes note that a request of this shape was answered: what was learned holds, or what was forgotten did not.
func (c *Client) answered(s shape) {
	c.mu.Lock()
	c.inVain = false
	names := s.learned(c.preset.shape())
	tell := c.o.Learned != nil && !slices.Equal(names, c.told)
	if tell {
		c.told = names
	}
	c.mu.Unlock()
	if tell {
		c.o.Learned(names)
	}
}

// lessonsOfFields are those of optional fields.
func lessonsOfFields(sent shape) []lesson {
	unknown := func(said string) bool {
		return containsAny(said, "unsupported", "not support", "unknown", "unrecognized", "unexpected", "not allowed", "not permitted",
			"forbidden", "extra", "invalid", "additional")
	}
	return []lesson{
		{
			applies: sent.temperature,
			means:   func(said string) bool { return strings.Contains(said, "temperature") },
			take:    func(s *shape) { s.temperature = false },
			warning: "the server refused the temperature; asking without it",
		}, {
			applies: sent.streamOptions,
			means:   func(said string) bool { return containsAny(said, "stream_options", "include_usage") },
			take:    func(s *shape) { s.streamOptions = false },
			warning: "the server refused stream_options; asking without a count of tokens",
		}, {
			applies: sent.maxTokens && !sent.completionTokens,
			means: func(said string) bool {
				return strings.Contains(said, "max_tokens") && !strings.Contains(said, "too large") &&
					(unknown(said) || strings.Contains(said, "max_completion_tokens"))
			},
			take:    func(s *shape) { s.completionTokens = true },
			warning: "the server refused max_tokens; asking with max_completion_tokens",
		}, {
			applies: sent.raw,
			means: func(said string) bool {
				return unknown(said) && containsAny(said, "reasoning", "extra_content", "messages.", "messages[") && !ofContent(said)
			},
			take:    func(s *shape) { s.raw = false },
			warning: "the server refused a field of an earlier answer; asking without such fields",
		},
	}
}

// lessonsOfTemplates are those of what the template of a model takes.
func lessonsOfTemplates(sent shape, req Request) []lesson {
	return []lesson{
		{
			template: true,
			applies:  !sent.noTools && !sent.noFlag && len(req.Tools) > 0,
			means:    refusesTools,
			take:     func(s *shape) { s.noTools = true },
			warning:  "this model takes no tools: it is asked without, and proposes commands in lines that begin with CMD:",
		}, {
			template: true,
			applies:  !sent.noTools && !sent.noFlag && len(req.Tools) > 0,
			means:    needsFlag,
			take:     func(s *shape) { s.noFlag = true },
			warning:  "the server was not started for tools: asking without; " + flagHint,
		}, {
			template: true,
			applies:  !sent.single && calling(req.Messages, 2),
			means: func(said string) bool {
				return containsAny(said, "single tool-call", "single tool call", "one tool call", "one tool-call", "multiple tool calls",
					"multiple tool-calls", "parallel tool calls", "parallel tool-calls", "parallel function call")
			},
			take:    func(s *shape) { s.single = true },
			warning: "the server takes one call of a tool in a message; asking with a message for each",
		}, {
			template: true,
			applies:  !sent.shortIDs && calling(req.Messages, 1),
			means: func(said string) bool {
				return strings.Contains(said, "alphanumeric") && containsAny(said, "length of 9", "length 9", "9 char")
			},
			take:    func(s *shape) { s.shortIDs = true },
			warning: "the server refused the ids of calls; asking with short ones",
		}, {
			template: true,
			applies:  !sent.noSystem && len(req.Messages) > 0 && req.Messages[0].Role == roleSystem,
			means: func(said string) bool {
				return containsAny(said, "system role", "system message", "system prompt", "system instruction", "developer instruction",
					"role 'system'", `role "system"`, "role: system") &&
					containsAny(said, "not support", "unsupported", "not enabled", "not allowed", "invalid role", "unknown role", "no system")
			},
			take:    func(s *shape) { s.noSystem = true },
			warning: "this model takes no system message; asking with it in the first question",
		}, {
			applies: !sent.nullContent && wordless(req.Messages),
			means:   ofContent,
			take:    func(s *shape) { s.nullContent = true },
			warning: "the server refused the empty text beside a call; asking with none",
		},
	}
}

// refusesTools reports whether a refusal says that the model takes no tools.
func refusesTools(said string) bool {
	return containsAny(said, "does not support tool", "not support tools", "tools are not supported", "tool use is not supported",
		"not support tool use", "not support tool call", "not support function call", "function calling is not supported",
		"tool calling is not supported", "function calling is not enabled", "no endpoints found that support tool use")
}

// needsFlag reports whether a refusal says that the server has to be started otherwise for tools.
func needsFlag(said string) bool {
	return containsAny(said, "--enable-auto-tool-choice", "--tool-call-parser", "requires --jinja", "use --jinja")
}

// flagHint is what helps then.
const flagHint = "start vLLM with --enable-auto-tool-choice and --tool-call-parser NAME, llama.cpp with --jinja"

// ofContent reports whether a refusal is about the text of a message that is empty.
func ofContent(said string) bool {
	said = strings.NewReplacer("reasoning_content", "", "extra_content", "").Replace(said) // those are fields of others
	return containsAny(said, "content", "text field") && !containsAny(said, "content_filter", "content filter", "content management") &&
		containsAny(said, "empty", "blank", "null", "none", "at least 1 char", "at least one char", "too_short", "minlength", "whitespace")
}

// wordless reports whether some message calls tools and says nothing.
func wordless(list []Message) bool {
	for _, m := range list {
		if len(m.ToolCalls) > 0 && m.Content == "" && len(m.Images) == 0 {
			return true
		}
	}
	return false
}

func containsAny(s string, parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}
