package acp

import (
	"context"
	"errors"
	"time"

	"github.com/coder/acp-go-sdk"

	"ken/internal/agent/loop"
)

// mostWait is how long the editor is waited for, when it is asked for a file.
const mostWait = 10 * time.Second

// open1 is the files that the editor of a session has open. It implements loop.Editor.
type open1 struct {
	c      *session
	writes bool
}

// editor is the files of the client, if it says that it gives them: the disk is read and written where not.
func (s *server) editor(c *session) loop.Editor {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.client.Fs.ReadTextFile {
		return nil // nor is anything written there: what it holds unsaved would be lost
	}
	return open1{c, s.client.Fs.WriteTextFile}
}

func (e open1) Read(ctx context.Context, path string) (string, bool) {
	ctx, cancel := context.WithTimeout(ctx, mostWait)
	defer cancel()
	ask := acp.ReadTextFileRequest{SessionId: e.c.id, Path: path}
	got, err := acp.SendRequest[acp.ReadTextFileResponse](e.c.s.conn, ctx, acp.ClientMethodFsReadTextFile, ask)
	return got.Content, err == nil
}

func (e open1) Write(ctx context.Context, path, text string) error {
	if !e.writes {
		return errors.ErrUnsupported
	}
	ctx, cancel := context.WithTimeout(ctx, mostWait)
	defer cancel()
	ask := acp.WriteTextFileRequest{SessionId: e.c.id, Path: path, Content: text}
	_, err := acp.SendRequest[acp.WriteTextFileResponse](e.c.s.conn, ctx, acp.ClientMethodFsWriteTextFile, ask)
	return err
}
