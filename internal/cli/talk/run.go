package talk

import (
	"github.com/spf13/cobra"

	"ken/internal/cli/app"
)

// Commands are those on conversations that work in and outside the shell; shell is
// nil outside. Those in more stand below `sessions`.
func Commands(a *app.App, shell *Shell, more ...*cobra.Command) []*cobra.Command {
	return []*cobra.Command{askCommand(a), sessionsCommand(a, more), execCommand(a, shell)}
}
