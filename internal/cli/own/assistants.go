package own

import (
	"context"

	"github.com/spf13/cobra"

	"ken/internal/cli/assist"
	"ken/internal/cli/serve"
	"ken/internal/cli/term"
	"ken/internal/view"
)

// AssistantCommands are the commands by which other assistants come to use the memory.
func AssistantCommands(a *term.Run) []*cobra.Command { return assist.Commands(a) }

// Hook is what other assistants run; it has no outcome.
func Hook(ctx context.Context, env term.Env, args []string) { assist.RunHook(ctx, env, args, false) }

// Users says who may ask over HTTP, and whose phone is paired.
func Users(a *term.Run) []view.Sign { return append(serve.ClientSigns(a), serve.PhoneSigns(a)...) }
