package cli

import (
	"bytes"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"ken/internal/cli/chat"
	"ken/internal/cli/help"
	"ken/internal/cli/term"
	"ken/internal/fault"
)

// A laneCase is how one command is called in TestLane.
type laneCase struct {
	args  string // behind the name of the command, parted by spaces; $HOME is the home
	stdin string
	// idle: as the person it writes nothing here either, since it wants a terminal, a
	// model, or something to change.
	idle bool
	// refused: to a model as well, though the command proposes otherwise.
	refused bool
}

// laneCases are the calls of all commands, by their names. A command has several if
// flags change what it writes.
func laneCases() map[string][]laneCase {
	all := laneCalls()
	for name, calls := range maps.Clone(all) { // one command under two names
		for _, o := range help.Names() {
			if rest, ok := strings.CutPrefix(name, o.Name); ok && o.Flag == "" && o.Is != "export" && o.Is != "forget" {
				all[o.Is+rest] = calls
			}
		}
	}
	all["memory search"], all["memory tidy"] = all["recall"], all["memory plan"]
	return all
}

func laneCalls() map[string][]laneCase {
	return map[string][]laneCase{
		"":                        {{stdin: "exit\n", idle: true}},
		"ask":                     {{args: "what tea", idle: true}},
		"check":                   {{}},
		"clean":                   {{stdin: "a\n"}},
		"commands":                {{}},
		"commands list":           {{}},
		"commands show":           {{args: "hello"}},
		"completion":              {{args: "bash"}},
		"config":                  {{}},
		"skills":                  {{}},
		"skills list":             {{}},
		"skills show":             {{args: "brew"}},
		"skills trust":            {{idle: true}},
		"skills new":              {{args: "brew", idle: true}},
		"skills check":            {{}},
		"skills promote":          {{args: "draft", idle: true}},
		"skills remove":           {{args: "draft", idle: true}, {args: "--refused --dry-run"}},
		"skills evolve":           {{idle: true}, {args: "--dry-run"}},
		"skills evolve list":      {{}},
		"skills evolve log":       {{}},
		"skills evolve promote":   {{args: "draft", idle: true}},
		"evolve":                  {{idle: true}, {args: "--dry-run"}},
		"evolve list":             {{}},
		"evolve log":              {{}},
		"evolve promote":          {{args: "draft", idle: true}},
		"config edit":             {{idle: true}},
		"config init":             {{args: "--force"}},
		"config path":             {{}},
		"config set":              {{args: "memory.inject_max_tokens=300"}},
		"config show":             {{}},
		"doctor":                  {{args: "--offline"}},
		"erase":                   {{args: "--yes 1"}},
		"exec":                    {{args: "true"}},
		"rehearse":                {{args: "true", idle: true}},
		"export":                  {{}},
		"extract":                 {{args: "trip"}},
		"forget":                  {{args: "1"}, {args: "--yes --scope user", refused: true}},
		"help":                    {{args: "ask"}},
		"hook":                    {{args: "claude"}},
		"import":                  {{args: "$HOME/notes/CLAUDE.md"}},
		"init":                    {{args: "bash"}},
		"man":                     {{args: "$HOME/pages"}},
		"memory":                  {{}},
		"memory add":              {{args: "fact the vpn is called mole"}},
		"memory apply":            {{args: "--yes --profile $HOME/profile.json"}, {args: "--dry-run"}},
		"memory clear":            {{args: "--yes"}, {args: "--dry-run"}},
		"memory compact":          {{}},
		"memory edit":             {{args: "1 the host is teapot"}},
		"memory embed":            {{idle: true}},
		"memory export":           {{}},
		"memory forget":           {{args: "1"}},
		"memory history":          {{args: "1"}},
		"memory hygiene":          {{}, {args: "--dry-run"}},
		"memory list":             {{}},
		"memory off":              {{idle: true}},
		"memory on":               {{idle: true}},
		"memory page":             {{}, {args: "--project"}},
		"working":                 {{}},
		"working edit":            {{idle: true}},
		"working drop":            {{idle: true}},
		"memory working":          {{}},
		"memory working edit":     {{idle: true}},
		"memory working drop":     {{idle: true}},
		"memory pin":              {{args: "1"}},
		"memory plan":             {{}},
		"memory policy":           {{}},
		"memory policy check":     {{}},
		"memory policy export":    {{}},
		"memory policy init":      {{args: "--yes mine"}},
		"mcp":                     {{}, {args: "--http 192.0.2.1:1", idle: true}},
		"mcp list":                {{}},
		"mcp tools":               {{}},
		"mcp tool":                {{args: "files.read", idle: true}},
		"mcp log":                 {{args: "files", idle: true}},
		"mcp connect":             {{args: "http://127.0.0.1:9/mcp", idle: true}},
		"mcp prompt":              {{args: "files.greet", idle: true}},
		"mcp prompts":             {{}},
		"mcp resources":           {{}},
		"mcp disconnect":          {{args: "files", idle: true}},
		"mcp login":               {{args: "files", idle: true}},
		"mcp logout":              {{args: "files", idle: true}},
		"memory policy list":      {{}},
		"memory tidy refresh":     {{idle: true}},
		"memory reset":            {{args: "--all"}},
		"memory scan":             {{}, {args: "--mask --yes"}},
		"memory show":             {{args: "1"}},
		"memory stabilize":        {{args: "1"}},
		"memory stats":            {{}},
		"memory summarize":        {{args: "trip"}},
		"memory test":             {{}, {args: "--add", idle: true}},
		"memory trust":            {{}},
		"memory trust ignore":     {{args: "team"}},
		"memory trust list":       {{}},
		"memory trust met":        {{}},
		"memory trust met never":  {{args: "test@127.0.0.1:9"}},
		"memory trust met revoke": {{args: "test@127.0.0.1:9", idle: true}},
		"memory trust met use":    {{args: "test@127.0.0.1:9", idle: true}},
		"memory trust never":      {{args: "team"}},
		"memory trust revoke":     {{args: "team", idle: true}},
		"memory trust use":        {{args: "team", idle: true}},
		"port":                    {{}},
		"port export":             {{}},
		"port procedural-rule":    {{args: "--rule ask-before-make"}},
		"port forget":             {{args: "--scope user --keys editor"}},
		"port recall-preferences": {{args: "--scope user"}},
		"port remember-preference": {
			{args: "--scope user --key shell --value zsh"}, {args: "-", stdin: `{"key":"shell","value":"zsh","scope":"user"}`},
		},
		"port retrospection": {{args: "--scope user --outcome done --lesson slowly"}},
		"recall":             {{args: "tea"}},
		"redact":             {{stdin: "a\n"}},
		"remember":           {{args: "the vpn is called mole"}},
		"retrospect": {
			{idle: true}, {args: "--json", idle: true}, {args: "--synthesize", idle: true}, {args: "--synthesize --dry-run", idle: true},
		},
		"review":             {{idle: true}, {args: "--json"}, {args: "--refused"}},
		"review later":       {{args: "p1", idle: true}},
		"review list":        {{}},
		"review no":          {{args: "p1", idle: true}},
		"review undo":        {{args: "p1", idle: true}},
		"review yes":         {{args: "p1", idle: true}},
		"risk":               {{args: "ls"}},
		"rules":              {{}},
		"rules list":         {{}},
		"rules log":          {{}},
		"rules propose":      {{idle: true}},
		"rules approve":      {{args: "p1", idle: true}},
		"rules rollback":     {{args: "1", idle: true}},
		"improve-rules":      {{idle: true}},
		"safety":             {{}},
		"safety list":        {{}},
		"safety revoke":      {{args: "1", idle: true}},
		"safety remember":    {{args: "git push", idle: true}},
		"safety test":        {{args: "ls"}},
		"serve":              {{args: "--tcp 192.0.2.1:1", idle: true}},
		"serve page":         {{idle: true}},
		"serve token":        {{}},
		"serve token add":    {{args: "notes"}},
		"serve token list":   {{}},
		"serve token revoke": {{args: "notes", idle: true}},
		"acp":                {{idle: true}},
		"telegram":           {{idle: true}},
		"telegram pair":      {{idle: true}},
		"telegram unpair":    {{idle: true}},
		"sessions":           {{}},
		"resume":             {{args: "trip", stdin: "exit\n"}},
		"sessions account":   {{args: "trip"}},
		"sessions delete":    {{args: "trip --yes"}},
		"sessions export":    {{args: "trip"}},
		"sessions list":      {{}},
		"sessions rename":    {{args: "trip the long way"}},
		"sessions search":    {{args: "tea"}},
		"sessions show":      {{args: "trip"}},
		"setup":              {{args: "claude --yes", idle: true}},
		"suggest":            {{args: "list files", idle: true}},
		"teach":              {{args: "from now on keep it short"}},
		"undo":               {{}},
		"version":            {{}},
		"why":                {{}},
		"why-not":            {{args: "1"}},
	}
}

