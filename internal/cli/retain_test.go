//go:build unix

package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/cli/clitest"
	"ken/internal/llm/llmtest"
)

// planted are facts and instructions as people drop them in the middle of work, each
// with the word by which it is known again.
func planted() [][2]string {
	var list [][2]string
	for _, s := range strings.Split(strings.TrimSpace(`
The staging host is KETTLE.example.org.
Production runs on four machines called OOLONG.
We never deploy on Fridays after 14:00, tell SENCHA first.
The database is Postgres 17 on port 5544, user MATCHA.
Always use pnpm in the CHAMOMILE repository.
The API key lives in 1password under ROOIBOS.
Builds fail with ENOSPC when /var/cache/TULSI is full.
My manager is called DARJEELING.
The migration has to be done by 2026-06-30, says GUNPOWDER.
I prefer tabs over spaces in the ASSAM code.
The flaky test is TestLAPSANG in package broker.
Use node 22, not 24, for the KEEMUN service.
Logs are in /srv/YERBA/log and rotate daily.
The feature flag is called enable_HIBISCUS.
We decided to drop support for MINT 3.
The customer in Lisbon is called VERBENA.
Rate limits are 40 requests a second for JASMINE.
The backup bucket is s3://nightly-NETTLE.
Remember that GINGER is on call this week.
The error was "broken pipe" in module FENNEL.
Commit messages begin with the package, as THYME does.
The port of the proxy moved to 9443 for LEMON.
Our style guide is docs/SAGE.md.
The old queue PEPPERMINT must stay until July.
Do not touch vendor/LICORICE by hand.
The team meets on Tuesdays at 10:30 in room CINNAMON.
The certificate for CARDAMOM expires in March.
Version 2.4.1 of CLOVE has the fix.
The index must stay below 70 percent, says ANISE.
Reviews need two people, one of them BERGAMOT.
`), "\n") {
		word := ""
		for _, w := range strings.FieldsFunc(s, func(r rune) bool { return r < 'A' || r > 'Z' }) {
			if len(w) > len(word) {
				word = w
			}
		}
		list = append(list, [2]string{s, word})
	}
	return list
}

// TestFactsRetained plants facts in a long conversation, one to three turns of other
// talk apart, sums up twice, and asks where each of them still is: in what is sent,
// in the working memory, and in the search of what was said. All that the budget
// holds must be there; the answers of the model hold none of it.
//
//ken:indexed
func TestFactsRetained(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	clitest.Configure(t, dir, "[memory]\nuser_namespace = \"user\"\n")
	model := llmtest.New(t)
	model.Always(llmtest.Text("Let me see. That should work as it is."))
	facts := planted()
	var lines strings.Builder
	for i, f := range facts {
		fmt.Fprintf(&lines, "%s\n", f[0])
		for j := range 1 + i%3 {
			fmt.Fprintf(&lines, "could you look at line %d of that file again?\n", 100*i+j)
		}
		if i == len(facts)/2 || i == len(facts)-1 {
			lines.WriteString(":compact\n")
		}
	}
	lines.WriteString("what do you still know?\n")
	cmd := clitest.Command(t, dir, model)
	cmd.Stdin = strings.NewReader(lines.String())
	var out bytes.Buffer
	cmd.Stderr = &out
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	if n := strings.Count(out.String(), "summed up by "); n != 2 {
		t.Fatalf("summed up %d times:\n%s", n, out.String())
	}
	reqs := model.Requests()
	system := reqs[len(reqs)-1].Messages()[0].Content
	b, err := os.ReadFile(filepath.Join(dir, "ken", "working.md"))
	if err != nil {
		t.Fatal(err)
	}
	var sent, kept, found int
	for _, f := range facts {
		if strings.Contains(system, f[1]) {
			sent++
		} else {
			t.Logf("not sent: %s", f[0])
		}
		if strings.Contains(string(b), f[1]) {
			kept++
		}
		got, err := clitest.Command(t, dir, nil, "sessions", "search", "--json", f[1]).Output()
		if err == nil && strings.Contains(string(got), f[1]) {
			found++
		}
	}
	t.Logf("of %d facts and instructions after two compactions: %d are sent, %d in the working memory, %d found by search", len(facts), sent, kept, found)
	if sent < len(facts) || kept < len(facts) || found < len(facts) {
		t.Errorf("%d sent, %d kept, %d found of %d\n%s", sent, kept, found, len(facts), system)
	}
}
