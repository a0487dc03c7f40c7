package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ken/internal/cli/chat"
	"ken/internal/cli/help"
	"ken/internal/cli/term"
	"ken/internal/view"
)

// manCommand writes the manual pages, from what --help knows.
func (p *program) manCommand() *cobra.Command {
	return &cobra.Command{
		Use: "man DIR", Short: "write the manual pages into a directory", Args: cobra.ExactArgs(1), Hidden: true,
		Annotations: term.Writes{Own: "manual pages, in the directory named", Spares: true}.Note(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil { // for everybody on the machine
				return fmt.Errorf("write manual pages: %w", err)
			}
			n, err := writePages(args[0], cmd.Root(), chat.NewREPL(p.app, p.upkeep, nil).Commands())
			if err != nil {
				return fmt.Errorf("write manual pages: %w", err)
			}
			return p.app.Println(fmt.Sprintf("wrote %s to %s", view.Count(n, "page"), args[0]))
		},
	}
}

// writePages writes the page of cmd and of all visible commands below it. inside
// are the commands of the shell alone, which have no pages of their own.
func writePages(dir string, cmd *cobra.Command, inside []*cobra.Command) (n int, err error) {
	page := filepath.Join(dir, pageName(cmd)+".1")
	if err := os.WriteFile(page, []byte(manPage(cmd, inside)), 0o644); err != nil {
		return 0, err
	}
	n = 1
	for _, c := range cmd.Commands() {
		if !isAvailable(c) && !help.HasPage(c) {
			continue
		}
		below, err := writePages(dir, c, nil)
		if n += below; err != nil {
			return n, err
		}
	}
	return n, nil
}

// pageName is the name of a command's page: "ken-memory-list".
func pageName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// manPage is the manual page of a command, in the macros of man(7). It has no
// date, so that the same program writes the same bytes.
func manPage(cmd *cobra.Command, inside []*cobra.Command) string {
	r := &roff{}
	name := pageName(cmd)
	r.line(`.TH "%s" 1 "" "ken %s" "ken"`, strings.ToUpper(name), term.Version)
	r.line(".nh\n.ad l") // no hyphens in what people type
	r.section("NAME")
	r.text(name + " - " + cmd.Short)
	r.section("SYNOPSIS")
	r.synopsis(cmd)
	r.section("DESCRIPTION")
	r.text(orElse(cmd.Long, sentence(cmd.Short)))
	if below := available(cmd); len(below) > 0 {
		r.section("COMMANDS")
		for _, c := range below {
			r.tagged(`\fB`+escape(c.Name())+`\fR`, c.Short)
		}
	}
	r.flags("OPTIONS", cmd.NonInheritedFlags())
	r.flags("GLOBAL OPTIONS", cmd.InheritedFlags())
	if cmd.Example != "" {
		r.section("EXAMPLES")
		r.line(".nf\n.RS 4\n%s\n.RE\n.fi", guarded(escape(unindent(cmd.Example))))
	}
	if !cmd.HasParent() {
		r.shell(inside)
		r.files()
	}
	r.seeAlso(cmd)
	return r.b.String()
}

// shell describes what a line of the shell can be.
func (r *roff) shell(inside []*cobra.Command) {
	r.section("IN THE SHELL")
	r.text(`A line goes to the model. What begins with a colon is a command, the same as outside; what
begins with a dollar is run with your own shell, and so are lines that begin with well-known
programs. A unique beginning of a command is
enough. Commands of the shell alone:`)
	for _, c := range inside {
		r.tagged(`\fB:`+escape(c.Name())+`\fR`, c.Short)
	}
}

// files is what only the first page has.
func (r *roff) files() {
	r.section("FILES")
	r.tagged(escape("~/.config/ken/config.toml"), "settings")
	r.tagged(escape("~/.local/share/ken/memory.jsonl"), "the memory; one line each, to be read and edited by hand")
	r.tagged(escape("~/.local/share/ken/sessions/"), "conversations, one file each")
	r.section("ENVIRONMENT")
	r.tagged(`\fBKEN_HOME\fR`, "one directory for all files of ken")
	r.tagged(`\fBOPENAI_BASE_URL\fR, \fBOPENAI_API_KEY\fR, \fBKEN_MODEL\fR`, "the model to talk to, where no settings name one")
	r.tagged(`\fBNO_COLOR\fR`, "no colors")
	r.section("EXIT STATUS")
	for _, c := range [][2]string{
		{"0", "done, or answered"},
		{"1", "ken's own failure, or something was not saved"},
		{"2", "the command line or the settings are wrong"},
		{"3", "no model, or its endpoint, key or network failed"},
		{"4", "refused, or nobody was there to allow it"},
		{"6", "the answer ended too early"},
		{"130", "interrupted"},
	} {
		r.tagged(`\fB`+c[0]+`\fR`, c[1])
	}
}

// seeAlso names the pages above, beside and below.
func (r *roff) seeAlso(cmd *cobra.Command) {
	var pages []string
	if cmd.HasParent() {
		pages = append(pages, pageName(cmd.Parent()))
		for _, c := range available(cmd.Parent()) {
			if c != cmd && cmd.Parent().HasParent() {
				pages = append(pages, pageName(c))
			}
		}
	}
	for _, c := range available(cmd) {
		pages = append(pages, pageName(c))
	}
	for i, name := range pages {
		pages[i] = `\fB` + escape(name) + `\fR(1)`
	}
	r.section("SEE ALSO")
	r.line("%s", strings.Join(pages, ",\n"))
}

// available are the commands right below cmd that have a page.
func available(cmd *cobra.Command) []*cobra.Command {
	var list []*cobra.Command
	for _, c := range cmd.Commands() {
		if isAvailable(c) {
			list = append(list, c)
		}
	}
	return list
}

func isAvailable(c *cobra.Command) bool {
	return !c.Hidden && c.IsAvailableCommand() && !term.IsOwnCommand(c.Annotations)
}

// synopsis shows how the command is called: names in bold, the rest as it is.
func (r *roff) synopsis(cmd *cobra.Command) {
	_, operands, _ := strings.Cut(cmd.Use, " ")
	operands = strings.TrimSpace(strings.Replace(operands, "[flags]", "", 1))
	use := `\fB` + escape(cmd.CommandPath()) + `\fR`
	if cmd.HasAvailableLocalFlags() {
		use += ` [\fIoptions\fR]`
	}
	if operands != "" {
		use += " " + escape(operands)
	}
	if len(available(cmd)) > 0 {
		use += ` [\fIcommand\fR]`
	}
	r.line("%s", use)
}

// flags are those of a set that are shown.
func (r *roff) flags(title string, set *pflag.FlagSet) {
	if !set.HasAvailableFlags() {
		return
	}
	r.section(title)
	set.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, meaning := pflag.UnquoteUsage(f)
		term := `\fB\-\-` + escape(f.Name) + `\fR`
		if f.Shorthand != "" {
			term = `\fB\-` + escape(f.Shorthand) + `\fR, ` + term
		}
		if value != "" {
			term += ` \fI` + escape(value) + `\fR`
		}
		r.tagged(term, meaning)
	})
}

// unindent takes off the blanks that examples begin with.
func unindent(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimPrefix(line, "  ")
	}
	return strings.Join(lines, "\n")
}

// sentence begins with a capital and ends with a full stop.
func sentence(s string) string { return strings.ToUpper(s[:1]) + s[1:] + "." }

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
