package command

import (
	"strings"
	"testing"
)

// read lets every program read text where one of its anchors stands.
func read(text string) (*Reader, []string) {
	r := NewReader(text)
	lower := strings.ToLower(text)
	for i := range text {
		for _, p := range Programs() {
			for _, a := range p.Anchors {
				if len(lower) == len(text) && strings.HasPrefix(lower[i:], a) {
					p.Read(r, i, i+len(a))
				}
			}
		}
	}
	var found []string
	for _, s := range r.Found {
		found = append(found, text[s.Start:s.End])
	}
	return r, found
}

func TestRead(t *testing.T) {
	t.Parallel()
	const pass = "Kiwi48" + "river"
	for _, s := range []string{
		"mysql -uroot -p@@ shop", "mysql -u root -p'@@'", "sshpass -p '@@' ssh h", "sshpass -p@@ ssh h", "curl -u bob:@@ x", "curl -s --user 'bob:@@' x", "redis-cli -a @@ ping", "docker login -u b -p @@ r", "ldapsearch -w '@@'",
		"zip -P @@ a b", "unzip -P '@@' a", "7z a -p@@ x", "smbclient //h/s -U bob%@@", "xfreerdp /p:@@", "openssl rsa -passin pass:@@ -in k", "openssl enc -k '@@' -in a", "echo '@@' | sudo -S ls", "echo bob:@@ | chpasswd",
		"sudo -S ls <<< '@@'", "CREATE USER a IDENTIFIED BY '@@'", "identified with x by \"@@\"", "wpa_passphrase Home '@@'", "htpasswd -bc f bob @@", "net use z: //h /user:bob @@", "lftp -u bob,@@ h", "rclone config create r sftp pass @@", "useradd -p @@ bob",
	} {
		if _, found := read(strings.ReplaceAll(s, "@@", pass)); len(found) != 1 || found[0] != pass {
			t.Errorf("%s: %q", s, found)
		}
	}
	for _, s := range []string{
		"mysql -u root -p shop", "mysql -p\"$PW\"", "docker run -p 8080:80 x", "docker build -t x:1 .", "curl -u bob x", "curl -u bob: x", "zip -r a b", "echo hi | grep h", "echo $PW | sudo -S ls", "sudo -S ls <<< \"$PW\"", "cat <<< Kiwi48", "identified by the word 'Kiwi48'",
		"IDENTIFIED BY ?", "wpa_passphrase Home", "htpasswd -c f bob", "net use z: //h", "mkdir -p Kiwi48", "", "pass:", "ssh -p 2222 h", "unzip a.zip",
	} {
		if _, found := read(s); len(found) > 0 {
			t.Errorf("%s: %q", s, found)
		}
	}
}

// Open says from where on a command line may go on with a password.
func TestOpen(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]int{"echo Kiwi48": 5, "ls -l": 5, "echo a | cat\n": len("echo a | cat\n")} {
		if r, _ := read(s); r.Open != want {
			t.Errorf("%q: open at %d, want %d", s, r.Open, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{"mysql -p'x y'", "echo 'a:b' | chpasswd", "curl -u \"a:b", "identified by 'x", "htpasswd -b ' ' x y", "net use /user:"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r, _ := read(s)
		for _, v := range r.Found {
			if v.Start < 0 || v.Start >= v.End || v.End > len(s) {
				t.Errorf("%q: %v", s, v)
			}
		}
		if r.Open < 0 || r.Open > len(s) {
			t.Errorf("%q: open at %d", s, r.Open)
		}
	})
}
