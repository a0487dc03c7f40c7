package run

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/gate"
	"ken/internal/risk"
	"ken/internal/termsafe"
	"ken/internal/view"
)

// SafetyCommand is the command `safety` with all below it.
func SafetyCommand(a *term.Run) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "safety",
		Short: "what you have approved, and what would happen with a command",
		Long: `Safety shows what was said beforehand about commands that models ask for: the
patterns of your settings (safety.allow, safety.ask, safety.deny), and what you have
approved with the key for always. What you type yourself is never asked about.`,
		Example:     "  ken safety list\n  ken safety revoke 3\n  ken safety test 'git push origin main'",
		Args:        cobra.NoArgs,
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE:        func(cmd *cobra.Command, _ []string) error { return list(cmd.Context(), a, false) },
	}
	cmd.AddCommand(listCommand(a), revokeCommand(a), testCommand(a))
	return cmd
}

func listCommand(a *term.Run) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "list", Short: "patterns, rules and approvals, with their uses", Args: cobra.NoArgs,
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE:        func(cmd *cobra.Command, _ []string) error { return list(cmd.Context(), a, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as one JSON object")
	return cmd
}

func revokeCommand(a *term.Run) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "revoke N...", Short: "take approvals back, by their numbers", Args: cobra.MinimumNArgs(1),
		Annotations: term.Writes{Person: "changes what is approved"}.Note(),
		RunE:        func(cmd *cobra.Command, args []string) error { return revoke(cmd.Context(), a, args, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as one JSON object")
	return cmd
}

func testCommand(a *term.Run) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "test [flags] COMMAND", Short: "what would happen with a command here, and why; nothing runs",
		Annotations: term.Writes{Nothing: true}.Note(term.CommandLine()),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fault.Usagef("test what?").WithHint("%s COMMAND", fault.Command("safety test"))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			line, err := Line(args)
			if err != nil {
				return err
			}
			return test(cmd.Context(), a, line, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as one JSON object")
	return cmd
}

// A listing is the JSON form of what was said beforehand.
type listing struct {
	Allow     []string   `json:"allow"`
	Ask       []string   `json:"ask"`
	Deny      []string   `json:"deny"`
	Approvals []approval `json:"approvals"`
	Rules     []ruleRow  `json:"rules"` // that hold here
	Session   int        `json:"session"`
	Damaged   string     `json:"damaged,omitempty"` // why approvals count for nothing
}

type approval struct {
	N       int64     `json:"n"`
	Pattern string    `json:"pattern"`
	Shape   string    `json:"shape"` // what the pattern goes for
	Since   time.Time `json:"since"`
	Uses    int       `json:"uses"`
	Last    time.Time `json:"last,omitzero"`
}

type ruleRow struct {
	Ref    string   `json:"ref"`
	Kind   string   `json:"kind"`
	Match  []string `json:"match"`
	Unless string   `json:"unless,omitempty"`
	Raise  string   `json:"raise"`
	Text   string   `json:"text"`
}

func list(ctx context.Context, a *term.Run, asJSON bool) error {
	d, err := Runner(a).Open(ctx)
	if err != nil {
		return err
	}
	cfg, err := a.Home.Settings.Read()
	if err != nil {
		return err
	}
	uses, err := gate.Uses(a.Home.Settings.Paths().Audit())
	if err != nil {
		a.Warn(err)
	}
	l := listing{Allow: some(cfg.Safety.Allow), Ask: some(cfg.Safety.Ask), Deny: some(cfg.Safety.Deny), Approvals: []approval{}, Rules: []ruleRow{}, Session: a.Approved.Len()}
	for _, p := range d.Book.Stand {
		u := uses[p.ID]
		l.Approvals = append(l.Approvals, approval{p.ID, p.Pattern.String(), p.Pattern.Shape(), p.Time, u.Runs, u.Last})
	}
	for _, r := range d.Gate.Rules {
		l.Rules = append(l.Rules, ruleRow{r.Ref, r.Kind, r.Match, r.Unless, r.Raise.String(), r.Text})
	}
	if d.Damaged != nil {
		l.Damaged = d.Damaged.Error()
	}
	if asJSON {
		return a.PrintJSON(l)
	}
	return a.Println(text(l, a.Env.Now()))
}

// some is a list that JSON shows as one.
func some(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// text is a listing for people.
func text(l listing, now time.Time) string {
	var lines []string
	for _, c := range []struct {
		name, does string
		list       []string
	}{{"safety.deny", "never runs", l.Deny}, {"safety.ask", "is asked about", l.Ask}, {"safety.allow", "runs without a question", l.Allow}} {
		for _, p := range c.list {
			lines = append(lines, fmt.Sprintf("%-24s %s (%s)", termsafe.Visible(p), c.does, c.name))
		}
	}
	for _, r := range l.Rules {
		line := fmt.Sprintf("%-24s is at least a %s", termsafe.Visible(strings.Join(r.Match, " ")), r.Raise)
		if r.Unless != "" {
			line += " unless it has " + termsafe.Visible(r.Unless)
		}
		lines = append(lines, line+fmt.Sprintf(" (%s #%s)", r.Kind, r.Ref))
	}
	for _, p := range l.Approvals {
		used := "not used yet"
		if p.Uses > 0 {
			used = fmt.Sprintf("ran %s, last %s", view.Count(p.Uses, "time"), view.Age(now, p.Last))
		}
		lines = append(lines, fmt.Sprintf("%-24s approved #%d %s; %s", termsafe.Visible(p.Shape), p.N, view.Age(now, p.Since), used))
	}
	if l.Session > 0 {
		lines = append(lines, view.Count(l.Session, "command")+" approved for this session")
	}
	if len(lines) == 0 {
		return "(nothing was said beforehand: what a model asks for is asked about)"
	}
	return strings.Join(lines, "\n")
}

func revoke(ctx context.Context, a *term.Run, args []string, asJSON bool) error {
	if _, err := a.Home.Settings.Read(); err != nil {
		return err
	}
	ids := make([]int64, len(args))
	for i, arg := range args {
		n, err := strconv.ParseInt(strings.TrimPrefix(arg, "#"), 10, 64)
		if err != nil || n < 1 {
			return fault.Usagef("%q is no number of an approval", arg).WithHint("see them: %s", fault.Command("safety list"))
		}
		ids[i] = n
	}
	now := a.Env.Now()
	if err := gate.Revoke(ctx, a.Home.Settings.Paths().Approvals(), now, ids...); err != nil {
		kind := fault.Failure
		if errors.Is(err, gate.ErrNoApproval) {
			kind = fault.NotFound
		}
		return fault.New(kind, err).WithHint("see them: %s", fault.Command("safety list"))
	}
	if err := gate.AuditRevoked(ctx, a.Home.Settings.Paths().Audit(), now, ids...); err != nil {
		a.Warn(err)
	}
	if asJSON {
		return a.PrintJSON(map[string][]int64{"revoked": ids})
	}
	for _, id := range ids {
		if err := a.Println(fmt.Sprintf("revoked #%d", id)); err != nil {
			return err
		}
	}
	return nil
}

// A verdict is the JSON form of what would happen with a line.
type verdict struct {
	SafetyCommand string   `json:"command"`
	Level         string   `json:"level"`
	Decision      string   `json:"decision"` // deny, ask or allow
	Why           string   `json:"why"`
	Pattern       string   `json:"pattern,omitempty"`  // that decided
	Approval      int64    `json:"approval,omitempty"` // that decided
	Rules         []string `json:"rules,omitempty"`    // references
	Reasons       []reason `json:"reasons"`
	Always        string   `json:"always,omitempty"` // the pattern that could be approved
}

type reason struct {
	Level string `json:"level"`
	Why   string `json:"why"`
	Token string `json:"token"`
}

func test(ctx context.Context, a *term.Run, line string, asJSON bool) error {
	r := Runner(a)
	d, err := r.Open(ctx)
	if err != nil {
		return err
	}
	dec := d.Gate.Decide(line, r.Here(), risk.Caution)
	pattern, always := gate.Offer(dec.Verdict)
	if asJSON {
		v := verdict{SafetyCommand: line, Level: dec.Level.String(), Decision: dec.Action.String(), Why: dec.Why, Pattern: dec.Pattern, Approval: dec.Approval, Reasons: []reason{}}
		for _, r := range dec.Rules {
			v.Rules = append(v.Rules, r.Ref)
		}
		for _, r := range dec.Verdict.Reasons {
			v.Reasons = append(v.Reasons, reason{r.Level.String(), r.Why, r.Token})
		}
		if always {
			v.Always = pattern.String()
		}
		return a.PrintJSON(v)
	}
	lines := Explain(dec)
	if always && dec.Action == gate.Ask && !dec.Once {
		lines = append(lines, "always would approve: "+termsafe.Visible(pattern.Shape()))
	}
	if d.Untrusted != nil && runsGit(dec.Verdict.Commands) {
		lines = append(lines, "git is not trusted here: "+termsafe.Line(d.Untrusted.Error()))
	}
	return a.Println(strings.Join(lines, "\n"))
}

// runsGit reports whether one of the commands is git, at any depth.
func runsGit(list []risk.Simple) bool {
	for _, c := range list {
		if len(c.Argv) > 0 && path.Base(c.Argv[0]) == "git" || runsGit(c.Runs) {
			return true
		}
	}
	return false
}
