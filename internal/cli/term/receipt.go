package term

import (
	"fmt"
	"strings"

	"ken/internal/engine"
	"ken/internal/memory"
	"ken/internal/termsafe"
	"ken/internal/view"
)

// nearWidth is how many cells of a memory are quoted to say which one it is.
const nearWidth = 60

// Kept is what was kept, with where it holds if that is not everywhere, and both ways out.
func (o *Voice) Kept(id memory.ID, scope memory.Scope) string {
	where, wider := o.Where(id.String(), scope)
	return fmt.Sprintf("kept #%s%s (undo: %s%s)", id, where, o.Verb("undo "+id.String()), wider)
}

// Own is what a write did, with what takes it back as it is typed here.
func (o *Voice) Own(done view.Outcome) view.Outcome {
	if done.Line != "" {
		done.Undo = o.Verb("undo " + done.Line)
	}
	return done
}

// Where says where a memory holds, and how it is made to hold everywhere, as they stand behind its number and its undo; "" of one
// that does.
func (o *Voice) Where(ref string, scope memory.Scope) (where, wider string) {
	if scope == "" || scope == memory.ScopeUser {
		return "", ""
	}
	name := o.home.Here.Names(string(scope)).Of(string(scope))
	return " for " + termsafe.Line(name), "; everywhere: " + o.Verb("memory edit --scope user "+ref)
}

// TellNear names what says nearly the same as the memory that was just stated,
// and both ways out.
func (o *Voice) TellNear(r engine.Receipt) {
	if len(r.Near) == 0 {
		return
	}
	scopes := make([]string, len(r.Near))
	for i, it := range r.Near {
		scopes[i] = string(it.Record.Scope)
	}
	names := o.home.Here.Names(scopes...)
	forget, replace, id := "forget", "", r.IDs[0].String()
	for _, it := range r.Near {
		how := "near"
		if it.Relation.Contradicts() {
			how, replace = "against", replace+" --supersedes "+it.Ref()
		}
		forget += " " + it.Ref()
		o.Status("%s #%s (%s, %s): \"%s\"", how, it.Ref(), it.Record.Kind, names.Of(string(view.ScopeOf(it.Item))),
			view.Excerpt(o.home.Keys.MaskText(it.Record.Content), nearWidth))
	}
	if replace != "" {
		forget = "memory edit" + replace + " " + id
	}
	o.Status("to keep only the new one: %s; only what was there: %s", o.Verb(forget), o.Verb("undo "+id))
}

// TellLeft warns that files still say what was forgotten.
func (o *Voice) TellLeft(names []string) {
	if len(names) > 0 {
		o.Say("ken: warning: ", fmt.Sprintf("it still stands in %s: those lines are not sent any more; %s looks into both",
			strings.Join(names, " and in "), o.Verb("forget --for-good")))
	}
}
