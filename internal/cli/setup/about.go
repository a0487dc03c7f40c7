package setup

import (
	"slices"
	"strings"

	"ken/internal/config/edit"
)

// about is what a setting does, in a few words; "" for one that is not in the
// list. A name that the person chooses stands there as *.
func about(key []string) string {
	key = slices.Clone(key)
	switch key[0] {
	case "models", "keys":
		key[1] = "*"
	case "mcp":
		if len(key) == 4 {
			key[2] = "*"
		}
	}
	name := strings.ReplaceAll(edit.Key(key...), `"*"`, "*")
	for line := range strings.Lines(abouts) {
		if text, ok := strings.CutPrefix(line, name+": "); ok {
			return strings.TrimSpace(text)
		}
	}
	return ""
}

const abouts = `
model: preset to talk to; empty: whatever is found
fallback: presets that are tried in this order while no token has arrived
embeddings.base_url: endpoint that turns texts into vectors; empty: none
embeddings.model: name of its model
embeddings.timeout: longest wait for it
history.dir: data directory; empty: the usual place
session.autosave: write turns down as they happen
session.resume_on_start: begin with the last conversation of the project
session.fsync: when a session is forced to the disk: as it is closed, or line by line
context.max_turns: turns of a conversation that a model is shown
context.compact_at: part of the model's window at which old turns are summed up; 0: never
context.keep_turns: newest turns that a summary leaves alone
context.summary_max_tokens: length of the summary in tokens
context.output_max_tokens: what a question takes along of the output of commands, in tokens
shell.known_commands: first words that make a line a command; empty: the built-in list
shell.program: shell that runs your commands; empty: $SHELL
shell.confirm_cmd: ask before a command that a model offers
shell.model_timeout: longest run of a command of the model
shell.capture_bytes: output of a command that is kept, in bytes
redact.mode: what happens to secrets in what is written and sent
safety.allow: patterns of commands that run without a question
safety.ask: patterns of commands that are asked about
safety.deny: patterns of commands that never run
auto.max_steps: steps of one autonomous run
auto.max_time: longest autonomous run
auto.max_tokens: tokens of one autonomous run; 0: no limit
auto.skips: refused steps in a row before it asks what to do
rules.aggressiveness: how readily rules are proposed
mcp.auto_approve: tools that need no question: "server.tool" or "server.*"
mcp.max_tool_depth: rounds of tool calls in one turn
mcp.connect_timeout: longest wait for a server of tools
skills.max_chars: characters of a skill that a prompt takes
ui.color: when to use colours
ui.markdown: show Markdown as what it means
ui.quiet: no status lines
memory.enabled: read memory in conversations
memory.path: the memory file alone; empty: the usual place
memory.inject_max_tokens: budget of the start-up block, in tokens
memory.inject_max_chars: the same in characters; 0: not given
memory.inject_strategy: which memories go first into it
memory.activate_max_tokens: budget of what is recalled for one turn, in tokens
memory.activate_max_items: the same in memories
memory.disabled_scopes: scopes that never enter a prompt, such as "repo:example.org/me/x"
memory.policy: lifecycle policy: a file in policies/, without its suffix
memory.user_namespace: name that switches on profile and recent context; 1 to 32 of a-z, 0-9 and -
memory.working_memory_ttl_days: life of the recent context, in days
memory.working_memory_max_tokens: its length, in tokens
memory.proactive_session_greeting: begin a conversation with what is known
memory.auto_extract: look for memories in conversations: never, for the review, or to keep
memory.summarizer_model: preset that sums up; empty: the one in use
memory.prune_older_than_days: forget what was stated so long ago, in days; 0: never
memory.hygiene.auto: move memories that age out of the way
memory.hygiene.hot_days: days without use until one is no longer hot
memory.hygiene.archive_days: days without use until one is archived
memory.hygiene.hot_max: memories that stay hot
memory.hygiene.batch: memories that are moved in one go
memory.hygiene.forget: let hygiene forget, not only archive
memory.daily_log.enabled: keep a diary beside the memory
models.*.base_url: http or https address, with or without /v1
models.*.model: name that the endpoint knows
models.*.api_key_env: environment variable that holds the key
models.*.api_key_file: file that holds the key, mode 0600
models.*.temperature: how freely it answers
models.*.max_tokens: longest answer in tokens; 0: as the endpoint likes
models.*.context_tokens: size of its window in tokens
models.*.images: it takes images
models.*.connect_timeout: longest wait for a connection
models.*.first_token_timeout: longest wait for the first token
models.*.idle_timeout: longest silence of a stream
models.*.price_in: price of a million tokens sent
models.*.price_out: price of a million tokens received
mcp.servers.*.url: http or https address
mcp.servers.*.command: program and arguments
mcp.servers.*.auth_env: environment variable that holds the bearer token
keys.*: an action, or a command of the line editor
`
