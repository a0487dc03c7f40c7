package telegram

import (
	"context"
	"strings"

	"github.com/go-telegram/bot/models"

	"ken/internal/termsafe"
	"ken/internal/verbs"
)

const (
	// mostText is the largest text file that is taken, in bytes.
	mostText = 1 << 20
	// mostPhoto is the largest picture, in bytes.
	mostPhoto = 10 << 20
)

const (
	helpHint     = "What I know: /help"
	cannotListen = "I can read, not listen: write it to me."
	cannotSee    = "I can read text, text files and pictures, and nothing else."
)

// help is what /help says.
func help() string {
	var list strings.Builder
	for _, v := range verbs.On(verbs.Phone) {
		if v.Does != "" {
			list.WriteString("• /" + v.Usage() + ": " + v.Does + "\n")
		}
	}
	return "Write to me as to anybody.\n\n" + list.String() + "\n" +
		"What you forward, quote or send as a text file is read and never obeyed. Commands, and whatever else asks for a yes, need the terminal."
}

// given is what came along with a message: text to read.
type given struct {
	name string // as it is shown
	text string
	file string // the id of a file, in the place of text
	size int64  // of the file, as the Bot API says
	pic  bool
}

func (g given) most() int64 {
	if g.pic {
		return mostPhoto
	}
	return mostText
}

// isTyped reports whether the sender typed a message: others may be data.
func isTyped(m *models.Message) bool { return m.ForwardOrigin == nil && m.ViaBot == nil }

// hear takes a message of the paired person.
func (f *face) hear(ctx context.Context, m *models.Message) {
	c := f.chat(roomOf(m))
	var j job
	text := m.Text
	if text == "" {
		text = m.Caption
	}
	text = termsafe.Clean(text)
	switch {
	case m.Voice != nil || m.Audio != nil || m.VideoNote != nil:
		c.aside(ctx, cannotListen)
		return
	case m.Document != nil:
		j.given = append(j.given, document(m.Document))
	case len(m.Photo) > 0:
		j.given = append(j.given, photo(m.Photo))
	case text == "":
		if m.PinnedMessage == nil && m.ForumTopicCreated == nil {
			c.aside(ctx, cannotSee)
		}
		return
	}
	for _, g := range j.given {
		if g.size > g.most() {
			c.aside(ctx, g.name+" is too large: text up to 1 MiB, pictures up to 10 MiB")
			return
		}
	}
	j.given = append(j.given, quoted(m)...)
	if !isTyped(m) { // nothing of it is obeyed, and none of it was typed
		if text != "" {
			j.given = append(j.given, given{name: "a forwarded message", text: text})
		}
		c.add(ctx, j)
		return
	}
	j.text = text
	if len(j.given) == 0 || m.Document == nil && len(m.Photo) == 0 {
		if name, rest, ok := commandOf(text); ok {
			j.name, j.text, j.given = name, rest, nil
		}
	}
	c.add(ctx, j)
}

func document(d *models.Document) given {
	name := d.FileName
	if name == "" {
		name = "a file"
	}
	return given{name: name, file: d.FileID, size: d.FileSize, pic: strings.HasPrefix(d.MimeType, "image/")}
}

// photo is a picture in the best size that there is.
func photo(sizes []models.PhotoSize) given {
	best := sizes[0]
	for _, p := range sizes[1:] {
		if p.Width*p.Height > best.Width*best.Height && int64(p.FileSize) <= mostPhoto {
			best = p
		}
	}
	return given{name: "a picture", file: best.FileID, size: int64(best.FileSize), pic: true}
}

// quoted is what a message answers to, or the part of it that was chosen.
func quoted(m *models.Message) []given {
	text := ""
	switch r := m.ReplyToMessage; {
	case m.Quote != nil:
		text = m.Quote.Text
	case r != nil && r.Text != "":
		text = r.Text
	case r != nil:
		text = r.Caption
	}
	if text = strings.TrimSpace(text); text == "" {
		return nil
	}
	return []given{{name: "a quoted message", text: text}}
}

// commandOf reads a command: /name, /name@bot, /name_argument, and what stands behind it.
func commandOf(text string) (name, rest string, ok bool) {
	if !strings.HasPrefix(text, "/") {
		return "", "", false
	}
	first, rest, _ := strings.Cut(text[1:], " ")
	if head, tail, lines := strings.Cut(first, "\n"); lines {
		first, rest = head, tail+" "+rest
	}
	first, _, _ = strings.Cut(first, "@")
	name, argument, _ := strings.Cut(strings.ToLower(first), "_")
	if _, ok := verbs.Find(verbs.Phone, name); !ok {
		return "", "", false
	}
	return name, strings.TrimSpace(strings.Join([]string{argument, strings.TrimSpace(rest)}, " ")), true
}

// command does what a command says.
func (c *chat) command(ctx context.Context, talk Conversation, j job) {
	var say string
	var err error
	switch v, _ := verbs.Find(verbs.Phone, j.name); {
	case v.Name == "start" || v.Name == "help":
		say = help()
	case v.Wants != "" && j.text == "":
		say = v.Wants + " /" + v.Usage()
	case v.Name == "new":
		c.held = nil
		fallthrough
	default:
		say, err = talk.Do(ctx, j.name, j.text)
	}
	if err != nil {
		c.say(ctx, wrong(err))
		return
	}
	c.say(ctx, as(say))
}
