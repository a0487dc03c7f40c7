package filelog

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"ken/internal/jsonl/jsonltest"
	"ken/internal/memory"
)

func TestB2Identity(t *testing.T) {
	t.Parallel()
	const none = ""
	tests := []struct {
		name, device, first string
		want                string // the name of the log afterwards; "" for foreign
		adopted             bool
	}{
		{"a new device, no log", none, none, "new", false},
		{"a known device, no log", `{"log":"laptop-7f3a"}`, none, "laptop-7f3a", false},
		{"its log", `{"log":"laptop-7f3a"}`, "laptop-7f3a", "laptop-7f3a", false},
		{"another's log", `{"log":"laptop-7f3a"}`, "desk-0001", "", false},
		{"another of the same host", `{"log":"laptop-7f3a"}`, "laptop-0000", "", false},
		{"forgotten, its host's log", none, "laptop-7f3a", "laptop-7f3a", true},
		{"forgotten, another host's log", none, "desk-7f3a", "", false},
	}
	for _, test := range tests {
		l := openIn(jsonltest.Dir(t))
		if test.device != none {
			write(t, l.o.DeviceFile, test.device)
		}
		if test.first != none {
			write(t, l.path, `{"meta":{"format":1,"log":"`+test.first+`"}}`+"\n"+`{"id":1,"content":"one"}`+"\n")
		}
		before, _ := os.ReadFile(l.path) // none is empty
		_, err := l.Append(t.Context(), "", func(later []memory.Entry) ([]memory.Record, error) {
			return []memory.Record{fact(2, "two")}, nil
		})
		if (l.Adopted() != "") != test.adopted {
			t.Errorf("%s: Adopted = %q", test.name, l.Adopted())
		}
		if test.want == "" {
			after, rerr := os.ReadFile(l.path)
			if !errors.Is(err, memory.ErrForeign) || rerr != nil || !bytes.Equal(before, after) || !strings.Contains(err.Error(), test.first) {
				t.Errorf("%s: %v, want ErrForeign that names the log, and nothing written", test.name, err)
			}
			if got := shown(entries(t, l, "")); got != "meta, one" {
				t.Errorf("%s: it cannot be read: %q", test.name, got)
			}
			if _, err := os.Stat(l.o.DeviceFile); test.device == none && err == nil {
				t.Errorf("%s: device.json was made", test.name)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		name, derr := l.deviceName()
		tip, terr := l.Tip(t.Context())
		if derr != nil || terr != nil || name != tip.Name || test.want != "new" && name != test.want || !strings.HasPrefix(name, "laptop-") {
			t.Errorf("%s: the device writes %q (%v), the log is %q (%v)", test.name, name, derr, tip.Name, terr)
		}
		if fi := mustStat(t, l.o.DeviceFile); fi.Mode().Perm() != 0o600 {
			t.Errorf("%s: device.json has the mode %v", test.name, fi.Mode())
		}
	}
}

func TestB2NoMetaLine(t *testing.T) {
	t.Parallel()
	l := holding(t, `{"id":1,"content":"one"}`+"\n")
	write(t, l.o.DeviceFile, `{"log":"laptop-7f3a"}`)
	appended(t, l, "", "two")
	if tip, err := l.Tip(t.Context()); err != nil || tip.Name != "laptop-7f3a" {
		t.Errorf("Tip = %+v, %v", tip, err)
	}
}

func TestB2DamagedDevice(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "{", `{"log":""}`, `{"log":"Not A Name"}`, `{"log":7}`} {
		l := holding(t, "")
		write(t, l.o.DeviceFile, text)
		_, err := l.Append(t.Context(), "", func([]memory.Entry) ([]memory.Record, error) { return []memory.Record{fact(1, "a")}, nil })
		if err == nil || !strings.Contains(err.Error(), l.o.DeviceFile) {
			t.Errorf("device.json with %q: %v, want an error that names it", text, err)
		}
		if got := content(t, l); got != "" {
			t.Errorf("device.json with %q: %q was written", text, got)
		}
	}
}

func TestHostName(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]string{
		"laptop": "laptop", "Laptop.example.org": "laptop", "Ann's MacBook Pro": "ann-s-macbook-pro",
		"": "device", "...": "device", "日本": "device", "x_1": "x-1", strings.Repeat("a", 60): strings.Repeat("a", maxHost),
	} {
		if got := hostName(host); got != want {
			t.Errorf("hostName(%q) = %q, want %q", host, got, want)
		}
		if !logName(hostName(host) + "-0000") {
			t.Errorf("hostName(%q) makes no name of a log", host)
		}
	}
}
