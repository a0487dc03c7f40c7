package attach

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"slices"
)

// errUnread says that a picture could not be read as what it begins like, so that nobody
// knows what else is in it.
var errUnread = errors.New("it is damaged: nobody could say what else is in it")

// bare is a picture without what a camera or a program wrote beside its pixels: place, time,
// device, names, comments, previews, and whatever stands behind its end. What its colours and
// its movement need stays as it stands, and so does which side is up. No pixel is decoded.
// taken reports whether anything was left out. A picture that cannot be read to its end
// is errUnread; one that breaks off between two parts is taken as it is.
func bare(b []byte, kind string) (without []byte, taken bool, err error) {
	p := pieces{in: b, out: make([]byte, 0, len(b))}
	switch kind {
	case "image/png":
		err = p.png()
	case "image/jpeg":
		err = p.jpeg()
	case "image/gif":
		err = p.gif()
	case "image/webp":
		err = p.webp()
	default:
		err = errUnread
	}
	return p.out, !bytes.Equal(p.out, b), err
}

// pieces is a picture that is read part by part.
type pieces struct {
	in  []byte // what is to be read
	out []byte // what stays
}

// next takes n bytes off.
func (p *pieces) next(n int) ([]byte, error) {
	if n < 0 || n > len(p.in) {
		return nil, errUnread
	}
	b := p.in[:n]
	p.in = p.in[n:]
	return b, nil
}

// keep has n bytes stay.
func (p *pieces) keep(n int) ([]byte, error) {
	b, err := p.next(n)
	p.out = append(p.out, b...)
	return b, err
}

// jpeg reads segments: 0xff, a mark, and for most a length that counts itself.
func (p *pieces) jpeg() error {
	if _, err := p.keep(2); err != nil {
		return err
	}
	seen := false
	for len(p.in) > 0 {
		for len(p.in) > 1 && p.in[0] == 0xff && p.in[1] == 0xff { // bytes that fill
			_, _ = p.keep(1) // there are two
		}
		if len(p.in) < 2 || p.in[0] != 0xff {
			return errUnread
		}
		mark := p.in[1]
		switch {
		case mark == 0xd9 && seen: // the end
			_, err := p.keep(2)
			return err
		case mark == 0x01 || mark >= 0xd0 && mark <= 0xd7:
			if _, err := p.keep(2); err != nil {
				return err
			}
			continue
		case mark < 0xc0 || mark == 0xd8 || mark == 0xd9 || len(p.in) < 4:
			return errUnread
		}
		size := int(binary.BigEndian.Uint16(p.in[2:]))
		segment, err := p.next(2 + size)
		if err != nil || size < 2 {
			return errUnread
		}
		p.segment(mark, segment)
		seen = seen || isFrame(mark)
		if mark == 0xda {
			p.scan()
		}
	}
	if !seen {
		return errUnread
	}
	return nil
}

// segment has a segment of a JPEG stay, or what of it a picture needs.
func (p *pieces) segment(mark byte, segment []byte) {
	holds := segment[4:]
	short := func(n int) { // without what may hide behind its fields
		p.out = append(p.out, 0xff, mark, 0, byte(n-2))
		p.out = append(p.out, segment[4:n]...)
	}
	switch {
	case mark == 0xe0 && bytes.HasPrefix(holds, []byte("JFIF\x00")) && len(holds) >= 14:
		short(4 + 14)
		copy(p.out[len(p.out)-2:], "\x00\x00") // no preview
	case mark == 0xee && bytes.HasPrefix(holds, []byte("Adobe")) && len(holds) >= 12:
		short(4 + 12)
	case mark == 0xe1 && bytes.HasPrefix(holds, []byte(exifHead)):
		if up := orientation(holds); up > 1 {
			exif := append([]byte(exifHead), oriented(up)...)
			p.out = append(p.out, 0xff, mark, 0, byte(2+len(exif)))
			p.out = append(p.out, exif...)
		}
	case mark == 0xe2 && bytes.HasPrefix(holds, []byte("ICC_PROFILE\x00")), mark < 0xe0:
		p.out = append(p.out, segment...)
	} // other programs' segments and comments go
}

