package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/jsonl"
	"ken/internal/lifecycle"
	"ken/internal/view"
	"ken/internal/view/ageing"
)

func policyCommand(a *term.Run) *cobra.Command {
	cmd := policyListCommand(a)
	cmd.Use, cmd.Short = "policy", "what is to become of memories with time, as you write it"
	cmd.Long = `A policy is a file of policies/ in the directory of settings; memory.policy names the
one in force. docs/lifecycle.md says what it may hold. A memory profile in JSON is read by
plan, apply and check as it is. Without a word the policies are listed.`
	cmd.AddCommand(policyInitCommand(a), policyCheckCommand(a), policyExportCommand(a), policyListCommand(a))
	return cmd
}

// answers are what a new policy is made of.
type answers struct{ hot, shell, used, talk, tokens int }

func usual(a *term.Run) answers {
	cfg, err := a.Home.Settings.Read()
	if err != nil {
		return answers{}
	}
	return answers{hot: cfg.Memory.Hygiene.HotDays, shell: 30, used: 5, talk: 48, tokens: cfg.Memory.ActivateMaxTokens}
}

// template is a new policy, in the order of questions.
func (x answers) template(name string) string {
	return fmt.Sprintf(`# The policy %s. Put it in force: ken config set memory.policy=%s
# See what it would do: ken memory tidy --policy %s
# Nothing is made more settled, and nothing forgotten, without your yes.
title = %s

[hygiene]
hot_days = %d          # unused for longer: archived; 0 = never
forget = false         # true: what the archive has kept for archive_days is forgotten

[activation]
max_tokens = %d        # the most that goes with a question

# The first rule that fits a memory decides; what no rule is about goes by [hygiene].

[[rule]]
name = "what happened in the shell stays for %d days"
tags = ["shell"]
newer_than = "%dd"
do = "keep"

[[rule]]
name = "workflows that are used again and again"
kinds = ["workflow"]
used_over = %d
do = "stabilized"      # asks you

[[rule]]
name = "what was talked about, unless it is important"
kinds = ["context"]
older_than = "%dh"
importance_under = 7
do = "archive"

# A directory and all below it: taken for settled, and asked about before it is.
# [[rule]]
# scope = "dir:~/src/aish"
# do = "stabilized"
`, name, name, name, strconv.Quote(name), x.hot, x.tokens, x.shell, x.shell, x.used, x.talk)
}

func policyInitCommand(a *term.Run) *cobra.Command {
	var asJSON, noAsk bool
	cmd := &cobra.Command{
		Use:   "init [NAME]",
		Short: "create a policy from a few questions",
		Long: `Init writes policies/NAME.toml (personal, if no name is given) with the rules that most
people want, after a few questions at a terminal; Enter takes what is offered. It
replaces no file, and does not put the policy in force.`,
		Args:        cobra.MaximumNArgs(1),
		Annotations: term.Writes{Person: "writes a policy"}.Note(),
		RunE: func(cmd *cobra.Command, args []string) error {
			return policyInit(a, cmd, cmp.Or(strings.Join(args, ""), "personal"), noAsk, asJSON)
		},
	}
	cmd.Flags().BoolVar(&noAsk, "yes", false, "ask nothing, and take what would be offered")
	cmd.Flags().BoolVar(&asJSON, "json", false, "as a JSON object; asks nothing")
	return cmd
}

func policyInit(a *term.Run, cmd *cobra.Command, name string, noAsk, asJSON bool) error {
	if _, err := a.Home.Settings.Read(); err != nil {
		return err
	}
	if !lifecycle.GoodName(name) {
		return fault.Usagef("%q is no name of a policy: want 1 to 40 of a-z, 0-9 and -", name)
	}
	path := filepath.Join(a.Home.Settings.Paths().Policies(), name+".toml")
	if _, err := os.Lstat(path); err == nil {
		return fault.Failuref("%s is there already", a.Home.Settings.Short(path)).
			WithHint("change it with your editor, then: %s", fault.Command("memory tidy policy check "+name))
	}
	x := usual(a)
	if !noAsk && !asJSON && a.Person.Present() && term.IsTerminal(a.Env.Stdin) {
		if err := x.ask(cmd.Context(), a); err != nil {
			return err
		}
	}
	text := x.template(name)
	if r := lifecycle.ParseTOML([]byte(text), lifecycle.Policy{Name: name}); len(r.Faults) > 0 {
		return fmt.Errorf("the policy that was to be written has a fault: %s", r.Faults[0])
	}
	err := jsonl.Create(jsonl.OS{}, path, []byte(text))
	if err != nil {
		return err
	}
	if asJSON {
		return a.PrintJSON(ageing.Begun{Name: name, Path: path})
	}
	return a.Println(fmt.Sprintf("wrote %s; see what it would do: %s", a.Home.Settings.Short(path), a.Verb("memory tidy --policy "+name)))
}

