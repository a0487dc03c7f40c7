package config

import (
	"slices"
	"strings"
	"time"

	"ken/internal/config/edit"
)

// A Config is all settings. The comment of a field names its unit and range;
// Default has what holds where the file says nothing. Maps are nil when empty.
type Config struct {
	Model      string           // the model to talk to, as Names has it; "" = whatever is found
	Fallback   []string         // models tried in this order while no token has arrived
	Models     map[string]Model // the presets by name
	Strong     string           // models.strong: the model that judges, as Names has it; "": see Judge
	Embeddings Embeddings
	History    History
	Session    Session
	Context    Context
	Memory     Memory
	Redact     Redact
	Shell      Shell
	Safety     Safety
	Auto       Auto
	Rules      Rules
	MCP        MCP
	Telegram   Telegram
	Serve      Serve
	Skills     Skills
	Tools      Tools
	Questions  Questions
	Keys       map[string]string // key sequence as in inputrc ("\C-n") -> action
	UI         UI

	given []string // the keys that the file sets, in its order
	rows  []int    // where their values stand

	missing []Problem
}

// Missing returns the places of the file that name a preset which is not there, be it by itself or
// in PRESET/NAME: model, memory.summarizer_model and fallback. The setting then counts as not set; whoever
// uses the settings says so.
func (c Config) Missing() []Problem { return c.missing }

// Has reports whether there is a preset of that name.
func (c Config) Has(preset string) bool {
	_, ok := c.Models[preset]
	return ok
}

// Names reports whether name is one that a setting may have for a model: that of a preset, or
// PRESET/NAME for another model at the server of one.
func (c Config) Names(name string) bool {
	_, ok := c.AtServerOf(name)
	return ok || c.Has(name)
}

// AtServerOf returns the preset of PRESET/NAME: of several, the one with the longest name. ok is
// false where name is no such name. NAME need not be known to anybody.
func (c Config) AtServerOf(name string) (preset string, ok bool) {
	for i := len(name) - 1; i > 0; i-- {
		if name[i] != '/' || !c.Has(name[:i]) {
			continue
		}
		if model := name[i+1:]; model != "" && strings.TrimSpace(model) == model {
			return name[:i], true
		}
	}
	return "", false
}

// Summarizer returns the model that sums up and reads conversations, as Names has it: that of
// memory.summarizer_model, else the preset called fast; "" for the one in force.
func (c Config) Summarizer() string {
	for _, name := range []string{c.Memory.SummarizerModel, "fast"} {
		if c.Names(name) {
			return name
		}
	}
	return ""
}

// strongPreset is the preset that judges if there is one of this name; strongKey is the setting that names another. A table
// [models.strong] is the preset, a string models.strong the setting.
const (
	strongPreset = "strong"
	strongKey    = "models.strong"
)

// Judge returns the model that judges what was learnt (skills, rules, patterns), as Names has it: that of models.strong, else the
// preset called strong, else the one called deep; "" for the one in force.
func (c Config) Judge() string {
	for _, name := range []string{c.Strong, strongPreset, "deep"} {
		if c.Names(name) {
			return name
		}
	}
	return ""
}

// FirstModel returns the preset whose table stands first in the file; "" if there is none.
func (c Config) FirstModel() string {
	for _, given := range c.given {
		key, err := edit.ParseKey(given)
		if err != nil || len(key) < 2 || key[0] != "models" {
			continue
		}
		if _, ok := c.Models[key[1]]; ok {
			return key[1]
		}
	}
	first := ""
	for name := range c.Models { // a table without a key
		if first == "" || name < first {
			first = name
		}
	}
	return first
}

// A Model is one preset: an endpoint, a model there, and how to talk to it.
type Model struct {
	BaseURL       string  // http or https; with or without /v1
	Model         string  // the name that the endpoint knows
	APIKeyEnv     string  // environment variable that holds the key
	APIKeyFile    string  // file that holds the key, mode 0600; absolute or ~/
	Temperature   float64 // 0 to 2
	MaxTokens     int     // longest answer in tokens; 0 = as the endpoint likes
	ContextTokens int     // size of the model's window in tokens, 256 or more; 0 = as its server says
	Images        bool    // the model takes images
	PlainHTTP     bool    // the key may go to another machine over http, unencrypted

	ConnectTimeout    time.Duration // 0 = none, as in the next two
	FirstTokenTimeout time.Duration // from the request to the first token
	IdleTimeout       time.Duration // between two signs of life of a stream

	PriceIn  float64 // of a million tokens sent; 0 with PriceOut = as the server says, or as is publicly known
	PriceOut float64 // of a million tokens received
	Currency string  // of both: three letters
}

// Embeddings is the optional endpoint that turns texts into vectors.
type Embeddings struct {
	BaseURL string        // "" = none
	Model   string        // the name that the endpoint knows
	Timeout time.Duration // of one request; 0 = none
}

// History moves the data directory.
type History struct {
	Dir string // absolute or ~/; "" = the default place
}

// Session is how conversations are recorded.
type Session struct {
	Autosave      bool   // write turns as they happen
	ResumeOnStart bool   // continue the last conversation of the project
	Fsync         string // "close" or "line": when the file is forced to disk
}