// scan has the pixels behind the start of a scan stay, up to the next mark.
func (p *pieces) scan() {
	i := 0
	for i+1 < len(p.in) && (p.in[i] != 0xff || p.in[i+1] == 0 || p.in[i+1] == 0xff || p.in[i+1] >= 0xd0 && p.in[i+1] <= 0xd7) {
		i++
	}
	if i+1 >= len(p.in) { // it breaks off
		i = len(p.in)
	}
	_, _ = p.keep(i) // there are as many
}

// png reads chunks: a length, a type of four letters, what it holds, a sum.
func (p *pieces) png() error {
	if _, err := p.keep(8); err != nil {
		return err
	}
	for len(p.in) > 0 {
		if len(p.in) < 12 {
			return errUnread
		}
		size, kind := binary.BigEndian.Uint32(p.in), string(p.in[4:8])
		if size > MaxPicture || !letters(kind) {
			return errUnread
		}
		chunk, err := p.next(12 + int(size))
		if err != nil {
			return err
		}
		switch {
		case kind[0] <= 'Z', slices.Contains(pngLooks(), kind): // without the first, it is no picture
			p.out = append(p.out, chunk...)
		case kind == "eXIf":
			if up := orientation(chunk[8 : 8+size]); up > 1 {
				exif := append([]byte(kind), oriented(up)...)
				p.out = binary.BigEndian.AppendUint32(p.out, uint32(len(exif)-4))
				p.out = append(p.out, exif...)
				p.out = binary.BigEndian.AppendUint32(p.out, crc32.ChecksumIEEE(exif))
			}
		}
		if kind == "IEND" {
			return nil
		}
	}
	return nil
}

// pngLooks are the chunks that a PNG can be shown without, and not as it was meant.
func pngLooks() []string {
	return []string{
		"tRNS", "cHRM", "gAMA", "iCCP", "sBIT", "sRGB", "cICP", "mDCV", "cLLI", "bKGD", "hIST", "pHYs", "sPLT",
		"acTL", "fcTL", "fdAT",
	}
}

func letters(kind string) bool {
	for _, c := range []byte(kind) {
		if c|0x20 < 'a' || c|0x20 > 'z' {
			return false
		}
	}
	return true
}

// webp reads the chunks of a RIFF file: a type, a length, what it holds, filled up to two
// bytes. Its head has the length of all, and that of the extended form says what is in it.
func (p *pieces) webp() error {
	if len(p.in) < 12 {
		return errUnread
	}
	if size := int64(binary.LittleEndian.Uint32(p.in[4:])) + 8; size < int64(len(p.in)) {
		p.in = p.in[:max(size, 12)] // what stands behind its end
	}
	if _, err := p.keep(12); err != nil {
		return err
	}
	flags, up, seen := -1, 0, false
	for len(p.in) > 0 {
		kind, chunk, err := p.riff()
		if err != nil {
			return err
		}
		switch kind {
		case "VP8X":
			if len(chunk) < 8+10 || flags >= 0 {
				return errUnread
			}
			flags = len(p.out) + 8
			p.out = append(p.out, chunk...)
		case "VP8 ", "VP8L", "ALPH", "ANIM", "ICCP":
			p.out = append(p.out, chunk...)
		case "ANMF":
			if err := p.frame(chunk); err != nil {
				return err
			}
		case "EXIF":
			if n := orientation(chunk[8:]); up == 0 && n > 1 && flags >= 0 {
				up = n
				p.out = append(append(p.out, kind...), byte(len(oriented(up))), 0, 0, 0)
				p.out = append(p.out, oriented(up)...)
			}
		}
		seen = seen || kind == "VP8 " || kind == "VP8L" || kind == "ANMF"
	}
	if !seen {
		return errUnread
	}
	const hasExif, hasXMP = 0x08, 0x04
	if flags >= 0 {
		p.out[flags] &^= hasExif | hasXMP
		if up > 0 {
			p.out[flags] |= hasExif
		}
	}
	binary.LittleEndian.PutUint32(p.out[4:], uint32(len(p.out)-8))
	return nil
}

