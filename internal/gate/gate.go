package gate

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"unicode/utf8"

	"ken/internal/risk"
)

// An Action is what happens with a command line.
type Action uint8

// The actions, the strictest first.
const (
	Deny  Action = iota // it does not run
	Ask                 // a person is asked; where there is none it does not run
	Allow               // it runs
)

// String is "deny", "ask" or "allow".
func (a Action) String() string { return [...]string{"deny", "ask", "allow"}[a] }

// How says by what right a line ran, or would. The audit has it.
type How string

// The ways.
const (
	HowOnce    How = "once"    // the person said yes to this one run
	HowSession How = "session" // ... to these bytes, for as long as the session lasts
	HowAlways  How = "always"  // ... to a pattern
	HowAllow   How = "allow"   // a pattern of the settings
	HowLevel   How = "level"   // it is of a level that is not asked about
	HowRefused How = "refused" // it did not run: the person, or nobody to ask
	HowDeny    How = "deny"    // it did not run: a pattern of the settings
)

// A Location is where a line would run.
type Location struct {
	Dir     string // absolute
	Project string // scope of the repository or directory; what is approved for a session holds there
}

// A Rule is a remembered rule in its checkable form.
type Rule struct {
	risk.Rule
	Ref  string // of the memory
	Kind string // of the memory: rule, pref or lesson
	Text string // as it was remembered
}

// Name returns how the rule is named to a person: "rule #4", "pref #2".
func (r Rule) Name() string { return cmp.Or(r.Kind, "rule") + " #" + r.Ref }

// A Gate holds everything that is known before a line is decided.
type Gate struct {
	Judge func(line string) risk.Assessment // risk.Judge at the place where the line would run
	Lists Lists
	Rules []Rule
	// RulesUnknown is true if the memory could not be read: there may be rules.
	RulesUnknown bool
	Always       []Approval // those that stand
	Session      *Session   // nil: nothing was approved for a session
	// Within is set if the asker has read text from outside the project. Then no pattern and no
	// level allows a line that may reach beyond the project. Within reports whether a path, as it
	// stands in a line, lies in the project.
	Within func(path string) bool
}

// A Decision is what happens with one line at one place, and why.
type Decision struct {
	Action     Action
	How        How             // of Allow and Deny
	Assessment risk.Assessment // before rules
	Level      risk.Level      // with rules
	Why        string          // in a few words; quotes patterns, whose words may be anything
	Pattern    string          // of the settings or an approval that decided; "" if none did
	// Approval is the number of the approval that decided; 0 if none did.
	Approval int64
	Rules    []Rule // that matched
	// Once is set with Ask if nothing said beforehand could have answered. A yes is then for this
	// one time.
	Once bool
	line string
	at   Location
}

// Is reports whether the decision is about these bytes at this place.
func (d Decision) Is(line string, at Location) bool { return d.line == line && d.at == at }

// Approve approves the line of the decision for the session, in its project. The
// caller has asked a person. What must be asked about each time is not approved.
func (d Decision) Approve(s *Session) {
	if !d.Once {
		s.Approve(d.line, d.at.Project)
	}
}

// Sum returns the short sealed hash of a line, as the audit has it: 8 hexadecimal digits.
func Sum(line string) string {
	sum := sha256.Sum256([]byte(line))
	return hex.EncodeToString(sum[:4])
}

// Decide returns what happens with line at a place. It asks about levels from asks on, and always
// about Danger.
func (g *Gate) Decide(line string, at Location, asks risk.Level) Decision {
	v := g.Judge(line)
	d := Decision{Assessment: v, Level: v.Level, line: line, at: at}
	for _, r := range g.Rules {
		if r.Holds(v) {
			d.Rules, d.Level = append(d.Rules, r), max(d.Level, r.Raise)
		}
	}
	if p, f := about(g.Lists.deny, v); f == fits {
		d.Action, d.How, d.Pattern, d.Why = Deny, HowDeny, p.String(), "safety.deny has "+p.String()
		return d
	}
	d.Action = Ask
	if d.Why = g.mustAsk(v, d); d.Why != "" {
		d.Once = true
		return d
	}
	switch {
	case d.Level < asks:
		d.Action, d.How, d.Why = Allow, HowLevel, d.Level.String()+" is not asked about"
	case g.Session.Has(line, at.Project):
		d.Action, d.How, d.Why = Allow, HowSession, "approved for this session"
	case g.allowed(v, &d): // which says how
	default:
		d.Why = d.Level.String() + " is asked about"
	}
	if g.Within != nil && d.Action == Allow && d.How != HowSession {
		if _, beyond := risk.Beyond(v, g.Within); beyond {
			d.Action, d.How, d.Pattern, d.Approval, d.Once = Ask, "", "", 0, true
			d.Why = "the conversation holds text from outside the project, and this may reach beyond it"
		}
	}
	return d
}

