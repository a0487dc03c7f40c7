package scrub

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/jsonl"
	"ken/internal/regular"
	"ken/internal/text"
)

// Verify reads every file in the directories of data, state, cache and settings and
// in the repository's .ken, and counts where one of the texts of the plan stands:
// in the bytes as they are, and in what strings of JSON mean.
func (e *Eraser) Verify(ctx context.Context, p *Plan) (Proof, error) {
	l := look{plan: p, proof: Proof{Left: []Left{}}, seen: make(map[string]bool)}
	l.overlap = text.Overlap(max(p.long.Longest(), p.words.Longest(), p.whole.Longest()))
	if p.want.KeepSessions {
		l.kept = e.Sessions.Path
	}
	l.each = l.file
	err := e.everywhere(ctx, &l)
	return l.proof, err
}

// everywhere has l look into each file that may hold what ken wrote, once.
func (e *Eraser) everywhere(ctx context.Context, l *look) error {
	roots := []string{e.Paths.Data, e.Paths.Config, e.Paths.State, e.Paths.Cache, e.Paths.Memory(), e.Paths.ConfigFile()}
	if e.Project != "" {
		roots = append(roots, e.Project)
	}
	for _, root := range roots {
		if err := l.tree(ctx, root); err != nil {
			return err
		}
	}
	return nil
}

type look struct {
	plan    *Plan
	proof   Proof
	seen    map[string]bool // real paths
	overlap int
	buf     []byte            // for the pieces of files
	kept    string            // the directory of conversations that stay; "" if none do
	each    func(path string) // looks into a file
}

// tree looks into the file or the directory at path, through symbolic links, each
// file once.
func (l *look) tree(ctx context.Context, path string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		l.unread(path, err)
		return nil
	}
	if l.seen[real] {
		return nil
	}
	l.seen[real] = true
	stat, err := os.Stat(real)
	switch {
	case err != nil:
		l.unread(path, err)
		return nil
	case stat.Mode().IsRegular():
		l.each(path)
		return nil
	case !stat.IsDir():
		return nil // a socket or a pipe holds nothing
	}
	entries, err := os.ReadDir(real)
	if err != nil {
		l.unread(path, err)
	}
	for _, d := range entries {
		if d.Name() == ".git" {
			l.proof.Beyond = append(l.proof.Beyond, filepath.Join(path, d.Name()))
			continue
		}
		if err := l.tree(ctx, filepath.Join(path, d.Name())); err != nil {
			return err
		}
	}
	return nil
}

func (l *look) unread(path string, err error) {
	l.proof.Unread = append(l.proof.Unread, fmt.Sprintf("%s: %v", path, err))
}

func (l *look) file(path string) {
	hits, err := l.count(path)
	if err != nil {
		l.unread(path, err)
		return
	}
	l.proof.Files++
	left := Left{Path: path, Hits: hits}
	switch name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)); {
	case hits > 0:
		left.Lines = l.lines(path)
	case l.plan.Takes([]byte(name)):
		left.Hits, left.Name = 1, true
	default:
		return
	}
	if l.kept != "" && strings.HasPrefix(path, l.kept+string(filepath.Separator)) {
		l.proof.Kept += left.Hits
		return
	}
	l.proof.Hits += left.Hits
	l.proof.Left = append(l.proof.Left, left)
}

// chunk is how much of a file is looked at together.
const chunk = 1 << 20

// count reads a file in pieces that overlap, so that it takes the same memory
// whatever its size.
func (l *look) count(path string) (hits int, err error) {
	f, err := regular.Open(path)
	if err != nil {
		return 0, err
	}
	defer func() { _ = f.Close() }() // it was only read
	sets := []*text.Matcher{l.plan.long, l.plan.words, l.plan.whole}
	if l.buf == nil {
		l.buf = make([]byte, 0, max(chunk, 4*l.overlap))
	}
	buf := l.buf[:0]
	for last := false; !last; {
		n, err := io.ReadFull(f, buf[len(buf):cap(buf)])
		if last = errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF); err != nil && !last {
			return hits, err
		}
		buf = buf[:len(buf)+n]
		l.proof.Bytes += int64(n)
		tail := buf[max(0, len(buf)-l.overlap):]
		for _, s := range sets {
			if hits += s.Count(buf); !last {
				hits -= min(hits, s.Count(tail)) // it will be seen again
			}
		}
		buf = buf[:copy(buf, tail)]
	}
	return hits, nil
}

// lines are the numbers of the first lines that hold a text.
func (l *look) lines(path string) []int {
	const most, longest = 5, 16 << 20
	f, err := regular.Open(path)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }() // it was only read
	var list []int
	for line, err := range jsonl.Lines(f, longest) {
		if err != nil || len(list) == most {
			break
		}
		if l.plan.holds(line.Bytes) {
			list = append(list, line.Number)
		}
	}
	return slices.Clip(list)
}