// riff takes a chunk off, with its head.
func (p *pieces) riff() (kind string, chunk []byte, err error) {
	if len(p.in) < 8 {
		return "", nil, errUnread
	}
	size := binary.LittleEndian.Uint32(p.in[4:])
	if size > MaxPicture {
		return "", nil, errUnread
	}
	kind = string(p.in[:4])
	chunk, err = p.next(8 + int(size+size%2))
	return kind, chunk, err
}

// frame has one picture of several stay: a head of 16 bytes, and chunks.
func (p *pieces) frame(chunk []byte) error {
	const head = 8 + 16
	if len(chunk) < head {
		return errUnread
	}
	in := pieces{in: chunk[head:]}
	for len(in.in) > 0 {
		kind, c, err := in.riff()
		if err != nil {
			return err
		}
		if kind == "VP8 " || kind == "VP8L" || kind == "ALPH" {
			in.out = append(in.out, c...)
		}
	}
	p.out = append(p.out, chunk[:4]...)
	p.out = binary.LittleEndian.AppendUint32(p.out, uint32(16+len(in.out)))
	p.out = append(append(p.out, chunk[8:head]...), in.out...)
	return nil
}

// gif reads blocks: pictures and extensions, each a row of pieces of up to 255 bytes that
// ends with an empty one.
func (p *pieces) gif() error {
	head, err := p.keep(13)
	if err != nil {
		return err
	}
	if _, err := p.keep(colours(head[10])); err != nil {
		return err
	}
	for len(p.in) > 0 {
		switch p.in[0] {
		case 0x3b: // the end
			_, err := p.keep(1)
			return err
		case 0x2c:
			at, err := p.keep(10)
			if err != nil {
				return err
			}
			if _, err := p.keep(colours(at[9]) + 1); err != nil {
				return err
			}
			if err := p.row(); err != nil {
				return err
			}
		case 0x21:
			if len(p.in) < 3 {
				return errUnread
			}
			was, stays := len(p.out), p.gifStays()
			if _, err := p.keep(2); err != nil {
				return err
			}
			if err := p.row(); err != nil {
				return err
			}
			if !stays {
				p.out = p.out[:was]
			}
		default:
			return errUnread
		}
	}
	return nil
}

// gifStays reports whether an extension is of how the picture looks: how long it is shown, how
// often it is repeated, what its colours are.
func (p *pieces) gifStays() bool {
	if p.in[1] != 0xff {
		return p.in[1] == 0xf9
	}
	name := p.in[3:min(3+11, len(p.in))]
	return p.in[2] == 11 && slices.Contains([]string{"NETSCAPE2.0", "ANIMEXTS1.0", "ICCRGBG1012"}, string(name))
}

// row has a row of pieces stay.
func (p *pieces) row() error {
	for {
		if len(p.in) == 0 {
			return errUnread
		}
		n := int(p.in[0])
		if _, err := p.keep(1 + n); err != nil || n == 0 {
			return err
		}
	}
}

// colours is how long the table of colours is that flags tell of.
func colours(flags byte) int {
	if flags&0x80 == 0 {
		return 0
	}
	return 3 << (flags&7 + 1)
}

// exifHead begins what a camera wrote, in a JPEG.
const exifHead = "Exif\x00\x00"

// orientation reads out of what a camera wrote which side is up, 1 to 8; 0 if it does not say.
func orientation(exif []byte) int {
	b := bytes.TrimPrefix(exif, []byte(exifHead))
	if len(b) < 8 {
		return 0
	}
	var order binary.ByteOrder = binary.BigEndian
	if string(b[:2]) == "II" {
		order = binary.LittleEndian
	}
	at := int64(order.Uint32(b[4:]))
	if at+2 > int64(len(b)) {
		return 0
	}
	fields := b[at+2:]
	for range order.Uint16(b[at:]) {
		const field, tag, short = 12, 0x0112, 3
		if len(fields) < field {
			return 0
		}
		if order.Uint16(fields) == tag && order.Uint16(fields[2:]) == short {
			if up := int(order.Uint16(fields[8:])); up <= 8 {
				return up
			}
			return 0
		}
		fields = fields[field:]
	}
	return 0
}

// oriented is what a camera writes that says which side is up and nothing else.
func oriented(up int) []byte {
	return []byte("MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00" + string(rune(up)) + "\x00\x00\x00\x00\x00\x00")
}
