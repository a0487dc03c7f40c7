package acp

import (
	"context"
	"encoding/json"
	"slices"
	"sync"

	"github.com/coder/acp-go-sdk"

	"ken/internal/agent/host"
	"ken/internal/agent/loop"
	"ken/internal/agent/talk"
	"ken/internal/engine"
	"ken/internal/llm"
	ken "ken/internal/session"
)

// Channel is that of editors, in records.
const Channel ken.Channel = "acp"

// The modes of a conversation.
const (
	modeAsk  = "ask"
	modeRead = "read"
)

// A session is one conversation of the editor's, whether it is open or was closed to make room: what is not in its record stays here.
// It opens itself, and implements host.Opener and host.Conversation.
type session struct {
	s    *server
	id   acp.SessionId
	dir  string
	kept talk.Kept

	// Of who has the turn:
	d       *talk.Talk // nil: it was not open yet
	brought bool
	waiting []brought     // tool servers that nobody was asked about yet
	servers *loop.Servers // nil: none was let
	told    string

	mu     sync.Mutex                // guards what follows
	call   doing1                    // the tool call that is asked about
	models []acp.SessionConfigOption // the choice of a model, as options saw it last; none if there is no model
}

// Open implements host.Opener.
func (c *session) Open(ctx context.Context, id string) (*session, error) {
	o := c.s.o.Talk
	o.Dir, o.Session, o.Kept, o.Approver, o.Editor = c.dir, id, &c.kept, approver{c}, c.s.editor(c)
	if o.Who.Kind != engine.Person {
		o.Approver, o.Editor = nil, nil
	} else {
		o.Servers, o.Wait = c.toolServers, mostConnect
	}
	d, err := talk.Open(ctx, o)
	if err == nil {
		c.d = d
	}
	return c, err
}

// ID implements host.Conversation.
func (c *session) ID() string { return c.d.ID() }

// Close implements host.Conversation.
func (c *session) Close(ctx context.Context) { c.d.Close(ctx) }

// take waits for the turn of a conversation, opens it if it is not open, and has the editor know it by its id.
func (s *server) take(ctx context.Context, c *session) (*host.Turn[*session], error) {
	t, err := s.host.Queue(ctx, string(c.id), c)
	if err != nil {
		return nil, err
	}
	return s.took(t)
}

