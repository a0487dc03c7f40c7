package programs

import (
	"testing"
)

// TestForeign: what is taken from elsewhere, loaded, unguarded or replaced is a danger by
// the form of the words, in programs that no row tells about as well; and the same words
// without it are none.
func TestForeign(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		words []string
		want  Level
	}{
		{[]string{"sometool", "source", "add", "x", "https://a.example/r"}, Danger},
		{[]string{"sometool", "source", "add", "x"}, Caution},
		{[]string{"sometool", "repo", "add", "x", "http://localhost:8080/r"}, Caution},
		{[]string{"sometool", "--plugin", "/tmp/p.js"}, Danger},
		{[]string{"sometool", "--plugin", "known"}, Caution},
		{[]string{"sometool", "--cache-dir", "/tmp/x"}, Caution},
		{[]string{"sometool", "config", "verify-ssl", "false"}, Danger},
		{[]string{"sometool", "config", "verify-ssl", "true"}, Caution},
		{[]string{"sometool", "--no-sandbox"}, Danger},
		{[]string{"sometool", "delete", "x"}, Danger},
		{[]string{"sometool", "show", "x"}, Caution},
		{[]string{"own-wipe.sh"}, Danger},
		{[]string{"sometool", "|id"}, Danger},
		{[]string{"/tmp/x"}, Danger},
		{[]string{"kubectl", "set", "image", "deploy/a", "a=b"}, Danger},
		{[]string{"kubectl", "set", "image", "deploy/a", "a=b", "--dry-run=client"}, Caution},
		{[]string{"kubectl", "rollout", "restart", "deploy/a"}, Caution},
		{[]string{"kubectl", "get", "pods", "-n", "kube-system"}, Safe},
		{[]string{"kubectl", "delete", "pod", "a", "-n", "kube-system"}, Danger},
		{[]string{"ssh", "h", "sudo journalctl -u x"}, Caution},
		{[]string{"ssh", "h", "sudo systemctl status x"}, Caution},
		{[]string{"ssh", "h", "sudo systemctl stop x"}, Danger},
		{[]string{"ssh", "-L", "8080:a:80", "h"}, Caution},
		{[]string{"ssh", "-L", "*:8080:a:80", "h"}, Danger},
		{[]string{"snapper", "delete", "1"}, Danger},
		{[]string{"csrutil", "authenticated-root", "disable"}, Danger},
		{[]string{"csrutil", "authenticated-root", "status"}, Safe},
		{[]string{"zsh", "-c", "ls"}, Caution},
		{[]string{"zsh", "-c", "ls *(e:id:)"}, Danger},
	} {
		if got, _ := levelOfCall(line(c.words...)); got != c.want {
			t.Errorf("%q: %d, want %d", c.words, got, c.want)
		}
	}
}
