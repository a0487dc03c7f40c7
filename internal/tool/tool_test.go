package tool

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ken/internal/llm"
	"ken/internal/tokens"
)

func twoTools() Set {
	return Set{
		{Name: "shell", Description: "run", Params: []Param{
			{Name: "command", Type: String, Description: "the line", Required: true},
			{Name: "timeout", Type: Integer, Description: "seconds"},
		}},
		{Name: "edit_file", Description: "change", Params: []Param{
			{Name: "path", Type: String, Description: "file", Required: true},
			{Name: "old", Type: String, Description: "before"},
			{Name: "new", Type: String, Description: "behind"},
			{Name: "all", Type: Boolean, Description: "each"},
			{Name: "in", Type: String, Enum: []string{"a", "b"}, Description: "where"},
		}},
	}
}

// TestRead: what models are known to write is understood; all else is said back, and does nothing.
func TestRead(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, args, want string }{
		{"shell", `{"command":"ls"}`, "shell map[command:ls]"},
		{"Bash", `{"cmd":"ls","timeout":"30"}`, "shell map[command:ls timeout:30]"},
		{"run_shell_command", `{"script":"ls","timeout":30.0}`, "shell map[command:ls timeout:30]"},
		{"shell", `"{\"command\":\"ls\"}"`, "shell map[command:ls]"},
		{"shell", `{"command":"ls","command_why":"x","timeout":null}`, "shell map[command:ls]"},
		{"str_replace", `{"file_path":"a","old_str":"x","new_str":"y","all":"True"}`, "edit_file map[all:true new:y old:x path:a]"},
		{"edit", `{"path":"a","search":"x","replace":"y","all":false}`, "edit_file map[all:false new:y old:x path:a]"},
		{"edit", `{"path":"a","file":"b"}`, "edit_file map[path:a]"},
		{"edit", "{\"path\":\"a\",\"old\":\"<|\u2060im_end|>\"}", "edit_file map[old:<|im_end|> path:a]"},
		{"nosuch", `{}`, `no tool "nosuch"; there are: shell, edit_file`},
		{"", `{}`, `no tool ""; there are: shell, edit_file`},
		{"shell", ``, "shell needs command: the line"},
		{"shell", `{"command":null}`, "shell needs command: the line"},
		{"shell", `{"command":["ls"]}`, `shell: command: want a text, not ["ls"]`},
		{"shell", `{"command":"ls","timeout":"soon"}`, `shell: timeout: want a whole number, not "soon"`},
		{"edit", `{"path":"a","all":"perhaps"}`, `edit_file: all: want true or false, not "perhaps"`},
		{"edit", `{"path":"a","in":"c"}`, `edit_file: in: want one of a, b, not "c"`},
		{"shell", `{"command":"ls`, "the arguments of shell cannot be read (unexpected end of JSON input): {\"command\":\"ls"},
		{"shell", `["ls"]`, "the arguments of shell cannot be read (no JSON object): [\"ls\"]"},
	} {
		call, err := twoTools().Read(llm.ToolCall{ID: "1", Name: c.name, Arguments: c.args})
		got := fmt.Sprint(call.Name, " ", call.Args.values)
		if err != nil {
			got = err.Error()
			if e := (*CallError)(nil); !errors.As(err, &e) {
				t.Errorf("%s: %T", c.args, err)
			}
		}
		if got != c.want {
			t.Errorf("%s %s: %s\nwant %s", c.name, c.args, got, c.want)
		}
	}
}

// FuzzRead: no bytes of a model do more than be understood or be said back, in short.
func FuzzRead(f *testing.F) {
	f.Add("bash", `{"cmd":"ls"}`)
	f.Add("edit", `"{\"path\":1}"`)
	f.Fuzz(func(t *testing.T, name, args string) {
		call, err := twoTools().Read(llm.ToolCall{Name: name, Arguments: args})
		if err != nil {
			if len(err.Error()) > 1000 {
				t.Errorf("%d bytes", len(err.Error()))
			}
			return
		}
		spec, ok := twoTools().Named(call.Name)
		if !ok {
			t.Fatalf("%q is no tool", call.Name)
		}
		for _, p := range spec.Params {
			if p.Required && !call.Args.Has(p.Name) {
				t.Errorf("%s is missing", p.Name)
			}
		}
	})
}

