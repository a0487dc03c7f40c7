package memcmd

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ken/internal/cli/app"
	"ken/internal/engine"
	"ken/internal/memory"
	"ken/internal/view"
)

func editCommand(a *app.App) *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:   "edit REF [TEXT]",
		Short: "change a memory's text; without TEXT in your editor",
		Long: `Edit appends a line with the new text. The earlier one stays in the memory's
history, and undo brings it back.`,
		Annotations: app.TextArgument(),
		RunE: func(cmd *cobra.Command, args []string) error {
			ref, text, _ := strings.Cut(strings.TrimSpace(strings.Join(args, " ")), " ")
			if ref == "" {
				return app.Usage("edit what? %s REF [TEXT]", a.Verb("memory edit"))
			}
			return edit(a, cmd, ref, text, force)
		},
	}
	cmd.Flags().SetInterspersed(false)
	cmd.Flags().BoolVar(&force, "force", false, "keep the text although it seems to hold a secret")
	return cmd
}

func edit(a *app.App, cmd *cobra.Command, ref, text string, force bool) error {
	_, it, status, err := find(a, cmd, ref)
	if err != nil {
		return err
	}
	if !standing(status) {
		return fmt.Errorf("%s: %w", it.ID, engine.ErrNotActive)
	}
	if force && !a.Asks() {
		return app.Fail(app.ExitRefused, errors.New("--force needs a person at a terminal"))
	}
	if strings.TrimSpace(text) == "" {
		if text, err = a.EditText(cmd.Context(), it.Record.Content); err != nil {
			return err
		}
	}
	if strings.TrimSpace(text) == it.Record.Content {
		return a.Println("nothing changed")
	}
	e, err := a.Memory()
	if err != nil {
		return err
	}
	r, err := e.Edit(cmd.Context(), it.ID, engine.Edit{Content: &text, Force: force})
	if err != nil {
		return notSaved(err)
	}
	a.MemoryChanged()
	return a.Println(fmt.Sprintf("edited #%s (undo: %s)", it.Ref(), a.Verb("undo "+r.IDs[0].String())))
}

func pinCommand(a *app.App) *cobra.Command {
	var off bool
	cmd := &cobra.Command{
		Use:   "pin REF...",
		Short: "keep memories in front; --off to let go",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ids, err := parseRefs(args)
			if err != nil {
				return err
			}
			e, err := a.Memory()
			if err != nil {
				return err
			}
			r, err := e.Pin(cmd.Context(), !off, ids...)
			if err != nil {
				return notSaved(err)
			}
			a.MemoryChanged()
			did := "pinned"
			if off {
				did = "unpinned"
			}
			for i, id := range ids {
				if err := a.Println(fmt.Sprintf("%s #%s (undo: %s)", did, id, a.Verb("undo "+r.IDs[i].String()))); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&off, "off", false, "unpin")
	return cmd
}

func clearCommand(a *app.App) *cobra.Command {
	var yes, dryRun bool
	cmd := &cobra.Command{
		Use:   "clear",
		Short: "forget everything, after a question",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return clear(a, cmd, yes, dryRun)
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "only say how much would be forgotten")
	return cmd
}

func clear(a *app.App, cmd *cobra.Command, yes, dryRun bool) error {
	s, err := a.State(cmd.Context())
	if err != nil {
		return err
	}
	items := s.Items()
	ids := make([]memory.ID, len(items))
	for i, it := range items {
		ids[i] = it.ID
	}
	if len(ids) == 0 {
		return a.Println("(no memory items)")
	}
	if dryRun {
		return a.Println("would forget " + view.Count(len(ids), "item"))
	}
	if !yes {
		ok, err := a.Confirm(cmd.Context(), fmt.Sprintf("forget all %s?", view.Count(len(ids), "item")))
		if err != nil {
			return err
		}
		if !ok {
			return a.Println("nothing was forgotten")
		}
	}
	e, err := a.Memory()
	if err != nil {
		return err
	}
	r, err := e.Forget(cmd.Context(), "", ids...)
	if err != nil {
		return notSaved(err)
	}
	a.MemoryChanged()
	back := r.IDs[0].String()
	if len(r.IDs) > 1 {
		back += "-" + r.IDs[len(r.IDs)-1].String()
	}
	return a.Println(fmt.Sprintf("cleared %s (undo: %s)", view.Count(len(ids), "item"), a.Verb("undo "+back)))
}
