package engine

import (
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"ken/internal/memory"
	"ken/internal/memory/filelog"
	"ken/internal/review"
	"ken/internal/rules"
)

// writes are all methods of a Writer that may write, as somebody calls them over a
// memory whose item 1 stands and whose proposal p1 waits.
func writes() map[string]func(context.Context, *Writer) (Receipt, error) {
	one := memory.Num(1)
	text := "another text"
	g := Suggestion{Record: memory.Record{Content: "suggested", Origin: memory.OriginModel}}
	return map[string]func(context.Context, *Writer) (Receipt, error){
		"Remember": func(ctx context.Context, w *Writer) (Receipt, error) { return w.Remember(ctx, Draft{Content: "new"}) },
		"Edit":     func(ctx context.Context, w *Writer) (Receipt, error) { return w.Edit(ctx, one, Edit{Content: &text}) },
		"Forget":   func(ctx context.Context, w *Writer) (Receipt, error) { return w.Forget(ctx, "", one) },
		"Pin":      func(ctx context.Context, w *Writer) (Receipt, error) { return w.Pin(ctx, true, one) },
		"ForgetBulk": func(ctx context.Context, w *Writer) (Receipt, error) {
			return w.ForgetBulk(ctx, Bulk{IDs: []memory.ID{one}})
		},
		"Undo": func(ctx context.Context, w *Writer) (Receipt, error) { r, _, err := w.Undo(ctx); return r, err },
		"Propose": func(ctx context.Context, w *Writer) (Receipt, error) {
			out, err := w.Propose(ctx, g)
			return Receipt{Proposed: out}, err
		},
		"AcceptByPolicy": func(ctx context.Context, w *Writer) (Receipt, error) { return w.AcceptByPolicy(ctx, g) },
		"ApplyPlan": func(ctx context.Context, w *Writer) (Receipt, error) {
			return w.ApplyPlan(ctx, func(*memory.State) []memory.Record {
				return []memory.Record{{Kind: memory.KindForget, Target: one, By: "policy:" + w.Actor().Name}}
			})
		},
		"Decide": func(ctx context.Context, w *Writer) (Receipt, error) {
			return w.Decide(ctx, "p1", Answer{Verdict: review.Yes})
		},
		"DecideAll": func(ctx context.Context, w *Writer) (Receipt, error) {
			out, err := w.DecideAll(ctx, Answer{Ref: "p1", Verdict: review.Yes})
			if err != nil {
				return Receipt{}, err
			}
			return out[0].Receipt, out[0].Err
		},
		"Reopen": func(ctx context.Context, w *Writer) (Receipt, error) {
			if _, err := w.Engine.As(typed).Decide(ctx, "p1", Answer{Verdict: review.Yes}); err != nil {
				return Receipt{}, err
			}
			return w.Reopen(ctx, "p1")
		},
		"ReturnTo": func(ctx context.Context, w *Writer) (Receipt, error) {
			if w.may(undoes) != writing {
				return w.ReturnTo(ctx, 2, nil)
			}
			for _, text := range []string{"ask before git push", "ask before git push origin"} { // the second says nothing new
				if _, err := w.Engine.As(typed).Remember(ctx, Draft{Kind: memory.KindRule, Content: text}); err != nil {
					return Receipt{}, err
				}
			}
			s, err := w.State(ctx)
			if err != nil {
				return Receipt{}, err
			}
			return w.ReturnTo(ctx, 2, rules.Of(s))
		},
		"Erase": func(ctx context.Context, w *Writer) (Receipt, error) {
			return Receipt{}, w.Erase(ctx, func(context.Context) error { return nil }, one)
		},
		"Mask": func(ctx context.Context, w *Writer) (Receipt, error) {
			_, err := w.Mask(ctx, func(_ memory.Entry, b []byte) []byte {
				return []byte(strings.ReplaceAll(string(b), "first", "[gone]"))
			})
			return Receipt{}, err
		},
	}
}

// readers are the methods of an Engine, and of a Writer, that write nothing.
var readers = []string{"Actor", "As", "Because", "Preview", "Queue", "State", "Suggests"}

// TestWritersAreAsked: every method that may write is known to this test, whatever is
// added; and an engine without an actor has none.
func TestWritersAreAsked(t *testing.T) {
	t.Parallel()
	known := readers
	for name := range writes() {
		known = append(known, name)
	}
	for m := range reflect.TypeFor[*Writer]().Methods() {
		if !slices.Contains(known, m.Name) {
			t.Errorf("Writer.%s: no test says who may call it", m.Name)
		}
	}
	for m := range reflect.TypeFor[*Engine]().Methods() {
		if !slices.Contains(readers, m.Name) {
			t.Errorf("Engine.%s: an engine without an actor reads, and no more", m.Name)
		}
	}
}

