package config

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"

	"ken/internal/regular"
)

// maxKey is the longest secret that is taken, in bytes; tokens that are signed
// statements reach a few thousand.
const maxKey = 16 << 10

// Key finds the secret of the preset: the environment first, then the file.
// from names the place ("$OPENAI_API_KEY", "~/.keys/openai"). A preset that
// names neither has no secret, which is no error: a server of one's own needs
// none. A preset that names one but has none there is an error, as is a file
// that others may read, with a Hint. No error holds the secret.
func (m Model) Key(getenv func(string) string) (key, from string, err error) {
	if m.APIKeyEnv != "" {
		key, from = strings.TrimSpace(getenv(m.APIKeyEnv)), "$"+m.APIKeyEnv
	}
	switch {
	case key != "":
	case m.APIKeyFile != "":
		from = m.APIKeyFile
		if key, err = readKey(m.APIKeyFile, homeOf(getenv)); err != nil {
			return "", "", err
		}
	case m.APIKeyEnv != "":
		return "", "", &hinted{
			fmt.Errorf("no key: %s is not set", from),
			"export " + m.APIKeyEnv + ", or name a file with api_key_file",
		}
	default:
		return "", "", nil
	}
	if err := checkKey(key, from); err != nil {
		return "", "", err
	}
	return key, from, nil
}

// Token finds the bot's token, as Key does that of a preset. Without one the error says where to get one.
func (t Telegram) Token(getenv func(string) string) (token, from string, err error) {
	if t.TokenEnv == "" && t.TokenFile == "" {
		return "", "", &hinted{
			errors.New("no bot: telegram.token_file names no file with the token of one"),
			"make a bot with @BotFather in Telegram, put its token into a file, chmod 600 FILE; ken config set telegram.token_file=FILE",
		}
	}
	token, from, err = Model{APIKeyEnv: t.TokenEnv, APIKeyFile: t.TokenFile}.Key(getenv)
	if missing := (*hinted)(nil); err != nil && t.TokenFile == "" && errors.As(err, &missing) {
		err = &hinted{missing.error, "export " + t.TokenEnv + ", or name a file with telegram.token_file"}
	}
	return token, from, err
}

// UserSecret finds the secret by which Open WebUI signs who asks, as Key does that of a preset; "" if the settings name none.
func (s Serve) UserSecret(getenv func(string) string) (string, error) {
	secret, _, err := Model{APIKeyEnv: s.UserSecretEnv, APIKeyFile: s.UserSecretFile}.Key(getenv)
	if missing := (*hinted)(nil); err != nil && s.UserSecretFile == "" && errors.As(err, &missing) {
		err = &hinted{missing.error, "export " + s.UserSecretEnv + ", or name a file with serve.user_secret_file"}
	}
	return secret, err
}

// readKey reads the secret from a file.
func readKey(file, home string) (string, error) {
	path, err := expand(file, home)
	if err != nil {
		return "", fmt.Errorf("read key file %s: %w", file, err)
	}
	if err := checkMode(path); err != nil {
		return "", err
	}
	src, err := readFile(path, maxKey)
	if err != nil {
		return "", fmt.Errorf("read key file %s: %w", path, err)
	}
	key := strings.TrimSpace(string(src))
	if key == "" {
		return "", fmt.Errorf("read key file %s: it is empty", path)
	}
	return key, nil
}

// checkKey refuses what cannot stand in a header line: most often a file with
// more than the key in it.
func checkKey(key, from string) error {
	for _, c := range []byte(key) {
		if c <= ' ' || c >= 0x7f {
			return fmt.Errorf("the key from %s holds a space, a line end or a character that is not ASCII: want the key alone", from)
		}
	}
	return nil
}

// checkMode refuses a file that other accounts may read or change. Windows
// keeps such rights elsewhere; there the file is taken as it is.
func checkMode(path string) error {
	fi, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("read key file %s: %w", path, regular.Cause(err))
	}
	if runtime.GOOS == "windows" || fi.Mode().Perm()&0o077 == 0 {
		return nil
	}
	return &hinted{
		fmt.Errorf("read key file %s: its mode is %04o: others may read or change it", path, fi.Mode().Perm()),
		"chmod 600 " + path,
	}
}

// homeOf finds the home directory in an environment.
func homeOf(getenv func(string) string) string {
	if runtime.GOOS == "windows" {
		return getenv("USERPROFILE")
	}
	return getenv("HOME")
}

// hinted is an error with the one thing to do about it.
type hinted struct {
	error
	hint string
}

// Hint returns one sentence or command without a full stop, for a line of its own.
func (h *hinted) Hint() string { return h.hint }

// Unwrap gives the error without the hint.
func (h *hinted) Unwrap() error { return h.error }

// errNoHome is what a "~" or a default place ends in without a home.
var errNoHome = errors.New("the home directory is not known: $HOME is not set")
