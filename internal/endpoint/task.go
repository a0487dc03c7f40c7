package endpoint

import "strings"

// A task is what a program asks of a model for itself, as a title for its list: no question of the person.
type task struct {
	client string // whose it is
	// system and user are what the first message of the system and the last of the user begin with, and holds is what the latter
	// has as well; "" is anything. alone wants that no tools are offered.
	system, user, holds string
	alone               bool
}

// tasks are those that are known. No program marks them, so they are known by their words.
func tasks() []task {
	return []task{
		{client: "Open WebUI", user: "### Task:", holds: "<chat_history>"},
		{client: "opencode", system: "You are a title generator"},
		{client: "any", system: "Generate a title for", alone: true},
		{client: "any", system: "Generate a concise title", alone: true},
		{client: "Zed", user: "Generate a concise 3-7 word title for this conversation", alone: true},
		{client: "LibreChat", user: "Provide a concise, 5-word-or-less title for the conversation", alone: true},
	}
}

// task reports whether a request is a program's own.
func (r request) task() bool {
	system, user := "", ""
	for i, m := range r.messages {
		if m.role == "system" || m.role == "developer" {
			system = strings.TrimSpace(r.text(i))
			break
		}
	}
	if i := r.last(); i >= 0 {
		user = strings.TrimSpace(r.text(i))
	}
	for _, t := range tasks() {
		if strings.HasPrefix(system, t.system) && strings.HasPrefix(user, t.user) && strings.Contains(user, t.holds) && !(t.alone && r.tools) {
			return true
		}
	}
	return false
}
