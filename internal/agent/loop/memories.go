package loop

import (
	"context"
	"io"
	"os"
	"strings"

	"ken/internal/app"
	"ken/internal/engine"
	"ken/internal/index"
	"ken/internal/memory"
	"ken/internal/risk"
	"ken/internal/tool"
)

// memoryTools are those by which a model asks the memory and proposes to it: what is asked is answered as it is at the moment, what
// is proposed waits for the person. recall and remember are offered once something is remembered, use_skill where a skill counts.
func (h *Loop) memoryTools() []tool.Tool {
	return []tool.Tool{h.recall(), h.remember(), h.useSkill()}
}

// recall searches what the person has kept and said.
func (h *Loop) recall() tool.Tool {
	const memories, sessions, all = "memory", "sessions", "all"
	return tool.Tool{
		Here: h.remembers, May: h.mayMemory,
		Spec: tool.Spec{
			Name: "recall",
			Description: "Search what the user has kept in their memory, and what was said in earlier conversations. " +
				"For when they speak of something earlier.",
			Params: []tool.Param{
				{Name: "query", Type: tool.String, Description: "what to look for, in plain words", Required: true},
				{Name: "in", Type: tool.String, Enum: []string{memories, sessions, all}, Description: "where to look: memory if left out"},
			},
		},
		Plan: func(_ context.Context, a tool.Args) (tool.Act, error) {
			query := strings.TrimSpace(a.Text("query"))
			if query == "" {
				return tool.Act{}, &tool.CallError{Text: "recall: the query is empty"}
			}
			in, from := []index.Source{index.Memory}, memory.OriginTool
			switch a.Text("in") {
			case sessions:
				in, from = []index.Source{index.Sessions}, memory.OriginExternal
			case all:
				in, from = append(in, index.Sessions), memory.OriginExternal
			}
			return tool.Act{Title: "recall " + query, Level: risk.Safe, Do: func(ctx context.Context, _ io.Writer) (tool.Result, error) {
				found, err := h.home.Search(ctx, app.Question{Text: query, Limit: mostFound, In: in})
				if err != nil {
					return tool.Result{}, err
				}
				app.NoteUse(ctx, h.home, found)
				return tool.Result{State: tool.Done, Text: app.AnswerText(found, false), From: from}, nil
			}}, nil
		},
	}
}

// remembers reports whether there is a memory to ask: with nothing remembered a request is the same as without
// memory. A call that comes all the same is answered while memory is on.
func (h *Loop) remembers(ctx context.Context) bool {
	if !h.home.Settings.MemoryOn() {
		return false
	}
	const small = 16 << 10 // bytes of a file that is cheap to read as a whole
	fi, err := os.Stat(h.home.Settings.Paths().Memory())
	if err != nil || fi.Size() > small {
		return err == nil
	}
	s, err := h.home.Memory.State(ctx)
	if err != nil {
		return false
	}
	return s.Len() > 0
}

func (h *Loop) mayMemory(context.Context) bool { return h.home.Settings.MemoryOn() }

// mostFound is how many memories and turns one recall gives.
const mostFound = 10

// remember proposes a memory.
func (h *Loop) remember() tool.Tool {
	kinds := memory.NamesThat(memory.ModelMay)
	return tool.Tool{
		Here: h.remembers, May: h.mayMemory,
		Spec: tool.Spec{
			Name:        "remember",
			Description: "Propose one thing for the user's memory. It waits until they accept it.",
			Params: []tool.Param{
				{Name: "text", Type: tool.String, Description: "one fact, in a sentence that stands by itself", Required: true},
				{Name: "kind", Type: tool.String, Enum: kinds, Description: "fact if left out"},
			},
		},
		Plan: func(_ context.Context, a tool.Args) (tool.Act, error) {
			text := strings.TrimSpace(a.Text("text"))
			if text == "" {
				return tool.Act{}, &tool.CallError{Text: "remember: the text is empty"}
			}
			act := tool.Act{Title: "propose to remember: " + text, Level: risk.Safe}
			act.Do = func(ctx context.Context, _ io.Writer) (tool.Result, error) {
				e, err := h.home.Memory.Engine()
				if err != nil {
					return tool.Result{}, err
				}
				kind, _ := memory.ParseKind(a.Text("kind"))
				model, from := h.asked.Model, h.from
				w := e.As(engine.Actor{Kind: engine.Model, Name: model})
				proposed, err := w.Propose(ctx, engine.Suggestion{
					Record: memory.Record{Kind: kind, Content: text, Origin: from, Detail: &memory.Detail{}}, Why: "the model proposed it",
				})
				if err != nil {
					return tool.Result{}, err
				}
				said := "it waits for the person, who has not agreed yet"
				if proposed[0].Known == engine.Relaxing {
					said = "it was not proposed: it would relax a rule, which no suggestion does"
				}
				if proposed[0].Known == engine.Remembered {
					said = "it is known already"
				}
				return tool.Result{State: tool.Done, Text: said, From: memory.OriginTool}, nil
			}
			return act, nil
		},
	}
}
