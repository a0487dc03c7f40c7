package foreign

import (
	"bytes"
	"errors"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A Format is a form in which another program keeps what it knows.
type Format string

// The formats. The first ones hold candidates, the others turns; exports of chat
// programs may hold both.
const (
	KeyValue     Format = "keyvalue"      // {"key","value","scope","kind"}
	Objects      Format = "objects"       // {"type","title","content","tags","tier"}; {"memory"} of mem0; observations of Engram
	ServerMemory Format = "server-memory" // {"type":"entity"|"relation"} of the reference MCP server
	ClaudeMD     Format = "claude-md"     // CLAUDE.md, AGENTS.md, GEMINI.md, rules of Cursor
	MemoryMD     Format = "memory-md"     // MEMORY.md and its topic files, written by an assistant
	ChatGPT      Format = "chatgpt"       // conversations.json of an export
	Claude       Format = "claude"        // conversations.json, projects.json, memories.json of an export
	ClaudeCode   Format = "claude-code"   // projects/**/*.jsonl
	Codex        Format = "codex"         // sessions/**/rollout-*.jsonl
	Gemini       Format = "gemini"        // chats/session-*.json, logs.json, checkpoints
	Ken          Format = "ken"           // a log of ken's: a copy, a backup, an export
	Turns        Format = "turns"         // see the package comment
)

// Formats returns all formats, in the order in which they are shown.
func Formats() []Format {
	return []Format{Turns, Ken, KeyValue, Objects, ServerMemory, ClaudeMD, MemoryMD, ChatGPT, Claude, ClaudeCode, Codex, Gemini}
}

// ErrPacked says that a file is an archive that is not unpacked here.
var ErrPacked = errors.New("a packed file: unpack it, and import what is in it")

// ErrZip says that a file is an archive for Unpack.
var ErrZip = errors.New("a zip file")

// HeadSize is how much of the beginning of a file a guess needs, in bytes.
const HeadSize = 64 << 10

// Guess returns the format of a file from its path and its first bytes; "" if it is
// none that is known. The error is ErrZip, ErrPacked or nil.
func Guess(name string, head []byte) (Format, error) {
	if bytes.HasPrefix(head, []byte("PK\x03\x04")) {
		return "", ErrZip
	}
	for _, magic := range []string{"\x1f\x8b", "7z\xbc\xaf", "Rar!", "BZh", "\xfd7zXZ"} {
		if bytes.HasPrefix(head, []byte(magic)) {
			return "", ErrPacked
		}
	}
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	first, _, _ := bytes.Cut(bytes.TrimLeft(bytes.TrimPrefix(text, []byte("```")), "\r\n"), []byte("\n"))
	if dated(string(first)) != "" {
		return MemoryMD, nil
	}
	if len(text) > 0 && (text[0] == '{' || text[0] == '[') && !isMarkdown(name) {
		return guessJSON(name, text), nil
	}
	if isMarkdown(name) {
		return guessMarkdown(name), nil
	}
	return "", nil
}

func isMarkdown(name string) bool {
	base := strings.ToLower(filepath.Base(name))
	return slices.Contains([]string{".md", ".mdc", ".markdown"}, path.Ext(base)) || base == ".cursorrules" || base == ".windsurfrules"
}

// Unnamed reports whether a file is Markdown whose name and place are those of no assistant: a page of anybody's,
// which is read like one that was written for assistants.
func Unnamed(name string) bool {
	base, dir := strings.ToLower(filepath.Base(name)), "/"+strings.TrimPrefix(strings.ToLower(filepath.ToSlash(filepath.Dir(name))), ".")+"/"
	if !isMarkdown(base) || path.Ext(base) == ".mdc" || strings.HasPrefix(base, ".") || strings.HasSuffix(base, "instructions.md") {
		return false
	}
	theirs := func(part string) bool { return strings.Contains(dir, part) }
	names := []string{"claude.md", "claude.local.md", "agents.md", "agent.md", "gemini.md", "memory.md", "conventions.md"}
	return !slices.Contains(names, base) &&
		!slices.ContainsFunc([]string{"/memory/", "/memories/", "/rules/", "/."}, theirs)
}

// guessMarkdown distinguishes what assistants write from what people write for them.
func guessMarkdown(name string) Format {
	dir, base := filepath.Split(filepath.Clean(name))
	if base == "MEMORY.md" || strings.HasSuffix(filepath.ToSlash(dir), "/memory/") || strings.HasSuffix(filepath.ToSlash(dir), "/memories/") {
		return MemoryMD
	}
	return ClaudeMD
}

// guessJSON goes by the names of fields that stand near the beginning.
func guessJSON(name string, head []byte) Format {
	has := func(names ...string) bool {
		for _, n := range names {
			if !bytes.Contains(head, []byte(`"`+n+`"`)) {
				return false
			}
		}
		return true
	}
	switch {
	case isKenLog(head):
		return Ken
	case has("mapping", "author"), has("mapping", "message"), has("current_node"):
		return ChatGPT
	case has("chat_messages"), has("conversations_memory"), has("prompt_template", "docs"):
		return Claude
	case has("session_meta"), has("response_item"), strings.HasPrefix(filepath.Base(name), "rollout-"):
		return Codex
	case has("sessionId", "parentUuid"), has("sessionId", "isSidechain"), has("sessionId", "message", "uuid"):
		return ClaudeCode
	case has("sessionId", "projectHash"), has("sessionId", "messageId"), has("role", "parts"):
		return Gemini
	case has("entityType"), has("relationType"), has("entities", "relations"):
		return ServerMemory
	case has("observations", "exported_at"), has("results", "memory"), has("memory", "user_id"), has("memory", "hash"), has("memory", "created_at"):
		return Objects // of Engram and mem0
	case has("session", "turn", "text"):
		return Turns
	case has("key", "value"):
		return KeyValue
	case has("title", "content"), has("type", "content"), has("kind", "content"), has("content", "supersedes"):
		return Objects
	case has("value"):
		return KeyValue
	}
	return ""
}