// Context is how much of a conversation a model is shown.
type Context struct {
	MaxTurns         int     // turns that are sent; a full context loses a quarter of them at once; 0 = as many as fit
	CompactAt        float64 // part of the window, 0 to 1, at which ken says that it fills up; 0 = never
	KeepTurns        int     // newest turns that a summary leaves alone
	SummaryMaxTokens int     // length of the summary
	OutputMaxTokens  int     // of one command's output
	Environment      bool    // a model is told the system, the shell, the directory and the day
}

// When a model writes where a conversation stopped, for the next one: never; where turns are summed
// up anyway; at the end as well, for which one is asked.
const (
	AccountOff        = "off"
	AccountCompaction = "compaction"
	AccountEnd        = "end"
)

// Memory is what is remembered and what of it reaches a prompt.
type Memory struct {
	Enabled                  bool
	ReadOnly                 bool     // nothing is ever written, nor suggested
	Path                     string   // of the log alone; absolute or ~/; "" = the default place
	InjectMaxTokens          int      // budget of the start-up block; see InjectBudget
	InjectMaxChars           int      // the same in characters; 0 = not given
	InjectStrategy           string   // "rank" or "recency"
	ActivateMaxTokens        int      // budget of what is recalled for one turn
	ActivateMaxItems         int      // the same in items
	DisabledScopes           []string // scopes that never enter a prompt
	Policy                   string   // name of a file in policies/, without suffix
	UserNamespace            string   // 1 to 32 of [a-z0-9-]; "" = off
	WorkingMemoryTTLDays     int      // 1 to 365
	WorkingMemoryMaxTokens   int      // 100 to 4000
	ProactiveSessionGreeting bool
	Account                  string // when a model writes where a conversation stopped: AccountOff, AccountCompaction or AccountEnd
	AutoExtract              string // "off", "queue" or "accept"
	SummarizerModel          string // preset; "" = the one in use
	PruneOlderThanDays       int    // 0 = never
	Hygiene                  Hygiene
	DailyLog                 DailyLog
}

// Hygiene is how memories are moved out of the way as they age.
type Hygiene struct {
	Auto        bool
	HotDays     int  // unused for longer: archived; 0 = never
	ArchiveDays int  // in the archive for longer: forgotten, if Forget; 0 = never
	HotMax      int  // hot items of one scope; 0 = no limit
	Batch       int  // of those above it, so many a day are archived; 1 or more
	Forget      bool // whether anything is forgotten for its age
}

// DailyLog is the diary that may be kept beside the memory.
type DailyLog struct {
	Enabled           bool
	MaxUserChars      int // of what the person said
	MaxAssistantChars int // of the answer
}

// Redact is what happens to secrets.
type Redact struct {
	Mode string // "mask" or "off"
}

// Shell is how lines of the shell are distinguished and run.
type Shell struct {
	KnownCommands []string      // first words that are commands; empty = the built-in list
	Program       string        // runs the person's commands; "" = $SHELL
	ConfirmCmd    bool          // ask before a command that a model offers
	GoOn          bool          // once such a command ran, the model is asked to go on from what it printed
	ModelTimeout  time.Duration // of a command in the model's lane; 0 = none
	CaptureBytes  int           // of a command's output, at least 1024
	ModelEnvPass  []string      // variables that the model's lane gets though they may hold secrets
}

// Safety is the person's own lists of command patterns, and what holds a model's commands.
type Safety struct {
	Allow        []string
	Ask          []string
	Deny         []string
	Sandbox      string   // "off", "write", "write+net" or "auto"
	SandboxWrite []string // directories that commands in the sandbox change beside the project
}

// Auto is what one autonomous run may spend.
type Auto struct {
	MaxSteps  int           // 1 or more
	MaxTime   time.Duration // 0 = no limit
	MaxTokens int           // 0 = no limit
	MaxCost   float64       // in the currency of the prices; 0 = no limit
	Skips     int           // refused steps in a row before it asks what to do, 1 or more
}

// Rules is how readily rules are proposed.
type Rules struct {
	Aggressiveness string // "conservative", "balanced" or "bold"
}

// MCP is the tool servers that ken itself uses.
type MCP struct {
	AutoApprove    []string      // "server.tool" or "server.*"
	MaxToolDepth   int           // rounds of tool calls in one turn, 1 or more
	ConnectTimeout time.Duration // until a server that was started answers; 0 = as long as it takes
	Servers        map[string]Server
}

// Serve is how ken serve stands in front of models.
type Serve struct {
	Owner []string          // what programs call the person whose memory it is, where they say who asks
	Alias map[string]string // other names for models, as the endpoint lists them

	UserSecretEnv  string // environment variable that holds the secret by which Open WebUI signs who asks
	UserSecretFile string // file that holds it; absolute or ~/; must be the owner's alone
	Record         bool   // what is asked by way of the endpoint, and the answers, are kept as conversations
}

// Telegram is the bot by which the person talks to ken on their phone.
type Telegram struct {
	TokenEnv  string // environment variable that holds the bot's token
	TokenFile string // file that holds it; absolute or ~/; must be the owner's alone
	APIURL    string // of a Bot API of one's own; "" = Telegram's
}

