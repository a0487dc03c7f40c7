package frame

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Joiner is what stands behind the first character of a role token in a text that is not the person's: nothing is
// seen of it, and the text is no token any more.
const Joiner = "\u2060"

// Tokens returns a text in which no words stand that the server of a model takes for the bounds of a
// message, of a thought or of a call: llama.cpp, Ollama and transformers read them as such wherever they stand.
// Inert, Data and Turn do it too.
func Tokens(text string) string {
	if !strings.ContainsAny(text, "<[|｜") {
		return text
	}
	var b strings.Builder
	at := 0
	for i := 0; i < len(text); {
		_, size := utf8.DecodeRuneInString(text[i:])
		if token(text[i:], size) {
			b.WriteString(text[at : i+size])
			b.WriteString(Joiner)
			at = i + size
		}
		i += size
	}
	if at == 0 {
		return text
	}
	return b.String() + text[at:]
}

// Plain returns a text that a model wrote without the joiners that it copied.
func Plain(text string) string { return strings.ReplaceAll(text, Joiner, "") }

// token reports whether a text begins with a role token, whose first character has so many bytes.
func token(text string, size int) bool {
	rest := text[size:]
	switch c := text[0]; {
	case c == '<' && strings.HasPrefix(rest, "|"):
		return len(rest) > 1 && !strings.ContainsRune(" \t\r\n|>=", rune(rest[1]))
	case c == '<' && (strings.HasPrefix(rest, "｜") || strings.HasPrefix(rest, "<SYS>>") || strings.HasPrefix(rest, "</SYS>>")):
		return true
	case c == '<':
		return tag(rest)
	case c == '[':
		word, _, ok := strings.Cut(strings.TrimPrefix(rest, "/"), "]")
		return ok && slices.Contains(inst(), word)
	case strings.HasPrefix(text, "｜>"):
		return true
	case strings.HasPrefix(rest, "|>"):
		return c == '"' || c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
	}
	return false
}

// tag reports whether a text, behind <, goes on as one of the tags that are tokens.
func tag(rest string) bool {
	rest = strings.TrimPrefix(rest, "/")
	n := 0
	for n < len(rest) && (rest[n] == '_' || rest[n] == ':' || rest[n] >= '0' && rest[n] <= '9' || rest[n]|0x20 >= 'a' && rest[n]|0x20 <= 'z') {
		n++
	}
	if n == 0 || n < len(rest) && !strings.ContainsRune("> \t\r\n/=|", rune(rest[n])) {
		return false
	}
	name := strings.ToLower(rest[:n])
	for _, prefix := range []string{"unused", "extra_id_", "special_", "reserved_"} {
		if after, ok := strings.CutPrefix(name, prefix); ok && strings.Trim(after, "0123456789") == "" {
			return true
		}
	}
	if i := strings.LastIndexByte(name, ':'); i >= 0 { // <minimax:tool_call>
		name = name[i+1:]
	}
	return slices.Contains(tags(), name)
}

// tags are the names of tags that models of the last years have tokens or templates for.
func tags() []string {
	return []string{
		"s", "bos", "eos", "pad", "unk", "sop", "eop", "bos_token", "eos_token",
		"start_of_turn", "end_of_turn", "turn", "start_of_image", "end_of_image", "image_soft_token",
		"think", "thinking", "thought", "reasoning", "longcat_think",
		"tool", "tools", "tool_call", "tool_calls", "tool_response", "tool_responses", "tool_result", "tool_results", "tool_output",
		"tool_outputs", "toolcall", "longcat_tool_call", "available_tools", "tool_declare",
		"function", "functions", "function_call", "function_calls", "function_results", "start_function_call", "end_function_call",
		"start_function_response", "end_function_response", "start_function_declaration", "end_function_declaration", "escape",
		"invoke", "parameter", "arg_key", "arg_value", "observation", "system", "assistant", "user", "im_start", "im_end",
	}
}

// inst are the words in brackets that are tokens of Mistral's and GLM's models.
func inst() []string {
	return []string{
		"INST", "SYSTEM_PROMPT", "AVAILABLE_TOOLS", "TOOL_CALLS", "TOOL_RESULTS", "TOOL_CONTENT", "CALL_ID", "ARGS", "THINK", "IMG",
		"IMG_BREAK", "IMG_END", "AUDIO", "BEGIN_AUDIO", "PREFIX", "SUFFIX", "MIDDLE", "MODEL_SETTINGS", "gMASK", "sMASK", "MASK",
	}
}
