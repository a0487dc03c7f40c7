package memory

import (
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/term"
	"ken/internal/fault"
	"ken/internal/termsafe"
)

// profileV1 is the name of the format of lifecycle.ProfileVersion.
const profileV1 = "profile-v1"

func policyExportCommand(a *term.Run) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "export [POLICY]",
		Short: "print a policy as a memory profile for other programs",
		Long: `Export prints a policy, that of NAME or the one in force, as a memory profile in JSON. What such a profile
cannot say is left out, and told on standard error. Read back with --profile it plans the same.`,
		Example:     "  ken memory tidy policy export work --format profile-v1 >work.json\n  ken memory tidy plan --profile work.json",
		Args:        cobra.MaximumNArgs(1),
		Annotations: term.Writes{Nothing: true}.Note(),
		RunE:        func(_ *cobra.Command, args []string) error { return exportPolicy(a, strings.Join(args, ""), format) },
	}
	cmd.Flags().StringVar(&format, "format", profileV1, "profile-v1: markitect.memory.profile.v1")
	return cmd
}

func exportPolicy(a *term.Run, name, format string) error {
	if format != profileV1 {
		return fault.Usagef("--format %q: want %s", format, profileV1)
	}
	r, err := source{policy: name}.read(a)
	if err != nil {
		return err
	}
	if len(r.Faults) > 0 {
		return fault.Failuref("the policy has faults").WithHint("%s", fault.Command("memory tidy policy check "+name))
	}
	src, lost := r.Policy.Profile(a.Home.Settings.Policies().Plain())
	for _, f := range lost {
		a.Say("ken: warning: ", clean(a, f.String()))
	}
	safe := termsafe.JSONSafe([]byte(a.Home.Keys.MaskText(string(src))))
	return a.Println(strings.TrimSuffix(string(safe), "\n"))
}
