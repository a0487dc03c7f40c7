package logs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"ken/internal/config"
	"ken/internal/memory"
	"ken/internal/memory/filelog"
)

// A Stray is a log in peers/ that is no replica: what it says counts for nothing.
type Stray struct {
	Path string
	Why  string // lower case, no full stop
}

// Peers returns which files in peers/ are replicas of the logs of other devices, by
// the names of their logs, and which are not. A replica has the name of a log, says in
// its first line that it is that log, and is not the log of this device. Anything else
// that ends in .jsonl is a copy that some program made: folded as a log of its own, it
// would bring back what was forgotten since.
func Peers(p config.Paths) (names []string, strays []Stray, err error) {
	files, err := os.ReadDir(p.Peers())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("look for the logs of other devices: %w", err)
	}
	own := ""
	for _, f := range files {
		name, isLog := strings.CutSuffix(f.Name(), ".jsonl")
		if !isLog {
			continue
		}
		path := filepath.Join(p.Peers(), f.Name())
		if id, err := memory.ParseID(name + "/1"); err != nil || id.Log != name {
			strays = append(strays, Stray{path, "its name is not that of a log (1 to 40 of a-z, 0-9 and -)"})
			continue
		}
		if own == "" {
			own, _ = filelog.NameIn(p.Memory()) // reported by whoever reads it
		}
		switch says, err := filelog.NameIn(path); {
		case err != nil: // reported when it is read
			names = append(names, name)
		case says == "":
			strays = append(strays, Stray{path, "its first line does not say of which log it is a replica"})
		case says != name:
			strays = append(strays, Stray{path, "it is a copy of the log " + says + " under another name"})
		case says == own:
			strays = append(strays, Stray{path, "it is a copy of the log of this device"})
		default:
			names = append(names, name)
		}
	}
	return names, strays, nil
}
