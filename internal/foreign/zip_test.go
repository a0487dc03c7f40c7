package foreign

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func packed(t *testing.T, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		w, err := z.Create(files[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, files[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestUnpack: what may hold something comes out by a name that leads nowhere else.
func TestUnpack(t *testing.T) {
	t.Parallel()
	b := packed(t, "conversations.json", "[]", "../../etc/x.json", "{}", `a\b.md`, "# hi", "chat.html", "no", "in.zip", "PK", "dir/", "")
	got := map[string]string{}
	err := Unpack(bytes.NewReader(b), int64(len(b)), func(p Packed) error {
		text, err := io.ReadAll(p)
		got[p.Name] = string(text)
		return err
	})
	want := map[string]string{"conversations.json": "[]", "etc/x.json": "{}", "a/b.md": "# hi"}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got)\n%s", err, diff)
	}
	if err := Unpack(bytes.NewReader(b[:40]), 40, nil); err == nil {
		t.Error("half a file is one")
	}
	stop := errors.New("stop")
	if err := Unpack(bytes.NewReader(b), int64(len(b)), func(Packed) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("an error of the caller: %v", err)
	}
}

// TestUnpackBomb: a file that unpacks to very much more than it is ends with an error, in
// one piece or in many.
func TestUnpackBomb(t *testing.T) {
	t.Parallel()
	zeros := strings.Repeat("0", 1<<20)
	one := packed(t, "a.json", strings.Repeat(zeros, 64))
	var files []string
	for range 64 {
		files = append(files, "x.json", zeros)
	}
	for name, b := range map[string][]byte{"one": one, "many": packed(t, files...)} {
		read := int64(0)
		err := Unpack(bytes.NewReader(b), int64(len(b)), func(p Packed) error {
			n, err := io.Copy(io.Discard, p)
			read += n
			return err
		})
		if !errors.Is(err, errBomb) || read > max(sureUnpacked, int64(len(b))*maxRatio) {
			t.Errorf("%s: %d bytes were read of %d, %v", name, read, len(b), err)
		}
	}
}