// ask asks for the numbers.
func (x *answers) ask(ctx context.Context, a *term.Run) error {
	for _, q := range [...]struct {
		text string
		to   *int
	}{
		{"archive what was not used for how many days?", &x.hot},
		{"leave what happened in the shell alone for how many days?", &x.shell},
		{"propose to settle workflows used more than how many times?", &x.used},
		{"archive what was talked about after how many hours?", &x.talk},
		{"how many tokens of memory may go with a question?", &x.tokens},
	} {
		line, err := a.Person.AskLine(ctx, fmt.Sprintf("%s (Enter: %d) ", q.text, *q.to))
		if err != nil {
			return err
		}
		if line == "" {
			continue
		}
		n, err := strconv.Atoi(line)
		if err != nil || n < 1 || n > 100_000 {
			return fault.Usagef("%q: want a number from 1 to 100000; nothing was written", line)
		}
		*q.to = n
	}
	return nil
}

func policyCheckCommand(a *term.Run) *cobra.Command {
	var from source
	var asJSON bool
	cmd := &cobra.Command{
		Use:         "check [POLICY]",
		Short:       "check a policy file and name each fault with its row",
		Long:        "Check reads a policy: that of NAME, of a file (--profile), or the one in force. The exit\ncode is 1 if it has a fault.",
		Example:     "  ken memory policy check work\n  ken memory policy check --profile profile.json",
		Args:        cobra.MaximumNArgs(1),
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE: func(_ *cobra.Command, args []string) error {
			from.policy = strings.Join(args, "")
			r, err := from.read(a)
			if err != nil {
				return err
			}
			return check(a, r, asJSON)
		},
	}
	cmd.Flags().StringVar(&from.profile, "profile", "", "that of `FILE`: a memory profile in JSON, or TOML")
	cmd.Flags().BoolVar(&asJSON, "json", false, "as a JSON object")
	return cmd
}

func check(a *term.Run, r lifecycle.Reading, asJSON bool) error {
	if asJSON {
		if err := a.PrintJSON(ageing.CheckedOf(r, cleaner(a))); err != nil {
			return err
		}
	} else {
		var b strings.Builder
		for _, f := range r.Faults {
			b.WriteString(clean(a, f.String()) + "\n")
		}
		for _, f := range r.Notes {
			b.WriteString("(" + clean(a, noteIn(a, f)) + ")\n")
		}
		if len(r.Faults) == 0 {
			fmt.Fprintf(&b, "%s: %s, no faults\n", clean(a, r.Policy.Name), view.Count(len(r.Policy.Rules), "rule"))
		}
		if err := a.Println(strings.TrimSuffix(b.String(), "\n")); err != nil {
			return err
		}
	}
	if len(r.Faults) > 0 {
		return term.Reported(fault.New(fault.Failure, errors.New("the policy has faults")))
	}
	return nil
}

func policyListCommand(a *term.Run) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:         "list",
		Short:       "list policies and the one in force",
		Args:        cobra.NoArgs,
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE: func(*cobra.Command, []string) error {
			list, err := known(a)
			switch {
			case err != nil:
				return err
			case asJSON:
				return a.PrintJSON(list)
			case len(list) == 0:
				return a.Println("(no policies: the settings alone count)")
			}
			rows := make([][]string, len(list))
			for i, l := range list {
				state := ""
				switch {
				case l.Faults > 0:
					state = faults(l.Faults)
				case l.Active:
					state = "in force"
				}
				rows[i] = []string{l.Name, state, view.Count(l.Rules, "rule"), l.Title, a.Home.Settings.Short(l.Path)}
			}
			return a.Println(view.Table([]string{"name", "state", "rules", "title", "file"}, rows, a.Screen.Width()))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as a JSON array")
	return cmd
}

func known(a *term.Run) ([]ageing.Policy, error) {
	cfg, err := a.Home.Settings.Read()
	if err != nil {
		return nil, err
	}
	names, err := a.Home.Settings.Policies().Names()
	if err != nil {
		return nil, err
	}
	list := []ageing.Policy{}
	for _, name := range names {
		l := ageing.Policy{Name: name, Path: filepath.Join(a.Home.Settings.Paths().Policies(), name+".toml"), Active: name == cfg.Memory.Policy}
		r, err := a.Home.Settings.Policies().Named(name)
		if err != nil {
			a.Warn(err)
			l.Faults = 1
		} else {
			l.Title, l.Rules, l.Faults = clean(a, r.Policy.Title), len(r.Policy.Rules), len(r.Faults)
		}
		list = append(list, l)
	}
	return list, nil
}
