//go:build !linux

package jsonl

import "os"

// syncData is a full sync; on macOS that includes the cache of the disk.
func syncData(f *os.File) error { return f.Sync() }
