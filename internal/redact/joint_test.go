package redact

import (
	"strings"
	"testing"
)

// TestMaskWhole: the mark of a secret takes all of it, also where a line was broken in the middle, where a program adds its parts,
// and where it or its name is written in entities; a text that arrives in pieces is masked as the whole is.
func TestMaskWhole(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		text string
		gone []string
	}{
		"wrapped":             {"export GITHUB_TOKEN=ghp_a8Jk2LmN4pQ6rS8tU0vW2xY4z\nA6bC8dE0f\nnext", []string{"ghp_", "A6bC8dE0f"}},
		"wrapped and set in":  {"the token is ghp_a8Jk2LmN4pQ6rS8tU0vW\n    2xY4zA6bC8dE0fGh and more", []string{"ghp_", "2xY4z"}},
		"wrapped in a quote":  {"> OPENAI_API_KEY=sk-proj-Abc123Def456Ghi789Jkl\n> 012Mno345Pqr678Stu901Vwx234Yz", []string{"sk-proj", "012Mno"}},
		"wrapped in comments": {"# token ghp_a8Jk2LmN4pQ6rS8tU0vW\r\n# 2xY4zA6bC8dE0fGh", []string{"ghp_", "2xY4z"}},
		"three lines": {
			"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwi\nbmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4\nfwpMeJf36POk6yJV_adQssw5c",
			[]string{"eyJ", "bmFt", "fwpMeJf36"},
		},
		"a continued line":      {"export DB_PASSWORD=\\\nhunter2Xq9z\n", []string{"hunter2"}},
		"added":                 {`token = "ghp_a8Jk2LmN4pQ6" + "rS8tU0vW2xY4zA6bC8dE0f"`, []string{"ghp_", "rS8t"}},
		"added over lines":      {"apiKey: \"Abc123Def456\" ..\n   \"Ghi789Jkl012Mno345\"", []string{"Abc123", "Ghi789"}},
		"added passwords":       {`password = 'Tr0ub4dor' . '&3xKq9!'`, []string{"Tr0ub", "3xKq"}},
		"an entity in it":       {"password: hunter&#58;Xq9zLm", []string{"hunter", "Xq9z"}},
		"an entity for a colon": {"password&#x3a; hunterXq9zLm", []string{"hunter"}},
		"quoted to an option":   {`gh secret set API_KEY -b"Zx81Kq77LmPq"`, []string{"Zx81"}},
		"pass is still":         {"the admin pass is still hunter2", []string{"hunter2"}},
		"shared secret":         {"our shared secret is Blaukraut77", []string{"Blaukraut"}},
		"AWS' own example": {
			"AWS_ACCESS_KEY_ID=AKIA" + "IOSFODNN7EXAMPLE\nAWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7" + "MDENG/bPxRfiCYEXAMPLEKEY",
			[]string{"AKIA", "wJal", "K7MD"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := New([]byte("k"))
			want, _ := m.Mask(tt.text)
			for _, part := range tt.gone {
				if strings.Contains(want, part) {
					t.Errorf("%q is left in %q", part, want)
				}
			}
			for _, size := range []int{1, 3, 7, 20} {
				st, got := m.Stream(), ""
				for rest := tt.text; rest != ""; rest = rest[min(size, len(rest)):] {
					got += st.Write(rest[:min(size, len(rest))])
				}
				if got += st.Flush(); got != want {
					t.Errorf("in pieces of %d: %q, want %q", size, got, want)
				}
			}
		})
	}
}

// TestMaskNotJoined: the end of a line parts what is two things, and so does a sign between two texts.
func TestMaskNotJoined(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"GITHUB_TOKEN=ghp_a8Jk2LmN4pQ6rS8tU0vW2xY4zA6bC8dE0f@\nexport NAME=value",
		"GITHUB_TOKEN=ghp_a8Jk2LmN4pQ6rS8tU0vW2xY4zA6bC8dE0f@\nthe next line says nothing of it",
		"GITHUB_TOKEN=ghp_a8Jk2LmN4pQ6rS8tU0vW2xY4zA6bC8dE0f@\n\nA paragraph",
		"- token: ghp_a8Jk2LmN4pQ6rS8tU0vW2xY4zA6bC8dE0f@\n- restart-the-server",
	} {
		secret, rest, _ := strings.Cut(text, "@")
		got, _ := New([]byte("k")).Mask(secret + rest)
		if !strings.HasSuffix(got, rest) || strings.Contains(got, "ghp_") {
			t.Errorf("%q", got)
		}
	}
	for _, text := range []string{
		"9fceb02d0ae598e95dc970b74767f19372d61af8\n5d41402abc4b2a76b9719d911017c592ae598e95\n",
		`fmt.Println("version " + "2.1")`, "say &amp; do &lt;b&gt;", "path C:\\\nnext",
		"sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\nsha256-x9f2DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3h\n",
	} {
		if got, hits := New([]byte("k")).Mask(text); len(hits) > 0 {
			t.Errorf("%q -> %q", text, got)
		}
	}
}