// allCommands yields every command that can run, with its name below ken.
func allCommands(root *cobra.Command, yield func(string, *cobra.Command)) {
	if root.Runnable() {
		yield(strings.TrimPrefix(strings.TrimPrefix(root.CommandPath(), "ken"), " "), root)
	}
	for _, c := range root.Commands() {
		allCommands(c, yield)
	}
}

// TestEveryCommandStatesWhatItWrites: outside and in the shell, and each is tried.
func TestEveryCommandStatesWhatItWrites(t *testing.T) {
	t.Parallel()
	cases := laneCases()
	inside := &program{app: term.New(Env{})}
	inside.shell = chat.NewREPL(inside.app, inside.upkeep, inside)
	for _, p := range []*program{{app: term.New(Env{})}, inside} {
		allCommands(p.Root(), func(name string, c *cobra.Command) {
			w, stated := term.WritesOf(c.Annotations)
			if !stated {
				t.Errorf("ken %s states nothing of what it writes: see term.Writes", name)
			}
			if c.HasParent() && (c.PersistentPreRun != nil || c.PersistentPreRunE != nil) {
				t.Errorf("ken %s: what runs before it takes the place of mayRun, which refuses", name)
			}
			if w.Nothing && w.Own+w.Memory != "" {
				t.Errorf("ken %s states that it writes nothing, and %s", name, w.Own+w.Memory)
			}
			for _, flag := range w.When {
				_, flag, dashed := strings.Cut(flag, "--")
				if !dashed || c.Flags().Lookup(flag) == nil {
					t.Errorf("ken %s: what it writes hangs on %q, which it does not have", name, flag)
				}
			}
			if p == inside {
				return
			}
			if len(cases[name]) == 0 {
				t.Errorf("ken %s: no call in laneCases", name)
			}
			delete(cases, name)
		})
	}
	for name := range cases {
		t.Errorf("ken %s: stands in laneCases, and is no command", name)
	}
}

