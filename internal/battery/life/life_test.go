//go:build linux || darwin

package life

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
	"ken/internal/proctest"
	"ken/internal/tokens"
)

func TestMain(m *testing.M) {
	clitest.Main(m, proctest.Outside{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Exit: os.Exit})
}

// A life is one person at one machine, and the model that they ask.
type life struct {
	t      *testing.T
	dir    string
	model  *llmtest.Server
	jobs   []job
	learns bool
	looked bool // back, once at least

	mu       sync.Mutex
	mistakes map[string]int // by wrong command
	repeated int
	wasted   int // tokens of requests that led to a mistake that was made before
	sent     int // tokens of all requests
}

// start makes the repository and the model.
func start(t *testing.T, list []job, learns bool) *life {
	t.Helper()
	l := &life{t: t, dir: t.TempDir(), jobs: list, learns: learns, mistakes: map[string]int{}}
	git := filepath.Join(l.dir, "tea", ".git")
	if err := os.MkdirAll(git, 0o700); err != nil {
		t.Fatal(err)
	}
	clitest.Write(t, filepath.Join(git, "HEAD"), "ref: refs/heads/main\n")
	clitest.Write(t, filepath.Join(git, "config"), "[remote \"origin\"]\n\turl = https://example.org/ada/tea.git\n")
	l.model = llmtest.New(t)
	l.model.Reply(l.answer)
	clitest.Configure(t, l.dir, "[memory]\nuser_namespace = \"ada\"\n")
	bin := filepath.Join(l.dir, "bin") // what the commands run
	if err := os.Mkdir(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, j := range l.jobs {
		name, _, _ := strings.Cut(j.right, " ")
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\necho done\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

// answer is the model: what a question is about it knows, and how it is done here only if it was told.
func (l *life) answer(r llmtest.Request) llmtest.Script {
	list := r.Messages()
	question, all := list[len(list)-1].Content, string(r.Body)
	for _, j := range l.jobs {
		for _, words := range j.asked {
			if !strings.HasSuffix(question, words) {
				continue
			}
			l.mu.Lock()
			defer l.mu.Unlock()
			cost := tokens.Estimate(all)
			l.sent += cost
			if strings.Contains(all, j.right) {
				return llmtest.Text("Like this:\n\nCMD: " + j.right + "\n")
			}
			if l.mistakes[j.wrong]++; l.mistakes[j.wrong] > 1 {
				l.repeated++
				l.wasted += cost
			}
			return llmtest.Text("Like this:\n\nCMD: " + j.wrong + "\n")
		}
	}
	return llmtest.Text("Understood.")
}

// day holds one conversation: a job asked in its n-th words, and something else. Whether the person had to correct the model is returned.
func (l *life) day(n int, now time.Time) (corrected bool) {
	l.t.Helper()
	j := l.jobs[n%len(l.jobs)]
	words := j.asked[n/len(l.jobs)%len(j.asked)]
	cmd := clitest.Command(l.t, l.dir, l.model)
	cmd.Dir = filepath.Join(l.dir, "tea")
	cmd.Env = append(cmd.Env, "KEN_NOW="+now.Format(time.RFC3339), "PATH="+filepath.Join(l.dir, "bin")+":/usr/bin:/bin")
	x := clitest.Open(l.t, cmd)
	x.Await("]> ")
	talk := chatter()
	x.Send(talk[n%len(talk)] + "\r")
	x.Await("Understood.")
	x.Await("]> ")
	x.Send(words + "\r")
	card := x.Await("[N] no > ")
	if corrected = !strings.Contains(card, "CMD: "+j.right); corrected {
		x.Send("e")
		x.Await("$" + j.wrong)
		x.Send("\x15$" + j.right + "\r")
	} else {
		x.Send("y")
	}
	x.Await("done")
	x.Await("]> ")
	x.Quit()
	return corrected
}

// evening is what the person does with what went wrong: a look back, at which they agree to what ken made of it, and add nothing.
func (l *life) evening(now time.Time) {
	l.t.Helper()
	cmd := clitest.Command(l.t, l.dir, l.model, "retrospect")
	cmd.Dir = filepath.Join(l.dir, "tea")
	cmd.Env = append(cmd.Env, "KEN_NOW="+now.Format(time.RFC3339))
	x := clitest.Open(l.t, cmd)
	if l.looked { // there is a memory that could be wrong by now
		x.Await("forgets it > ")
		x.Send("\r")
	}
	l.looked = true
	x.Await("[lesson] ")
	x.Await("[N] no > ")
	x.Send("y\r")
	x.Await("kept #")
	x.Await("[N] no > ") // whether a model is to suggest more
	x.Send("\x03")
	x.Exit()
}

// proposed counts what ken would propose of all of it; junk is what is about no mistake, or would hold up what the person does
// themselves.
func (l *life) proposed(now time.Time) (all, junk int) {
	l.t.Helper()
	cmd := clitest.Command(l.t, l.dir, nil, "rules", "propose", "--dry-run")
	cmd.Dir = filepath.Join(l.dir, "tea")
	cmd.Env = append(cmd.Env, "KEN_NOW="+now.Format(time.RFC3339))
	out, err := cmd.CombinedOutput()
	if err != nil {
		l.t.Fatalf("%v\n%s", err, out)
	}
	for _, m := range regexp.MustCompile("(?m)^[+] rule: ask before `(.*)`$").FindAllStringSubmatch(string(out), -1) {
		all++
		begins := func(line string) bool { return strings.HasPrefix(line+" ", m[1]+" ") }
		if !slices.ContainsFunc(l.jobs, func(j job) bool { return begins(j.wrong) }) ||
			slices.ContainsFunc(l.jobs, func(j job) bool { return begins(j.right) }) {
			junk++
		}
	}
	return all, junk
}

// sessions is how many conversations there are: KEN_LIFE says it, for those who measure.
func sessions(t *testing.T) int {
	if text := os.Getenv("KEN_LIFE"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	return 6
}

// TestLife: a mistake that was corrected is not made again, however it is asked for.
//
//ken:unraced
func TestLife(t *testing.T) {
	t.Parallel()
	days := sessions(t)
	lives := map[bool]*life{}
	list := jobs()[:max(1, days/3)] // each is asked for three times
	for _, learns := range []bool{false, true} {
		l := start(t, list, learns)
		lives[learns] = l
		at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
		corrected := 0
		for n := range days {
			if l.day(n, at) {
				corrected++
				if l.learns {
					l.evening(at.Add(8 * time.Hour))
				}
			}
			at = at.Add(24 * time.Hour)
		}
		proposed, junk := l.proposed(at)
		if 5*junk > proposed {
			t.Errorf("of %d rules that are proposed %d are junk", proposed, junk)
		}
		t.Logf("%d rules are proposed, %d of them junk", proposed, junk)
		t.Logf("learns %-5t %d conversations: %d corrected, %d mistakes repeated, %d tokens spent on those, of %d sent",
			learns, days, corrected, l.repeated, l.wasted, l.sent)
	}
	if without := max(0, days-len(list)); lives[false].repeated != without {
		t.Errorf("without lessons %d are repeated, want %d: the measure is wrong", lives[false].repeated, without)
	}
	if n := lives[true].repeated; n > 0 {
		t.Errorf("%d mistakes are made again", n)
	}
}
