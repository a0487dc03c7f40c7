package config

import (
	"math"
	"net"
	"net/url"
	"strings"
)

// fields is the whole table of keys but those below tables whose names the
// person chooses (models, mcp.servers, keys). dst are the places in c.
func (c *Config) fields() []field {
	m := &c.Memory
	return []field{
		str("model", &c.Model),
		list("fallback", &c.Fallback),

		str(strongKey, &c.Strong),

		str("embeddings.base_url", &c.Embeddings.BaseURL, webURL),
		str("embeddings.model", &c.Embeddings.Model),
		span("embeddings.timeout", &c.Embeddings.Timeout),

		str("history.dir", &c.History.Dir, filePath),

		boolean("session.autosave", &c.Session.Autosave),
		boolean("session.resume_on_start", &c.Session.ResumeOnStart),
		choice("session.fsync", &c.Session.Fsync, "close", "line"),

		atLeast("context.max_turns", &c.Context.MaxTurns, 0),
		number("context.compact_at", &c.Context.CompactAt, 0, 1),
		atLeast("context.keep_turns", &c.Context.KeepTurns, 0),
		atLeast("context.summary_max_tokens", &c.Context.SummaryMaxTokens, 1),
		atLeast("context.output_max_tokens", &c.Context.OutputMaxTokens, 1),
		boolean("context.environment", &c.Context.Environment),

		boolean("memory.enabled", &m.Enabled),
		str("memory.path", &m.Path, filePath),
		boolean("memory.read_only", &m.ReadOnly),
		atLeast("memory.inject_max_tokens", &m.InjectMaxTokens, 0),
		atLeast("memory.inject_max_chars", &m.InjectMaxChars, 0),
		choice("memory.inject_strategy", &m.InjectStrategy, "rank", "recency"),
		atLeast("memory.activate_max_tokens", &m.ActivateMaxTokens, 0),
		atLeast("memory.activate_max_items", &m.ActivateMaxItems, 0),
		list("memory.disabled_scopes", &m.DisabledScopes, scope),
		str("memory.policy", &m.Policy),
		str("memory.user_namespace", &m.UserNamespace, label),
		whole("memory.working_memory_ttl_days", &m.WorkingMemoryTTLDays, 1, 365),
		whole("memory.working_memory_max_tokens", &m.WorkingMemoryMaxTokens, 100, 4000),
		boolean("memory.proactive_session_greeting", &m.ProactiveSessionGreeting),
		choice("memory.account", &m.Account, AccountOff, AccountCompaction, AccountEnd),
		choice("memory.auto_extract", &m.AutoExtract, "off", "queue", "accept"),
		str("memory.summarizer_model", &m.SummarizerModel),
		atLeast("memory.prune_older_than_days", &m.PruneOlderThanDays, 0),
		boolean("memory.hygiene.auto", &m.Hygiene.Auto),
		atLeast("memory.hygiene.hot_days", &m.Hygiene.HotDays, 0),
		atLeast("memory.hygiene.archive_days", &m.Hygiene.ArchiveDays, 0),
		atLeast("memory.hygiene.hot_max", &m.Hygiene.HotMax, 0),
		atLeast("memory.hygiene.batch", &m.Hygiene.Batch, 1),
		boolean("memory.hygiene.forget", &m.Hygiene.Forget),
		boolean("memory.daily_log.enabled", &m.DailyLog.Enabled),
		whole("memory.daily_log.max_user_chars", &m.DailyLog.MaxUserChars, 1, 100_000),
		whole("memory.daily_log.max_assistant_chars", &m.DailyLog.MaxAssistantChars, 1, 100_000),

		choice("redact.mode", &c.Redact.Mode, "mask", "off"),

		list("shell.known_commands", &c.Shell.KnownCommands),
		str("shell.program", &c.Shell.Program),
		boolean("shell.confirm_cmd", &c.Shell.ConfirmCmd),
		boolean("shell.go_on", &c.Shell.GoOn),
		span("shell.model_timeout", &c.Shell.ModelTimeout),
		atLeast("shell.capture_bytes", &c.Shell.CaptureBytes, 1024),
		list("shell.model_env_pass", &c.Shell.ModelEnvPass, envName),

		list("safety.allow", &c.Safety.Allow),
		list("safety.ask", &c.Safety.Ask),
		list("safety.deny", &c.Safety.Deny),
		choice("safety.sandbox", &c.Safety.Sandbox, "off", "write", "write+net", "auto"),
		list("safety.sandbox_write", &c.Safety.SandboxWrite, filePath),

		atLeast("auto.max_steps", &c.Auto.MaxSteps, 1),
		span("auto.max_time", &c.Auto.MaxTime),
		atLeast("auto.max_tokens", &c.Auto.MaxTokens, 0),
		number("auto.max_cost", &c.Auto.MaxCost, 0, math.Inf(1)),
		atLeast("auto.skips", &c.Auto.Skips, 1),

		choice("rules.aggressiveness", &c.Rules.Aggressiveness, "conservative", "balanced", "bold"),

		list("mcp.auto_approve", &c.MCP.AutoApprove, approval),
		atLeast("mcp.max_tool_depth", &c.MCP.MaxToolDepth, 1),
		span("mcp.connect_timeout", &c.MCP.ConnectTimeout),

		list("serve.owner", &c.Serve.Owner, given),
		str("serve.user_secret_env", &c.Serve.UserSecretEnv, envName),
		str("serve.user_secret_file", &c.Serve.UserSecretFile, filePath),
		boolean("serve.record", &c.Serve.Record),

		str("telegram.token_env", &c.Telegram.TokenEnv, envName),
		str("telegram.token_file", &c.Telegram.TokenFile, filePath),
		str("telegram.api_url", &c.Telegram.APIURL, webURL, private),

		atLeast("skills.max_chars", &c.Skills.MaxChars, 0),

		whole("tools.project_doc_bytes", &c.Tools.ProjectDocBytes, 0, 64<<10),
		list("tools.off", &c.Tools.Off),

		list("questions.off", &c.Questions.Off, oneOf(OwnQuestions()...)),

		choice("ui.color", &c.UI.Color, "auto", "always", "never"),
		choice("ui.theme", &c.UI.Theme, "auto", "dark", "light", "none"),
		boolean("ui.markdown", &c.UI.Markdown),
		boolean("ui.quiet", &c.UI.Quiet),
		boolean("ui.suggest", &c.UI.Suggest),
		choice("ui.clipboard", &c.UI.Clipboard, "auto", "program", "terminal", "off"),
	}
}