// TestLane runs every command as a model would and as the person does, and compares the
// files with what the command states about itself.
func TestLane(t *testing.T) {
	t.Parallel()
	for name, calls := range laneCases() {
		for _, call := range calls {
			t.Run(strings.Trim(name+" "+call.args, " "), func(t *testing.T) {
				t.Parallel()
				w := stated(t, name, call.args)
				args := func() []string { return append(strings.Fields(name), strings.Fields(call.args)...) }

				home := newLaneHome(t)
				changed, said, code := home.run(t, "model", call.stdin, args())
				if worst(changed) > w.most {
					t.Errorf("it states %+v, and wrote %q in the lane of a model", w, changed)
				}
				refused := code == term.ExitRefused && strings.Contains(said, "only a person "+w.person)
				if want := w.person != "" || call.refused; refused != want {
					t.Errorf("refused in the lane of a model: %v, want %v (exit code %d)\n%s", refused, want, code, said)
				}

				home = newLaneHome(t)
				changed, said, code = home.run(t, "", call.stdin, args())
				switch {
				case strings.Contains(said, "only a person"):
					t.Errorf("refused to the person: %s", said)
				case w.person == "" && w.most < proposed && worst(changed) > w.most:
					t.Errorf("it states %+v, and wrote %q", w, changed)
				case (w.person != "" || w.most == proposed) && !call.idle && len(changed) == 0:
					t.Errorf("the call writes nothing as the person, so it shows nothing: exit code %d\n%s", code, said)
				}
			})
		}
	}
}

