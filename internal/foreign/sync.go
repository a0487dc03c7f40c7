package foreign

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"ken/internal/jsonl"
)

// syncAll makes durable what was appended to files, and their names. Many files at
// once take the disk hardly longer than one. After an error it is not known which
// of them reached it.
func syncAll(paths []string) error {
	const together = 16
	var (
		wg   sync.WaitGroup
		mu   sync.Mutex
		errs []error
		turn = make(chan struct{}, together)
		dirs = make(map[string]bool)
	)
	for _, path := range paths {
		dirs[filepath.Dir(path)] = true
		turn <- struct{}{}
		wg.Go(func() {
			if err := syncOne(path, os.O_WRONLY); err != nil {
				mu.Lock()
				errs = append(errs, err)
				mu.Unlock()
			}
			<-turn
		})
	}
	wg.Wait()
	for dir := range dirs {
		if runtime.GOOS != "windows" { // which cannot, and writes names in order
			errs = append(errs, syncOne(dir, os.O_RDONLY))
		}
	}
	return errors.Join(errs...)
}

func syncOne(path string, flag int) error {
	f, err := jsonl.OS{}.OpenFile(path, flag, 0)
	if err == nil {
		err = errors.Join(f.Sync(), f.Close())
	}
	if err != nil {
		return fmt.Errorf("sync %s: %w", path, err)
	}
	return nil
}
