// Package git judges git by its subcommands and their flags. What only reads is safe
// where the configuration of the repository is trusted: it names programs.
package git