// A statement is what a command states of one call.
type statement struct {
	person string // what only a person does with it
	most   rank   // of what it may write in the lane of a model
}

// stated is what a command states of itself, as it is called.
func stated(t *testing.T, name, args string) statement {
	t.Helper()
	var out statement
	allCommands((&program{app: term.New(Env{})}).Root(), func(n string, c *cobra.Command) {
		if n != name {
			return
		}
		w, _ := term.WritesOf(c.Annotations)
		if len(w.When) > 0 { // what stands behind exec is not to be parsed
			if err := c.ParseFlags(strings.Fields(args)); err != nil {
				t.Fatal(err)
			}
		}
		switch out.person = w.ByPerson(func(flag string) bool { return isOn(c, flag) }); {
		case out.person != "":
		case w.Memory != "":
			out.most = proposed
		case w.Own != "":
			out.most = kens
		}
	})
	return out
}

// A laneHome is a directory with everything that a command could change.
type laneHome string

func newLaneHome(t *testing.T) laneHome {
	t.Helper()
	home := laneHome(t.TempDir())
	for name, text := range map[string]string{
		"ken/memory.jsonl": `{"id":1,"kind":"fact","content":"the staging host is kettle"}` + "\n" +
			`{"id":2,"kind":"pref","key":"editor","content":"vim"}` + "\n" +
			`{"id":3,"ts":"2020-01-01T00:00:00Z","kind":"fact","content":"the tea stands on the shelf"}` + "\n" +
			`{"id":4,"kind":"fact","content":"the tea stands on the shelf now"}` + "\n" +
			`{"id":5,"kind":"fact","content":"the key of the old server is ` + "ghp_" + strings.Repeat("a1B2", 9) + `"}` + "\n" +
			`{"id":6,"ts":"2026-05-01T00:00:00Z","kind":"context","content":"we talked about kettles"}` + "\n",
		"profile.json": `{"schema_version":"markitect.memory.profile.v1","id":"a","title":"A","intent":"keep what counts",` +
			`"memory_kinds":["conversation"],"stores":{"conversation":"local"},"limits":{"conversation":{"max_items":100}},` +
			`"retention":{"conversation":{"stale_after_days":7,"delete_after_days":30}},"activation":{"max_items":3,"max_tokens":300},` +
			`"policy":{"required_labels":[],"durable_writes":"review-gated","secrets_allowed":false},` +
			`"observability":{"emit_events":true},"failure":{"missing_runtime_store":"degrade-to-dry-run"},"metadata":{}}`,
		"ken/device.json": `{"log":"own-0001"}`,
		"ken/review.jsonl": `{"id":1,"ts":"2026-01-01T00:00:00Z","kind":"proposal","of":"memory",` +
			`"record":{"kind":"fact","content":"tea is green"},"origin":"model"}` + "\n",
		"ken/sessions/trip.jsonl": `{"role":"user","content":"remember that the tea is green; my name is Ada"}` + "\n" +
			`{"role":"assistant","content":"ok"}` + "\n",
		"work/.git/HEAD":   "ref: refs/heads/main\n",
		"work/.git/config": "[remote \"origin\"]\n\turl = git@example.org:me/tea\n",
		"work/.ken/memory/team.jsonl": `{"meta":{"format":1,"log":"team"}}` + "\n" +
			`{"id":1,"kind":"fact","content":"use make"}` + "\n",
		"ken/commands/hello.md": "---\ndescription: say hello\n---\nSay hello to $1.\n",
		"notes/CLAUDE.md":       "# Rules\n\n- use tabs in makefiles\n- ask before you push\n",
	} {
		path := filepath.Join(string(home), filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return home
}

// run runs one command line and returns which files changed, what was said on standard
// error, and the exit code.
func (h laneHome) run(t *testing.T, origin, stdin string, args []string) (changed []string, said string, code int) {
	t.Helper()
	return h.runInto(t, io.Discard, origin, stdin, args)
}

// runInto is run with standard output in out.
func (h laneHome) runInto(t *testing.T, out io.Writer, origin, stdin string, args []string) (changed []string, said string, code int) {
	t.Helper()
	in, err := os.CreateTemp(t.TempDir(), "stdin")
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if _, err := in.WriteString(stdin); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Seek(0, 0); err != nil {
		t.Fatal(err)
	}
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "$HOME", string(h))
	}
	before := h.files(t)
	var errs bytes.Buffer
	now := time.Date(2026, 5, 13, 19, 0, 0, 0, time.UTC)
	env := map[string]string{"KEN_HOME": filepath.Join(string(h), "ken"), "HOME": string(h), "KEN_ORIGIN": origin, "PATH": os.Getenv("PATH")}
	code = Main(t.Context(), Env{
		Args: args, Stdin: in, Stdout: out, Stderr: &errs, Input: &in, Dir: filepath.Join(string(h), "work"), Local: []string{},
		Now: func() time.Time { return now }, Clock: time.Now, Getenv: func(name string) string { return env[name] },
		Environ: func() []string { return []string{"PATH=" + env["PATH"]} },
	})
	after := h.files(t)
	for name := range maps.Keys(after) {
		if before[name] != after[name] {
			changed = append(changed, name)
		}
	}
	for name := range before {
		if _, there := after[name]; !there {
			changed = append(changed, name)
		}
	}
	slices.Sort(changed)
	return changed, errs.String(), code
}