// mustAsk is why only a person can let a line run now; "" if that is not so.
func (g *Gate) mustAsk(v risk.Assessment, d Decision) string {
	switch {
	case v.Level >= risk.Danger:
		return "it is a danger"
	case v.Level > risk.Safe && len(v.Commands) == 0:
		return "it cannot be parsed"
	case !utf8.ValidString(d.line) || strings.ContainsRune(d.line, utf8.RuneError):
		return "it has characters that could not be read"
	case len(d.Rules) > 0:
		return d.Rules[0].Name()
	case g.RulesUnknown:
		return "the memory cannot be read, and may hold rules"
	}
	if p, f := about(g.Lists.deny, v); f == may {
		return "it may be what safety.deny has: " + p.String()
	}
	if p, f := about(g.Lists.ask, v); f > misses {
		return "safety.ask has " + p.String()
	}
	return ""
}

// commands are all simple commands of a line, those that others run too.
func commands(v risk.Assessment) []risk.Simple {
	var all []risk.Simple
	var add func([]risk.Simple)
	add = func(list []risk.Simple) {
		for _, c := range list {
			all = append(all, c)
			add(c.Runs)
		}
	}
	add(v.Commands)
	return all
}

// about is the first pattern that is about a command of the line, surely or maybe.
func about(list []Pattern, v risk.Assessment) (found Pattern, best fit) {
	for _, p := range list {
		for _, c := range commands(v) {
			if f := p.restricts(c); f > best {
				found, best = p, f
			}
		}
	}
	return found, best
}

// allowed reports whether patterns cover all of the line, and then says so in to.
func (g *Gate) allowed(v risk.Assessment, to *Decision) bool {
	d := *to
	if len(v.Commands) == 0 || v.Level != risk.Caution {
		return false
	}
	var covered []risk.Simple
	for _, c := range v.Commands {
		if c.Level == risk.Safe {
			continue
		}
		if !g.isPlain(d.line, c) || !g.covers(c, &d) {
			return false
		}
		covered = append(covered, c)
	}
	for _, r := range v.Reasons {
		in := false
		for _, c := range covered {
			in = in || c.At <= r.At && r.At < c.End
		}
		if !in {
			return false // something around the commands
		}
	}
	if len(covered) == 0 {
		return false
	}
	d.Action, d.Why = Allow, "you approved "+d.Pattern
	if d.How == HowAllow {
		d.Why = "safety.allow has " + d.Pattern
	}
	*to = d
	return true
}

// isPlain reports whether a command of a line is just its words: nothing stands
// between them (a redirection may), and it runs nothing in turn but what is harmless.
func (g *Gate) isPlain(line string, c risk.Simple) bool {
	if len(c.Set) > 0 || c.At < 0 || c.End > len(line) || c.At >= c.End {
		return false
	}
	for _, inner := range commands(risk.Assessment{Commands: c.Runs}) {
		if inner.Level > risk.Safe {
			return false
		}
	}
	alone := g.Judge(line[c.At:c.End]).Commands
	return len(alone) == 1 && alone[0].Plain && slices.Equal(alone[0].Argv, c.Argv)
}

// covers finds the pattern that allows a command, and notes the last in d; one that
// was approved goes before one of the settings, since its use is counted.
func (g *Gate) covers(c risk.Simple, d *Decision) bool {
	for _, a := range g.Always {
		if a.Pattern.covers(c) {
			d.How, d.Approval, d.Pattern = HowAlways, a.ID, a.Pattern.String()
			return true
		}
	}
	for _, p := range g.Lists.allow {
		if p.covers(c) {
			if d.Approval == 0 {
				d.How, d.Pattern = HowAllow, p.String()
			}
			return true
		}
	}
	return false
}