// A Server is one tool server: a URL, or a command that speaks over its
// standard input and output.
type Server struct {
	URL            string            // http or https
	Command        []string          // program and arguments
	Args           []string          // more arguments
	Env            map[string]string // variables that its command gets beside those that every program needs
	EnvPass        []string          // names of variables of ken's own environment that it gets
	Cwd            string            // absolute, ~/, or . for where ken is; "" = the home directory
	AuthEnv        string            // environment variable that holds the bearer token
	ConnectTimeout time.Duration     // 0 = that of all servers
	Local          []string          // names of its tools that reach nothing beyond this machine; "*": all

	ClientID        string // ken's name where the person signs in to it, or the https address of what describes ken; "" = ken registers itself
	ClientSecretEnv string // environment variable that holds the secret of a ClientID
}

// Skills is how much of a skill a prompt may take.
type Skills struct {
	MaxChars int // of one skill's body
}

// Tools is what a model has at hand.
type Tools struct {
	ProjectDocBytes int      // of AGENTS.md and the like, in all; 0 = they are not read
	Off             []string // names of tools that no model is offered; "all": none is
}

// Questions is what ken asks of its own accord.
type Questions struct {
	Off []string // sorts of such questions that are not asked: some of OwnQuestions
}

// OwnQuestions returns the sorts of questions that ken asks of its own accord, as questions.off names them.
func OwnQuestions() []string { return []string{"replace", "ended", "keep", "lessons", "projects"} }

// UI is how things look on a terminal.
type UI struct {
	Color    string // "auto", "always" or "never"
	Theme    string // "auto", "dark", "light" or "none": no colours, but bold and the like
	Markdown bool
	Quiet    bool // no notices that nobody asked for
	// Suggest says whether what the line may go on with is shown behind it, in grey.
	Suggest bool
	// Clipboard is by what a text is copied: "auto", "program", "terminal" or "off".
	Clipboard string
}

// Default returns what holds where no file says otherwise.
func Default() Config {
	return Config{
		Embeddings: Embeddings{Timeout: 2 * time.Second},
		Session:    Session{Autosave: true, Fsync: "close"},
		Context: Context{
			CompactAt: 0.75, KeepTurns: 6,
			SummaryMaxTokens: 1024, OutputMaxTokens: 2000, Environment: true,
		},
		Memory: Memory{
			Enabled:         true,
			InjectMaxTokens: 500, InjectStrategy: "rank",
			ActivateMaxTokens: 800, ActivateMaxItems: 12,
			WorkingMemoryTTLDays: 14, WorkingMemoryMaxTokens: 1000,
			Account: AccountCompaction, AutoExtract: "off",
			Hygiene:  Hygiene{Auto: true, HotDays: 60, ArchiveDays: 90, HotMax: 20, Batch: 5},
			DailyLog: DailyLog{MaxUserChars: 500, MaxAssistantChars: 1000},
		},
		Redact: Redact{Mode: "mask"},
		Safety: Safety{Sandbox: "off"},
		Shell:  Shell{ConfirmCmd: true, ModelTimeout: 2 * time.Minute, CaptureBytes: 64 << 10},
		Auto:   Auto{MaxSteps: 16, MaxTime: 15 * time.Minute, MaxTokens: 100_000, Skips: 3},
		Rules:  Rules{Aggressiveness: "balanced"},
		MCP:    MCP{MaxToolDepth: 8, ConnectTimeout: time.Minute},
		Skills: Skills{MaxChars: 4000},
		Tools:  Tools{ProjectDocBytes: 8192},
		UI:     UI{Color: "auto", Theme: "auto", Markdown: true, Suggest: true, Clipboard: "auto"},
	}
}

// DefaultModel returns what holds in a preset where its table says nothing.
func DefaultModel() Model {
	return Model{
		Temperature:       0.2,
		Currency:          "USD",
		ConnectTimeout:    10 * time.Second,
		FirstTokenTimeout: 10 * time.Minute, // a large model on a small machine reads slowly
		IdleTimeout:       2 * time.Minute,
	}
}

// Given reports whether the file sets key ("memory.enabled"), be it to the
// default.
func (c Config) Given(key string) bool { return slices.Contains(c.given, key) }

// GivenModel reports whether the file sets key ("images") of the preset called name.
func (c Config) GivenModel(name, key string) bool {
	return c.Given("models." + edit.Key(name) + "." + key)
}

// runesPerToken turns a budget in characters into one in tokens: no token is
// taken for more than four runes, so the block stays within the characters.
const runesPerToken = 4

// InjectBudget returns the budget of the start-up block in tokens. A budget in
// characters counts a quarter of it; if the file gives both, the smaller one
// holds.
func (c Config) InjectBudget() int {
	m := c.Memory
	switch {
	case m.InjectMaxChars == 0:
		return m.InjectMaxTokens
	case c.Given("memory.inject_max_tokens"):
		return min(m.InjectMaxTokens, m.InjectMaxChars/runesPerToken)
	}
	return m.InjectMaxChars / runesPerToken
}
