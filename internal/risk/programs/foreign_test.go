package programs

import (
	"testing"

	"ken/internal/risk/programs/call"
)

// TestForeign: what is taken from elsewhere, loaded, unguarded or replaced is a danger by
// the form of the words, in programs that no row tells about as well; and the same words
// without it are none.
func TestForeign(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		words []string
		want  call.Level
	}{
		{[]string{"sometool", "source", "add", "x", "https://a.example/r"}, call.Danger},
		{[]string{"sometool", "source", "add", "x"}, call.Caution},
		{[]string{"sometool", "repo", "add", "x", "http://localhost:8080/r"}, call.Caution},
		{[]string{"sometool", "--plugin", "/tmp/p.js"}, call.Danger},
		{[]string{"sometool", "--plugin", "known"}, call.Caution},
		{[]string{"sometool", "--cache-dir", "/tmp/x"}, call.Caution},
		{[]string{"sometool", "config", "verify-ssl", "false"}, call.Danger},
		{[]string{"sometool", "config", "verify-ssl", "true"}, call.Caution},
		{[]string{"sometool", "--no-sandbox"}, call.Danger},
		{[]string{"sometool", "delete", "x"}, call.Danger},
		{[]string{"sometool", "show", "x"}, call.Caution},
		{[]string{"own-wipe.sh"}, call.Danger},
		{[]string{"sometool", "|id"}, call.Danger},
		{[]string{"/tmp/x"}, call.Danger},
		{[]string{"kubectl", "set", "image", "deploy/a", "a=b"}, call.Danger},
		{[]string{"kubectl", "set", "image", "deploy/a", "a=b", "--dry-run=client"}, call.Caution},
		{[]string{"kubectl", "rollout", "restart", "deploy/a"}, call.Caution},
		{[]string{"kubectl", "get", "pods", "-n", "kube-system"}, call.Safe},
		{[]string{"kubectl", "delete", "pod", "a", "-n", "kube-system"}, call.Danger},
		{[]string{"ssh", "h", "sudo journalctl -u x"}, call.Caution},
		{[]string{"ssh", "h", "sudo systemctl status x"}, call.Caution},
		{[]string{"ssh", "h", "sudo systemctl stop x"}, call.Danger},
		{[]string{"ssh", "-L", "8080:a:80", "h"}, call.Caution},
		{[]string{"ssh", "-L", "*:8080:a:80", "h"}, call.Danger},
		{[]string{"snapper", "delete", "1"}, call.Danger},
		{[]string{"csrutil", "authenticated-root", "disable"}, call.Danger},
		{[]string{"csrutil", "authenticated-root", "status"}, call.Safe},
		{[]string{"zsh", "-c", "ls"}, call.Caution},
		{[]string{"zsh", "-c", "ls *(e:id:)"}, call.Danger},
	} {
		if got, _ := levelOfCall(line(c.words...)); got != c.want {
			t.Errorf("%q: %d, want %d", c.words, got, c.want)
		}
	}
}
