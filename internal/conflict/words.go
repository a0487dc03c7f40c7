package conflict

// stative reports whether a verb says what is so for longer, and mostly of one
// value.
func stative(w string) bool {
	switch w {
	case "is", "am", "has", "have", "ha", "use", "run", "listen", "live", "work", "start", "begin", "end", "finish", "expire", "cost", "take",
		"target", "default", "prefer", "like", "dislike", "love", "hate", "avoid", "want", "wake", "open", "close", "last", "point", "resolve",
		"enable", "disable", "allow", "forbid", "deploy", "keep", "store", "log", "write", "belong", "report", "indent", "sit", "sort", "answer",
		"reply", "commit", "squash", "merge", "rebase", "stay", "sleep", "drink", "eat", "speak", "weigh", "measure", "happen", "go", "ship", "release":
		return true
	}
	return false
}

// named is the class of words that name one of a row.
func named(w string) string {
	switch w {
	case "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday":
		return "day"
	case "january", "february", "march", "april", "june", "july", "august", "september", "october", "november", "december":
		return "month"
	case "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve":
		return "number"
	case "hourly", "daily", "weekly", "monthly", "yearly":
		return "rate"
	}
	return ""
}

// opposite is the pair to which a word belongs of which one can be so; "" if it
// belongs to none.
func opposite(w string) string {
	switch w {
	case "tab", "space":
		return "indentation"
	case "dark", "light":
		return "shade"
	case "short", "long", "terse", "verbose", "brief", "detailed", "concise":
		return "length"
	case "like", "dislike", "hate", "love":
		return "liking"
	case "use", "avoid":
		return "use"
	case "enable", "disable", "enabled", "disabled", "on", "off":
		return "switch"
	case "allow", "forbid", "allowed", "forbidden":
		return "leave"
	case "metric", "imperial":
		return "units"
	case "single", "double":
		return "quotes"
	case "camelcase", "snake_case", "kebab-case", "pascalcase":
		return "case"
	case "merge", "rebase", "squash":
		return "joining"
	case "formal", "informal", "casual":
		return "tone"
	case "before", "after":
		return "order"
	case "public", "private":
		return "access"
	case "true", "false":
		return "truth"
	case "up", "down":
		return "state"
	case "morning", "evening", "afternoon", "night":
		return "part"
	case "ascending", "descending":
		return "sorting"
	case "left", "right":
		return "side"
	case "sync", "async", "synchronous", "asynchronous":
		return "timing"
	case "optional", "required", "mandatory":
		return "need"
	}
	return ""
}

// attribute reports whether words name something of which there is one value: its
// last word before a preposition does, or says so (my favourite ...).
func attribute(words []string) bool {
	head := ""
	for _, w := range words {
		if preposition(w) {
			break
		}
		switch w {
		case "favourite", "favorite", "main", "default", "preferred", "current", "primary", "first":
			return len(words) > 1
		}
		head = w
	}
	switch head {
	case "editor", "shell", "host", "hostname", "port", "name", "birthday", "email", "address", "timezone", "zone", "theme", "branch", "browser",
		"o", "os", "phone", "number", "city", "country", "boss", "lead", "deadline", "url", "database", "db", "indentation", "linter", "formatter",
		"license", "licence", "distro", "version", "username", "login", "nickname", "job", "employer", "company", "owner", "maintainer", "capital",
		"terminal", "registry", "domain", "region", "bucket", "path", "directory", "folder", "file", "limit", "timeout", "budget", "interval",
		"width", "language", "locale", "currency", "wife", "husband", "partner", "manager", "doctor", "dentist", "dog", "cat", "car", "age", "height",
		"weight", "size", "pronoun", "title", "role", "team", "codename", "endpoint", "framework", "encoding", "prefix", "suffix", "driver", "router",
		"keyboard", "layout", "font", "laptop", "server", "password-manager", "provider", "model", "day", "date", "time", "place", "color", "colour":
		return true
	}
	return false
}

// single reports whether a verb and its preposition take one value.
func single(verb, prep string) bool {
	switch verb + " " + prep {
	case "live in", "live at", "work at", "work for", "listen on", "report to", "deploy to", "belong to",
		"resolve to", "point to", "default to", "based in", "married to", "born in", "born on":
		return true
	}
	return false
}

// preposition reports whether a word restricts what stands before it.
func preposition(w string) bool {
	switch w {
	case "of", "for", "in", "on", "at", "from", "with", "since", "until", "during", "by", "under", "behind", "near", "without", "via", "to", "as", "within", "between":
		return true
	}
	return false
}

// adjective reports whether a word mostly says how something is.
func adjective(w string) bool {
	switch w {
	case "slow", "fast", "good", "bad", "great", "old", "new", "broken", "down", "up", "ready", "open", "closed", "empty", "full", "busy", "fine", "ok",
		"important", "nice", "big", "small", "easy", "hard", "online", "offline", "too", "so", "quite", "pretty", "part", "like", "more", "less", "better",
		"worse", "best", "worst", "large", "tiny", "heavy", "ugly", "beautiful", "flaky", "stable", "safe", "dangerous", "free", "expensive", "cheap",
		"public", "private", "read-only", "readonly", "secret", "unknown", "missing", "late", "early", "tired", "sick", "happy", "only", "mine", "my", "our",
		"his", "her", "their", "one", "it", "what", "where", "how", "why", "here", "there", "who", "case-sensitive", "required", "optional", "made", "written",
		"every", "each", "any", "all", "some", "no", "both":
		return true
	}
	return false
}