// files are all but what is derived or counted.
func (h laneHome) files(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(string(h), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		name, err := filepath.Rel(string(h), path)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		all[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	maps.DeleteFunc(all, func(name, _ string) bool { return rankOf(name) == derived })
	return all
}

// A rank is whose a file is, from what harms least.
type rank int

const (
	derived  rank = iota // or counted
	kens                 // conversations, pages
	proposed             // what waits for the person
	persons              // memory, settings, approvals
)

func rankOf(name string) rank {
	switch base := filepath.Base(name); {
	case strings.Contains(name, "/cache/"), strings.HasSuffix(name, ".lock"), strings.HasSuffix(name, ".head"),
		base == "usage.jsonl", base == "mask.key":
		return derived
	case strings.HasPrefix(name, "ken/sessions/"), base == "MEMORY.md", strings.HasPrefix(name, "pages/"):
		return kens
	case base == "review.jsonl", base == "audit.jsonl":
		return proposed
	}
	return persons
}

// worst is the highest rank of the files.
func worst(files []string) rank {
	most := derived
	for _, name := range files {
		most = max(most, rankOf(name))
	}
	return most
}

// TestUnstatedIsRefused: a command that states nothing is closed to models, and open to
// the person; so is one below a command that states something.
func TestUnstatedIsRefused(t *testing.T) {
	t.Parallel()
	for _, origin := range []string{"", "model", "agent:bot", "nonsense"} {
		p := &program{app: term.New(Env{Getenv: func(name string) string { return map[string]string{"KEN_ORIGIN": origin}[name] }})}
		root := p.bare()
		ran := false
		group := &cobra.Command{Use: "group", Annotations: term.Writes{Nothing: true}.Note()}
		group.AddCommand(&cobra.Command{Use: "new", RunE: func(*cobra.Command, []string) error { ran = true; return nil }})
		root.AddCommand(group)
		root.SetArgs([]string{"group", "new"})
		err := root.Execute()
		if person := origin == ""; ran != person || (err == nil) != person || !person && fault.KindOf(err) != fault.Refused {
			t.Errorf("KEN_ORIGIN=%s: ran %v, error %v", origin, ran, err)
		}
	}
}