// took is take for who stands in line already.
func (s *server) took(t *host.Turn[*session]) (*host.Turn[*session], error) {
	if err := t.Wait(); err != nil {
		return nil, err
	}
	c := t.Talk // another request may have opened it
	if c.id == "" {
		c.id = acp.SessionId(t.Key)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sessions == nil { // the editor is gone
		t.Done()
		return nil, context.Canceled
	}
	s.sessions[c.id] = c
	return t, nil
}

// greet says what can be typed, once the answer to the request of ctx is written: some editors wait for ever if it comes before.
func (c *session) greet(ctx context.Context) {
	context.AfterFunc(ctx, func() {
		_ = c.s.update(context.Background(), c.id, acp.SessionUpdate{AvailableCommandsUpdate: &acp.SessionAvailableCommandsUpdate{
			AvailableCommands: commands(),
		}})
	})
}

func (c *session) modes() *acp.SessionModeState {
	is := acp.SessionModeId(modeAsk)
	if c.kept.Reading() {
		is = modeRead
	}
	return &acp.SessionModeState{CurrentModeId: is, AvailableModes: []acp.SessionMode{
		{Id: modeAsk, Name: "Ask", Description: acp.Ptr("asks before it changes a file or runs what is more than reading")},
		{Id: modeRead, Name: "Read", Description: acp.Ptr("reads the project and changes nothing")},
	}}
}

// The options of a conversation, which are their categories as well.
const (
	optionModel = "model"
	optionMode  = "mode"
)

// options are what can be chosen: the model, if there is one, and the mode, which some editors draw from here alone. The turn is held.
func (c *session) options() []acp.SessionConfigOption {
	var models []acp.SessionConfigOption
	if names, is := c.d.Models(); is != "" {
		list := acp.SessionConfigSelectOptionsUngrouped{}
		for _, n := range names {
			list = append(list, acp.SessionConfigSelectOption{Name: n, Value: acp.SessionConfigValueId(n)})
		}
		models = append(models, option(optionModel, "Model", is, list))
	}
	c.mu.Lock()
	c.models = models
	c.mu.Unlock()
	return c.choices()
}

// choices are the options, with the model that was in force when the turn was held last.
func (c *session) choices() []acp.SessionConfigOption {
	modes, list := c.modes(), acp.SessionConfigSelectOptionsUngrouped{}
	for _, m := range modes.AvailableModes {
		list = append(list, acp.SessionConfigSelectOption{Name: m.Name, Value: acp.SessionConfigValueId(m.Id), Description: m.Description})
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return append(slices.Clone(c.models), option(optionMode, "Mode", string(modes.CurrentModeId), list))
}

func option(id, name, is string, list acp.SessionConfigSelectOptionsUngrouped) acp.SessionConfigOption {
	one := acp.NewSessionConfigOptionSelect(acp.SessionConfigValueId(is), acp.SessionConfigSelectOptions{Ungrouped: &list})
	one.Select.Id, one.Select.Name = acp.SessionConfigId(id), name
	one.Select.Category = acp.Ptr(acp.SessionConfigOptionCategory(id))
	return one
}

func (s *server) create(ctx context.Context, p acp.NewSessionRequest) (r acp.NewSessionResponse, err error) {
	if err := directory(p.Cwd); err != nil {
		return r, err
	}
	t, err := s.take(ctx, &session{s: s, dir: p.Cwd})
	if err != nil {
		return r, err
	}
	defer t.Done()
	c := t.Talk
	c.bring(p.McpServers)
	c.greet(ctx)
	return acp.NewSessionResponse{SessionId: c.id, Modes: c.modes(), ConfigOptions: c.options()}, nil
}

// again takes the turn of a conversation that was held before.
func (s *server) again(ctx context.Context, cwd string, id acp.SessionId) (*host.Turn[*session], error) {
	if id == "" {
		return nil, invalid("sessionId is required")
	}
	if err := directory(cwd); err != nil {
		return nil, err
	}
	s.mu.Lock() // it is not closed between being found and standing in line
	c := s.sessions[id]
	if c == nil {
		c = &session{s: s, id: id, dir: cwd}
	}
	t, err := s.host.Queue(ctx, string(id), c)
	s.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return s.took(t)
}

func (s *server) load(ctx context.Context, p acp.LoadSessionRequest) (r acp.LoadSessionResponse, err error) {
	t, err := s.again(ctx, p.Cwd, p.SessionId)
	if err != nil {
		return r, err
	}
	defer t.Done()
	c := t.Talk
	for _, said := range c.d.Turns() {
		if err := c.replay(ctx, said); err != nil {
			return r, err
		}
	}
	c.bring(p.McpServers)
	c.greet(ctx)
	return acp.LoadSessionResponse{Modes: c.modes(), ConfigOptions: c.options()}, nil
}

func (s *server) resume(ctx context.Context, p acp.ResumeSessionRequest) (r acp.ResumeSessionResponse, err error) {
	t, err := s.again(ctx, p.Cwd, p.SessionId)
	if err != nil {
		return r, err
	}
	defer t.Done()
	c := t.Talk
	c.bring(p.McpServers)
	c.greet(ctx)
	return acp.ResumeSessionResponse{Modes: c.modes(), ConfigOptions: c.options()}, nil
}

// replay sends a turn as it was.
func (c *session) replay(ctx context.Context, t ken.Turn) error {
	text := c.d.Mask(t.Content)
	send := func(u acp.SessionUpdate) error { return c.s.update(ctx, c.id, u) }
	switch t.Role {
	case ken.RoleUser:
		if t.Nudge {
			return nil // nobody typed it
		}
		return send(acp.UpdateUserMessageText(text))
	case ken.RoleTool:
		return send(acp.UpdateToolCall(acp.ToolCallId(t.ToolCallID),
			acp.WithUpdateStatus(acp.ToolCallStatusCompleted), acp.WithUpdateContent([]acp.ToolCallContent{acp.ToolContent(acp.TextBlock(text))})))
	}
	if text != "" {
		if err := send(acp.UpdateAgentMessageText(text)); err != nil {
			return err
		}
	}
	var calls []struct {
		ID       string
		Function struct{ Name string }
	}
	_ = json.Unmarshal(t.ToolCalls, &calls) // of one that has none
	for _, one := range calls {
		err := send(acp.StartToolCall(acp.ToolCallId(one.ID), one.Function.Name, acp.WithStartKind(kindOf(one.Function.Name))))
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *server) list(ctx context.Context, p acp.ListSessionsRequest) (r acp.ListSessionsResponse, err error) {
	r.Sessions = []acp.SessionInfo{}
	if p.Cwd == nil || *p.Cwd == "" {
		return r, nil // a conversation is of a project, and has no directory of its own
	}
	if err := directory(*p.Cwd); err != nil {
		return r, err
	}
	o := s.o.Talk
	o.Dir = *p.Cwd
	const most = 50
	held, err := talk.Here(ctx, o, most)
	for _, h := range held {
		r.Sessions = append(r.Sessions, acp.SessionInfo{
			SessionId: acp.SessionId(h.ID), Cwd: *p.Cwd, Title: acp.Ptr(h.Title), UpdatedAt: acp.Ptr(h.Updated),
		})
	}
	return r, err
}

func (s *server) close(ctx context.Context, p acp.CloseSessionRequest) (r acp.CloseSessionResponse, err error) {
	c, err := s.find(p.SessionId)
	if err != nil {
		return r, err
	}
	s.mu.Lock()
	delete(s.sessions, p.SessionId)
	s.mu.Unlock()
	s.host.Leave(context.WithoutCancel(ctx), string(p.SessionId))
	c.end()
	return r, nil
}

// end ends the tool servers of a conversation that is closed for good.
func (c *session) end() {
	if c.servers != nil {
		c.servers.Close()
	}
}

func (s *server) setMode(ctx context.Context, p acp.SetSessionModeRequest) (r acp.SetSessionModeResponse, err error) {
	c, err := s.find(p.SessionId)
	if err != nil {
		return r, err
	}
	return r, c.mode(ctx, p.ModeId)
}

// mode has a mode be in force, also for what is under way.
func (c *session) mode(ctx context.Context, id acp.SessionModeId) error {
	if !slices.Contains([]acp.SessionModeId{modeAsk, modeRead}, id) {
		return invalid("the modes are ask and read")
	}
	c.kept.Read(id == modeRead)
	go func() {
		now := &acp.SessionCurrentModeUpdate{CurrentModeId: id}
		_ = c.s.update(context.WithoutCancel(ctx), c.id, acp.SessionUpdate{CurrentModeUpdate: now})
	}()
	return nil
}

func (s *server) setOption(ctx context.Context, p acp.SetSessionConfigOptionRequest) (r acp.SetSessionConfigOptionResponse, err error) {
	if p.ValueId == nil || p.ValueId.ConfigId != optionModel && p.ValueId.ConfigId != optionMode {
		return r, invalid("the options that can be set are model and mode")
	}
	c, err := s.find(p.ValueId.SessionId)
	if err != nil {
		return r, err
	}
	if p.ValueId.ConfigId == optionMode { // it waits for no answer
		err := c.mode(ctx, acp.SessionModeId(p.ValueId.Value))
		return acp.SetSessionConfigOptionResponse{ConfigOptions: c.choices()}, err
	}
	t, err := s.take(ctx, c)
	if err != nil {
		return r, err
	}
	defer t.Done()
	if names, _ := c.d.Models(); !slices.Contains(names, string(p.ValueId.Value)) {
		return r, invalid("no model of that name was offered")
	}
	if err := c.d.Choose(ctx, string(p.ValueId.Value)); err != nil {
		return r, err
	}
	return acp.SetSessionConfigOptionResponse{ConfigOptions: c.options()}, nil
}

func (s *server) cancel(_ context.Context, p acp.CancelNotification) (any, error) {
	s.host.Stop(string(p.SessionId))
	return nil, nil
}

// show sends what streams in. think masks thoughts across their pieces, and gives what is left of them for "".
func (c *session) show(ctx context.Context, think, clean func(string) string) func(llm.Delta) error {
	return func(d llm.Delta) error {
		if d.Reasoning != "" || d.Text != "" {
			thought := think(d.Reasoning)
			if d.Text != "" && d.Reasoning != "" {
				thought += think("") // the answer begins
			}
			if thought != "" {
				if err := c.s.update(ctx, c.id, acp.UpdateAgentThoughtText(thought)); err != nil {
					return err
				}
			}
		}
		if text := clean(d.Text); text != "" {
			return c.s.update(ctx, c.id, acp.UpdateAgentMessageText(text))
		}
		return nil
	}
}