// TestActors: what each actor may do, with real files: what is refused changes no byte,
// and what is proposed changes the queue alone.
func TestActors(t *testing.T) {
	t.Parallel()
	all := map[string]string{ // by kind of actor: what it writes; the rest is proposed or refused
		"":               "",
		"somebody":       "",
		string(Person):   "Remember Edit Forget Pin ForgetBulk Undo Propose ApplyPlan Decide DecideAll Reopen ReturnTo Erase Mask",
		string(Policy):   "Propose AcceptByPolicy ApplyPlan",
		string(Model):    "Propose",
		string(Agent):    "Propose",
		string(Tool):     "Propose",
		string(Import):   "Propose",
		string(External): "Propose",
	}
	for kind, may := range all {
		waits := ""
		switch ActorKind(kind) {
		case Model, Agent, Tool, Import, External:
			waits = "Remember Edit Forget Pin"
		}
		for name, do := range writes() {
			t.Run(kind+"/"+name, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				h := house{t}
				h.write(dir, `{"meta":{"format":1,"log":"laptop-7f3a"}}`+"\n"+`{"id":1,"content":"the first"}`+"\n")
				e := New(Options{
					Own:  filelog.Open(filepath.Join(dir, "memory.jsonl"), h.options(dir)),
					Mask: mask, Now: noon, Queue: &review.Log{Path: filepath.Join(dir, "review.jsonl"), Dir: dir, Now: noon},
				})
				waiting := Suggestion{Record: memory.Record{Content: "waits", Origin: memory.OriginModel}}
				if _, err := e.As(typed).Propose(t.Context(), waiting); err != nil {
					t.Fatal(err)
				}
				w := e.As(Actor{Kind: ActorKind(kind), Name: "n"}) // its own reading is of no concern
				before := filesOf(t, dir)
				r, err := do(t.Context(), w)
				var refused *RefusedError
				switch {
				case slices.Contains(strings.Fields(may), name):
					if err != nil || len(r.Proposed) > 0 && name != "Propose" {
						t.Errorf("%+v, %v: want it written", r, err)
					}
				case slices.Contains(strings.Fields(waits), name):
					if err != nil || len(r.IDs) > 0 || len(r.Proposed) != 1 {
						t.Errorf("%+v, %v: want it proposed", r, err)
					}
					after := filesOf(t, dir)
					if after["memory.jsonl"] != before["memory.jsonl"] || after["review.jsonl"] == before["review.jsonl"] {
						t.Errorf("after: %v", after)
					}
				case name == "Reopen": // a person decided just before
					if !errors.As(err, &refused) {
						t.Errorf("%v: want it refused", err)
					}
				default:
					if !errors.As(err, &refused) || refused.Hint() == "" {
						t.Errorf("%v: want it refused", err)
					}
					if after := filesOf(t, dir); !reflect.DeepEqual(after, before) {
						t.Errorf("refused, and still: %v", after)
					}
				}
			})
		}
	}
}

// filesOf are the files below dir, by name.
func filesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		all[filepath.Base(path)] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestStamped: no actor says of a text that it is more trusted than the actor is.
func TestStamped(t *testing.T) {
	t.Parallel()
	for _, kind := range []ActorKind{Model, Agent, Tool, Import, External} {
		for _, claimed := range []memory.Origin{"", memory.OriginUser, memory.OriginModel, memory.OriginExternal} {
			a := Actor{Kind: kind, Name: "n"}
			w := (&Engine{}).As(a)
			got := w.stamped([]Suggestion{{Record: memory.Record{Origin: claimed}}})[0].Record.Origin
			if got.Rank() < a.Origin().Rank() || got.Rank() < claimed.Rank() {
				t.Errorf("%s of %s claims %q: %q", kind, a.Origin(), claimed, got)
			}
		}
	}
	for _, o := range []memory.Origin{
		"", memory.OriginModel, memory.OriginAgent, "agent:x", memory.OriginTool, memory.OriginImport, memory.OriginExternal,
	} {
		if got := ActorOf(o, "").Origin(); got != o {
			t.Errorf("the actor of %q has the origin %q", o, got)
		}
	}
	for _, o := range []memory.Origin{"system", "agents", "agentic:x", "root"} {
		if got := ActorOf(o, ""); got.Kind != External {
			t.Errorf("the actor of %q: %+v", o, got)
		}
	}
}

