package memcmd

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"ken/internal/cli/app"
	"ken/internal/engine"
	"ken/internal/memory"
	"ken/internal/review"
)

// ofDraft is the line that a draft would be.
func ofDraft(d engine.Draft) memory.Record {
	return memory.Record{
		Kind: d.Kind, Content: d.Content, Scope: d.Scope, Key: d.Key, Tags: d.Tags, Pinned: d.Pinned, Importance: d.Importance,
		Source: d.Source,
		Detail: &memory.Detail{Expires: d.Expires, ValidFrom: d.ValidFrom, ValidTo: d.ValidTo, Supersedes: d.Supersedes},
	}
}

// propose puts lines into the review queue in place of writing them.
func propose(a *app.App, cmd *cobra.Command, asJSON bool, recs ...memory.Record) error {
	e, err := a.Memory()
	if err != nil {
		return err
	}
	list := make([]engine.Suggestion, len(recs))
	for i, rec := range recs {
		rec.Origin = a.Origin()
		list[i] = engine.Suggestion{Record: rec}
	}
	out, err := e.Propose(cmd.Context(), list...)
	if err != nil {
		return app.NotSaved(err)
	}
	deeds := make([]deed, len(out))
	for i, p := range out {
		deeds[i] = deed{Did: "proposed", Ref: fmt.Sprintf("p%d", p.ID), Text: recs[i].Content, note: ": it waits for the person (ken review)"}
		switch {
		case p.Known == engine.Remembered:
			deeds[i].Did, deeds[i].Ref, deeds[i].note = "not proposed", "", ": the memory says or said it already"
		case p.Known == string(review.Refused):
			deeds[i].Did, deeds[i].note = "not proposed", ": the person refused it"
		case !p.New:
			deeds[i].note = ": it was proposed before (" + p.Known + ")"
		}
	}
	return tell(a, asJSON, deeds...)
}

// changes are lines of that kind, one for each item.
func changes(kind memory.Kind, reason string, ids []memory.ID) []memory.Record {
	recs := make([]memory.Record, len(ids))
	for i, id := range ids {
		recs[i] = memory.Record{Kind: kind, Target: id, Detail: &memory.Detail{Reason: reason}}
	}
	return recs
}

// proposeEdit proposes a new text; more is not asked for by a tool.
func proposeEdit(a *app.App, cmd *cobra.Command, id memory.ID, ed engine.Edit, fields, asJSON bool) error {
	if fields || ed.Content == nil {
		return app.Fail(app.ExitRefused, errors.New("in the lane of a model or a tool only the text of a memory can be proposed to change"))
	}
	return propose(a, cmd, asJSON, memory.Record{Kind: memory.KindEdit, Target: id, Content: *ed.Content})
}