// TestDefinition: it is JSON that says what the spec does, each time in the same bytes.
func TestDefinition(t *testing.T) {
	t.Parallel()
	spec := twoTools()[1]
	var got map[string]any
	if err := json.Unmarshal(spec.Definition(), &got); err != nil {
		t.Fatal(err)
	}
	function, _ := got["function"].(map[string]any)
	params, _ := function["parameters"].(map[string]any)
	if diff := cmp.Diff([]any{"path"}, params["required"]); diff != "" {
		t.Error(diff)
	}
	if all, _ := params["properties"].(map[string]any); len(all) != 5 {
		t.Errorf("%d properties", len(all))
	}
	if first, again := spec.Definition(), spec.Definition(); string(first) != string(again) {
		t.Error("it changes")
	}
	spec.Params = spec.Params[1:]
	if strings.Contains(string(spec.Definition()), "required") {
		t.Error("an empty list is sent, which some refuse")
	}
}

// TestBody: a result takes no more than it was given, whatever it holds, and says what is left out.
func TestBody(t *testing.T) {
	t.Parallel()
	lines := []string{"", "a", "word word", strings.Repeat("x", 3000), "日本語の文", "\xff"}
	rapid.Check(t, func(rt *rapid.T) {
		r := Result{
			Head: rapid.SampledFrom([]string{"", "exit 0, 1.2 s"}).Draw(rt, "head"),
			Text: strings.Join(rapid.SliceOfN(rapid.SampledFrom(lines), 0, 400).Draw(rt, "lines"), "\n"),
			End:  rapid.Bool().Draw(rt, "end"),
			Kept: rapid.SampledFrom([]string{"", "out:3"}).Draw(rt, "kept"),
		}
		most := rapid.IntRange(least, 3000).Draw(rt, "most")
		body := r.Body(most)
		if n := tokens.Estimate(body); n > most {
			rt.Errorf("%d tokens of %d", n, most)
		}
		whole := join(r.Head, strings.Trim(strings.ToValidUTF8(r.Text, "�"), "\n"))
		if cut := strings.Contains(body, "left out"); cut != (tokens.Estimate(whole) > most) {
			rt.Errorf("cut is %v:\n%s", cut, body)
		}
	})
	got := Result{Head: "exit 1", Text: "a\n" + strings.Repeat("noise\n", 500) + "the end", End: true, Kept: "out:1"}.Body(100)
	begins, ends := strings.HasPrefix(got, "exit 1\na\nnoise\n"), strings.HasSuffix(got, "noise\nthe end")
	if !begins || !ends || !strings.Contains(got, " lines, 3 KB left out: read_file out:1]") {
		t.Error(got)
	}
}

// TestCircle: the same call with the same outcome is noted, refused and ends; what changes, or is waited for, goes on.
func TestCircle(t *testing.T) {
	t.Parallel()
	call := func(name string) Call { return Call{Name: name, Args: Args{raw: "{}"}} }
	for _, c := range []struct {
		name  string
		calls []string
		out   func(i int) string
		want  string
	}{
		{"same", []string{"a"}, func(int) string { return "x" }, "..nnrrs"},
		{"changes", []string{"a"}, func(i int) string { return fmt.Sprint("line ", strings.Repeat("i", i)) }, "......................."},
		{"only the time changes", []string{"a"}, func(i int) string { return fmt.Sprintf("took %d.%d s at 12:00:%02d", i, i, i) }, "..nnr"},
		{"two in turn", []string{"a", "b"}, func(int) string { return "x" }, "....nnnnrrrrss"},
		{"three in turn", []string{"a", "b", "c"}, func(int) string { return "x" }, "......nnnnnnrrr"},
	} {
		var circle Circle
		got := ""
		for i := range len(c.want) {
			one := call(c.calls[i%len(c.calls)])
			switch circle.Before(one) {
			case Spent:
				got += "r"
				continue
			case Stalled:
				got += "s"
				continue
			}
			if circle.After(one, Result{Text: c.out(i)}) == Noted {
				got += "n"
			} else {
				got += "."
			}
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	var circle Circle
	for i, want := range []Turn{Onward, Onward, Stalled} {
		if got := circle.Unread(); got != want {
			t.Errorf("unread %d: %v", i, got)
		}
	}
}

// TestUnfenced: a fence around a command is none of it; backticks in one are.
func TestUnfenced(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"ls": "ls", "```\nls\n```": "ls", "```bash\nls -l\n```": "ls -l", "```ls```": "ls",
		"echo `date`": "echo `date`", "```a``` ```b```": "```a``` ```b```", "": "",
	} {
		if got := Unfenced(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