// TestOneWayToWrite: outside the methods of Writer, no exported function of this package
// reaches what appends, replaces or erases.
func TestOneWayToWrite(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	calls := make(map[string][]string) // by function: what it calls, by last name
	var exported []string
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			of := ""
			if fn.Recv != nil {
				if p, ok := fn.Recv.List[0].Type.(*ast.StarExpr); ok {
					if name, ok := p.X.(*ast.Ident); ok {
						of = name.Name
					}
				}
			}
			if ast.IsExported(fn.Name.Name) && of != "Writer" {
				exported = append(exported, fn.Name.Name)
			}
			if of == "Writer" {
				continue
			}
			ast.Inspect(fn, func(n ast.Node) bool {
				if c, ok := n.(*ast.CallExpr); ok {
					calls[fn.Name.Name] = append(calls[fn.Name.Name], called(c))
				}
				return true
			})
		}
	}
	for _, start := range exported {
		seen := map[string]bool{}
		var walk func(string)
		walk = func(fn string) {
			if seen[fn] {
				return
			}
			seen[fn] = true
			for _, c := range calls[fn] {
				if strings.HasPrefix(c, "write by ") {
					t.Errorf("%s reaches a %s, which %s calls: only a Writer writes", start, c, fn)
				}
				walk(c)
			}
		}
		walk(start)
	}
	if len(exported) < 5 || len(calls) < 30 {
		t.Errorf("%d exported functions, %d functions: this test sees too little", len(exported), len(calls))
	}
}

// called is the name of what c calls; "write by" and its name where it is a method of a
// log, the queue or the journal that is not known to read.
func called(c *ast.CallExpr) string {
	lastOf := func(x ast.Expr) string {
		switch x := x.(type) {
		case *ast.Ident:
			return x.Name
		case *ast.SelectorExpr:
			return x.Sel.Name
		}
		return ""
	}
	name := lastOf(c.Fun)
	s, ok := c.Fun.(*ast.SelectorExpr)
	if !ok && name == "append" {
		return "" // that of the language, and not the engine's
	}
	if !ok || !slices.Contains([]string{"own", "log", "queue", "journal"}, lastOf(s.X)) ||
		slices.Contains([]string{"Records", "Tip", "Lines", "LinesOf", "Read", "ReadNew"}, name) {
		return name
	}
	return "write by " + name
}

// TestWrote: every write of a person is told once, when nothing is locked any more, and
// what is refused or proposed is not.
func TestWrote(t *testing.T) {
	t.Parallel()
	for name, do := range writes() {
		if name == "AcceptByPolicy" || name == "Erase" || name == "Mask" || name == "Propose" {
			continue // not a person's, told by who erases everywhere, or no memory yet
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			h := house{t}
			h.write(dir, `{"meta":{"format":1,"log":"laptop-7f3a"}}`+"\n"+`{"id":1,"content":"the first"}`+"\n")
			var e *Engine
			var told []bool
			e = New(Options{
				Own:  filelog.Open(filepath.Join(dir, "memory.jsonl"), h.options(dir)),
				Mask: mask, Now: noon, Queue: &review.Log{Path: filepath.Join(dir, "review.jsonl"), Dir: dir, Now: noon},
				Wrote: func(changed bool) {
					told = append(told, changed)
					if _, err := e.State(t.Context()); err != nil { // it may ask at once
						t.Error(err)
					}
				},
			})
			waiting := Suggestion{Record: memory.Record{Content: "waits", Origin: memory.OriginModel}}
			if _, err := e.As(typed).Propose(t.Context(), waiting); err != nil {
				t.Fatal(err)
			}
			for _, kind := range []ActorKind{"", Model} {
				if name == "Reopen" {
					break // it decides as a person first
				}
				_, _ = do(t.Context(), e.As(Actor{Kind: kind}))
			}
			if len(told) > 0 {
				t.Fatalf("told of what was not written: %v", told)
			}
			if _, err := do(t.Context(), e.As(typed)); err != nil {
				t.Fatal(err)
			}
			want := 1
			if name == "Reopen" {
				want = 2 // and the decision before it
			}
			if name == "ReturnTo" {
				want = 3 // and the two rules before it
			}
			if added := name == "Remember" || name == "ApplyPlan"; len(told) != want || told[want-1] == added {
				t.Errorf("told %v", told)
			}
		})
	}
}
