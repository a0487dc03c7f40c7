package config

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestTelegramToken: the bot's token comes from where keys do, and no error has it.
func TestTelegramToken(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	secret := "4711:" + strings.Repeat("aB3-", 8)
	file := filepath.Join(dir, "token")
	if err := os.WriteFile(file, []byte(secret+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	loose := filepath.Join(dir, "loose")
	if err := os.WriteFile(loose, []byte(secret), 0o644); err != nil { //nolint:gosec // that others may read it is the case
		t.Fatal(err)
	}
	getenv := func(name string) string {
		return map[string]string{"BOT": " " + secret, "TWO": secret + " x", "HOME": dir}[name]
	}
	for _, c := range []struct {
		t          Telegram
		from, fail string
	}{
		{Telegram{}, "", "telegram.token_file names no file"},
		{Telegram{TokenEnv: "BOT"}, "$BOT", ""},
		{Telegram{TokenFile: file}, file, ""},
		{Telegram{TokenFile: "~/token"}, "~/token", ""},
		{Telegram{TokenEnv: "BOT", TokenFile: loose}, "$BOT", ""},
		{Telegram{TokenEnv: "NONE"}, "", "$NONE is not set"},
		{Telegram{TokenEnv: "TWO"}, "", "want the key alone"},
		{Telegram{TokenFile: loose}, "", "others may read"},
		{Telegram{TokenFile: filepath.Join(dir, "gone")}, "", "gone"},
	} {
		if c.fail == "others may read" && runtime.GOOS == "windows" {
			continue
		}
		token, from, err := c.t.Token(getenv)
		if c.fail == "" && (token != secret || from != c.from || err != nil) {
			t.Errorf("%+v: from %q, %v", c.t, from, err)
		}
		if c.fail != "" && (err == nil || token != "" || !strings.Contains(err.Error(), c.fail) || strings.Contains(err.Error(), secret)) {
			t.Errorf("%+v: %v, want %q", c.t, err, c.fail)
		}
		hinted := (*hinted)(nil)
		if c.t.TokenEnv == "NONE" && (!errors.As(err, &hinted) || !strings.Contains(hinted.Hint(), "telegram.token_file")) {
			t.Errorf("%+v: %v", c.t, err)
		}
	}
}

// TestUserSecret: the secret of who asks is found as keys are; where the settings name none there is none, and none is missed.
func TestUserSecret(t *testing.T) {
	t.Parallel()
	secret := "owui-" + strings.Repeat("a1B2", 6)
	file := filepath.Join(t.TempDir(), "webui")
	if err := os.WriteFile(file, []byte(secret+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	getenv := func(name string) string { return map[string]string{"WEBUI": secret}[name] }
	for _, c := range []struct {
		s          Serve
		want, fail string
	}{
		{Serve{}, "", ""},
		{Serve{UserSecretEnv: "WEBUI"}, secret, ""},
		{Serve{UserSecretFile: file}, secret, ""},
		{Serve{UserSecretEnv: "NONE"}, "", "$NONE is not set"},
		{Serve{UserSecretFile: file + "x"}, "", "webuix"},
	} {
		got, err := c.s.UserSecret(getenv)
		if got != c.want || (err == nil) != (c.fail == "") || err != nil && !strings.Contains(err.Error(), c.fail) {
			t.Errorf("%+v: %v", c.s, err)
		}
		if hint := (*hinted)(nil); c.s.UserSecretEnv == "NONE" && (!errors.As(err, &hint) || !strings.Contains(hint.Hint(), "user_secret_file")) {
			t.Errorf("%v", err)
		}
	}
}