// fields is the table of keys of one preset.
func (m *Model) fields() []field {
	return []field{
		str("base_url", &m.BaseURL, webURL),
		str("model", &m.Model),
		str("api_key_env", &m.APIKeyEnv, envName),
		str("api_key_file", &m.APIKeyFile, filePath),
		number("temperature", &m.Temperature, 0, 2),
		atLeast("max_tokens", &m.MaxTokens, 0),
		orNone("context_tokens", &m.ContextTokens, 256),
		boolean("images", &m.Images),
		boolean("plain_http", &m.PlainHTTP),
		span("connect_timeout", &m.ConnectTimeout),
		span("first_token_timeout", &m.FirstTokenTimeout),
		span("idle_timeout", &m.IdleTimeout),
		number("price_in", &m.PriceIn, 0, math.Inf(1)),
		number("price_out", &m.PriceOut, 0, math.Inf(1)),
		str("currency", &m.Currency, currency),
	}
}

// fields is the table of keys of one tool server.
func (s *Server) fields() []field {
	return []field{
		str("url", &s.URL, webURL),
		list("command", &s.Command),
		list("args", &s.Args),
		list("env_pass", &s.EnvPass, envName, given),
		str("cwd", &s.Cwd, workDir),
		str("auth_env", &s.AuthEnv, envName),
		str("client_id", &s.ClientID),
		str("client_secret_env", &s.ClientSecretEnv, envName),
		span("connect_timeout", &s.ConnectTimeout),
		list("local", &s.Local),
	}
}

// given is the rule of what may not be empty.
func given(s string) string {
	if s == "" {
		return "it is empty"
	}
	return ""
}

// workDir is the rule of the directory that a tool server starts in.
func workDir(s string) string {
	if s == "." {
		return ""
	}
	return filePath(s)
}

// ServerName says what is wrong with the name of a tool server; "" if nothing is: it stands
// in the names of its tools, server__tool, which all models take.
func ServerName(name string) string {
	const want = "want 1 to 16 of a-z, 0-9 and -"
	if name == "" || len(name) > 16 || label(name) != "" {
		return want
	}
	return ""
}

// private is the rule of an address that a secret is part of.
func private(s string) string {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "http" {
		return ""
	}
	if ip := net.ParseIP(u.Hostname()); ip != nil && ip.IsLoopback() || u.Hostname() == "localhost" {
		return ""
	}
	return "want https://, or an address of this machine itself: others could read the token on the way"
}

// approval is the rule of what may be called unasked.
func approval(s string) string {
	server, tool, ok := strings.Cut(s, ".")
	if !ok || tool == "" || ServerName(server) != "" || strings.ContainsAny(tool, "\x00\n") {
		return `want "server.tool", or "server.*" for all tools of one`
	}
	return ""
}

// currency is the rule of the code of a currency.
func currency(s string) string {
	if len(s) == 3 && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
		return ""
	}
	return `want three capital letters, such as "USD" or "EUR"`
}

// scope is the rule of a scope that can be switched off.
func scope(s string) string {
	for _, form := range []string{"repo:", "dir:", "session:"} {
		if len(s) > len(form) && s[:len(form)] == form {
			return ""
		}
	}
	if s == "user" {
		return ""
	}
	return `want "user", "repo:<host/path>" or "dir:<path>"`
}
