package filelog

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"ken/internal/jsonl"
	"ken/internal/memory"
	"ken/internal/regular"
)

// maxHost is how much of the machine's name stands in the name of a log, in
// bytes; with "-" and four digits that is within the 40 that a name may have.
const maxHost = 35

// maxDevice is the longest device.json that is read, in bytes: a name needs a
// hundred.
const maxDevice = 64 << 10

// device is the content of device.json.
type device struct {
	Log string `json:"log"`
}

// deviceName reads the name of this device's log; "" if it has none yet.
func (l *Log) deviceName() (string, error) {
	if l.o.DeviceFile == "" {
		return "", nil
	}
	b, err := regular.Read(l.o.DeviceFile, maxDevice)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read the name of this device: %w", err)
	}
	var d device
	if err := json.Unmarshal(b, &d); err == nil && logName(d.Log) {
		return d.Log, nil
	}
	return "", fmt.Errorf("read the name of this device: %s does not hold {\"log\":\"NAME\"}: write into it the name in the first line of the memory file, or delete it", l.o.DeviceFile)
}

// NameIn reads the name that the log in the file at path says it has: in its first
// line that is not blank; "" if that says none. A missing file says none.
func NameIn(path string) (string, error) {
	f, err := regular.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer f.Close()
	for line, err := range jsonl.Lines(f, memory.MaxLine) {
		if err != nil {
			return "", fmt.Errorf("read %s: %w", path, err)
		}
		if line.Bytes != nil && len(bytes.TrimSpace(line.Bytes)) == 0 {
			continue
		}
		if e := memory.ParseLine(line.Bytes); e.Bad == nil && e.Meta != nil {
			return e.Meta.Log, nil
		}
		break
	}
	return "", nil
}

// logName reports whether s may name a log.
func logName(s string) bool {
	_, err := memory.ParseID(s + "/1")
	return err == nil
}

// An identity is the name under which this device appends to a log.
type identity struct {
	name  string
	write bool // device.json does not say so yet
	adopt bool // the log has been this machine's before
}

// identify says under which name to append to a log whose meta line has the
// name meta, "" if there is none. It writes nothing. The error is ErrForeign if
// the log is another device's.
func (l *Log) identify(meta string) (identity, error) {
	own, err := l.deviceName()
	switch {
	case err != nil:
		return identity{}, err
	case own != "" && (meta == "" || meta == own):
		return identity{name: own}, nil
	case own != "":
		return identity{}, fmt.Errorf("%w: it is %s, and this device writes %s", memory.ErrForeign, meta, own)
	case meta != "" && l.o.DeviceFile == "":
		return identity{name: meta}, nil
	case meta == "":
		own, err = l.newName()
		return identity{name: own, write: l.o.DeviceFile != ""}, err
	case hostPart(meta) != hostName(l.o.Host):
		return identity{}, fmt.Errorf("%w: it is %s, and this device is called %s and has written none yet", memory.ErrForeign, meta, hostName(l.o.Host))
	}
	return identity{name: meta, write: true, adopt: true}, nil
}

// settle makes sure that device.json says the name. It comes before the first
// line with that name, so that no log has a name that its device forgot.
func (l *Log) settle(id identity) error {
	if id.write {
		text, err := json.Marshal(device{Log: id.name})
		if err != nil {
			return err
		}
		err = jsonl.Create(l.o.FS, l.o.DeviceFile, append(text, '\n'))
		if err != nil {
			return fmt.Errorf("keep the name of this device: %w", err)
		}
	}
	if id.adopt {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.adopted = id.name
	}
	return nil
}

// newName makes a name for the log of this machine: its host and four digits,
// so that two machines of one name have two logs.
func (l *Log) newName() (string, error) {
	var b [2]byte
	if l.o.Rand == nil {
		return "", errors.New("make a name for the log: no source of randomness")
	}
	if _, err := io.ReadFull(l.o.Rand, b[:]); err != nil {
		return "", fmt.Errorf("make a name for the log: %w", err)
	}
	return hostName(l.o.Host) + "-" + hex.EncodeToString(b[:]), nil
}

// hostName makes the name of a machine fit for the name of a log: what stands
// before the first dot, in small letters, '-' for everything else.
func hostName(host string) string {
	host, _, _ = strings.Cut(strings.ToLower(host), ".")
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, host)
	name = strings.Trim(name[:min(len(name), maxHost)], "-")
	if name == "" {
		return "device"
	}
	return name
}

// hostPart is the name of a log without its digits.
func hostPart(log string) string {
	if i := strings.LastIndexByte(log, '-'); i > 0 {
		return log[:i]
	}
	return log
}
