package setup

import "ken/internal/config/edit"

// about is what a setting does, in a few words; "" for one that is new here.
func about(key []string) string {
	if len(key) == 3 && key[0] == "models" {
		return aboutModel(key[2])
	}
	if len(key) == 4 && key[0] == "mcp" {
		return aboutServer(key[3])
	}
	if key[0] == "keys" {
		return "an action, or a command of the line editor"
	}
	switch edit.Key(key...) {
	case "model":
		return "preset to talk to; empty: whatever is found"
	case "fallback":
		return "presets that are tried in this order while no token has arrived"
	case "embeddings.base_url":
		return "endpoint that turns texts into vectors; empty: none"
	case "embeddings.model":
		return "name of its model"
	case "embeddings.timeout":
		return "longest wait for it"
	case "history.dir":
		return "data directory; empty: the usual place"
	case "session.autosave":
		return "write turns down as they happen"
	case "session.resume_on_start":
		return "begin with the last conversation of the project"
	case "session.fsync":
		return "when a session is forced to the disk: as it is closed, or line by line"
	case "context.max_turns":
		return "turns of a conversation that a model is shown"
	case "context.compact_at":
		return "part of the model's window at which old turns are summed up; 0: never"
	case "context.keep_turns":
		return "newest turns that a summary leaves alone"
	case "context.summary_max_tokens":
		return "length of the summary in tokens"
	case "context.output_max_tokens":
		return "what a question takes along of the output of commands, in tokens"
	case "shell.known_commands":
		return "first words that make a line a command; empty: the built-in list"
	case "shell.program":
		return "shell that runs your commands; empty: $SHELL"
	case "shell.confirm_cmd":
		return "ask before a command that a model offers"
	case "shell.model_timeout":
		return "longest run of a command of the model"
	case "shell.capture_bytes":
		return "output of a command that is kept, in bytes"
	case "redact.mode":
		return "what happens to secrets in what is written and sent"
	case "safety.allow":
		return "patterns of commands that run without a question"
	case "safety.ask":
		return "patterns of commands that are asked about"
	case "safety.deny":
		return "patterns of commands that never run"
	case "auto.max_steps":
		return "steps of one autonomous run"
	case "auto.max_time":
		return "longest autonomous run"
	case "auto.max_tokens":
		return "tokens of one autonomous run; 0: no limit"
	case "auto.skips":
		return "refused steps in a row before it asks what to do"
	case "rules.aggressiveness":
		return "how readily rules are proposed"
	case "mcp.auto_approve":
		return `tools that need no question: "server.tool" or "server.*"`
	case "mcp.max_tool_depth":
		return "rounds of tool calls in one turn"
	case "mcp.connect_timeout":
		return "longest wait for a server of tools"
	case "skills.max_chars":
		return "characters of a skill that a prompt takes"
	case "ui.color":
		return "when to use colours"
	case "ui.markdown":
		return "show Markdown as what it means"
	case "ui.quiet":
		return "no status lines"
	}
	return aboutMemory(edit.Key(key...))
}

func aboutMemory(key string) string {
	switch key {
	case "memory.enabled":
		return "read memory in conversations"
	case "memory.path":
		return "the memory file alone; empty: the usual place"
	case "memory.inject_max_tokens":
		return "budget of the start-up block, in tokens"
	case "memory.inject_max_chars":
		return "the same in characters; 0: not given"
	case "memory.inject_strategy":
		return "which memories go first into it"
	case "memory.activate_max_tokens":
		return "budget of what is recalled for one turn, in tokens"
	case "memory.activate_max_items":
		return "the same in memories"
	case "memory.disabled_scopes":
		return `scopes that never enter a prompt, such as "repo:example.org/me/x"`
	case "memory.policy":
		return "lifecycle policy: a file in policies/, without its suffix"
	case "memory.user_namespace":
		return "name that switches on profile and recent context; 1 to 32 of a-z, 0-9 and -"
	case "memory.working_memory_ttl_days":
		return "life of the recent context, in days"
	case "memory.working_memory_max_tokens":
		return "its length, in tokens"
	case "memory.proactive_session_greeting":
		return "begin a conversation with what is known"
	case "memory.auto_extract":
		return "look for memories in conversations: never, for the review, or to keep"
	case "memory.summarizer_model":
		return "preset that sums up; empty: the one in use"
	case "memory.prune_older_than_days":
		return "forget what was stated so long ago, in days; 0: never"
	case "memory.hygiene.auto":
		return "move memories that age out of the way"
	case "memory.hygiene.hot_days":
		return "days without use until one is no longer hot"
	case "memory.hygiene.archive_days":
		return "days without use until one is archived"
	case "memory.hygiene.hot_max":
		return "memories that stay hot"
	case "memory.hygiene.batch":
		return "memories that are moved in one go"
	case "memory.hygiene.forget":
		return "let hygiene forget, not only archive"
	case "memory.daily_log.enabled":
		return "keep a diary beside the memory"
	}
	return ""
}

func aboutModel(key string) string {
	switch key {
	case "base_url":
		return "http or https address, with or without /v1"
	case "model":
		return "name that the endpoint knows"
	case "api_key_env":
		return "environment variable that holds the key"
	case "api_key_file":
		return "file that holds the key, mode 0600"
	case "temperature":
		return "how freely it answers"
	case "max_tokens":
		return "longest answer in tokens; 0: as the endpoint likes"
	case "context_tokens":
		return "size of its window in tokens"
	case "images":
		return "it takes images"
	case "connect_timeout":
		return "longest wait for a connection"
	case "first_token_timeout":
		return "longest wait for the first token"
	case "idle_timeout":
		return "longest silence of a stream"
	case "price_in":
		return "price of a million tokens sent"
	case "price_out":
		return "price of a million tokens received"
	}
	return ""
}

func aboutServer(key string) string {
	switch key {
	case "url":
		return "http or https address"
	case "command":
		return "program and arguments"
	case "auth_env":
		return "environment variable that holds the bearer token"
	}
	return ""
}
