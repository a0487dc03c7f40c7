package attach

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strings"
)

// format is what people call the type of an image: "PNG".
func (i Image) format() string {
	switch i.Type {
	case "image/webp":
		return "WebP"
	}
	return strings.ToUpper(strings.TrimPrefix(i.Type, "image/"))
}

// How many tokens a picture takes, by the rule that the first large vendor published: it is
// brought to at most a square of one side and then, by its shorter side, to another; each tile
// of it has a price, and all have one more. Others take less.
const (
	squareSide = 2048
	shortSide  = 768
	tileSide   = 512
	tileTokens = 170
	fixedPrice = 85
)

// Tokens is about how many tokens a picture takes; 0 for none.
func (i Image) Tokens() int {
	w, h := float64(i.Width), float64(i.Height)
	if w <= 0 || h <= 0 {
		return 0
	}
	if long := max(w, h); long > squareSide {
		w, h = w*squareSide/long, h*squareSide/long
	}
	if short := min(w, h); short > shortSide {
		w, h = w*shortSide/short, h*shortSide/short
	}
	tiles := func(n float64) int { return (int(n+0.5) + tileSide - 1) / tileSide }
	return fixedPrice + tileTokens*max(1, tiles(w))*max(1, tiles(h))
}

// isImage returns the type of picture that a file begins like; "" for none that models take.
func isImage(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte("\x89PNG\r\n\x1a\n")):
		return "image/png"
	case bytes.HasPrefix(head, []byte("\xff\xd8\xff")):
		return "image/jpeg"
	case bytes.HasPrefix(head, []byte("GIF87a")), bytes.HasPrefix(head, []byte("GIF89a")):
		return "image/gif"
	case len(head) >= 12 && string(head[:4]) == "RIFF" && string(head[8:12]) == "WEBP":
		return "image/webp"
	}
	return ""
}

var errDamaged = errors.New("its header is damaged")

// measure reads the size of a picture out of its header. No more is read than that takes: of a
// JPEG what stands before its first frame.
func measure(r io.ReadSeeker, kind string) (width, height int, err error) {
	head := make([]byte, 30)
	if n, err := io.ReadFull(r, head); err != nil && n < 24 {
		return 0, 0, errDamaged
	}
	switch kind {
	case "image/png":
		if string(head[12:16]) != "IHDR" {
			return 0, 0, errDamaged
		}
		width, height = int(binary.BigEndian.Uint32(head[16:])), int(binary.BigEndian.Uint32(head[20:]))
	case "image/gif":
		width, height = int(binary.LittleEndian.Uint16(head[6:])), int(binary.LittleEndian.Uint16(head[8:]))
	case "image/jpeg":
		if _, err := r.Seek(2, io.SeekStart); err != nil {
			return 0, 0, err
		}
		width, height, err = jpeg(r)
	default:
		width, height, err = webp(head)
	}
	if err != nil || width <= 0 || height <= 0 {
		return 0, 0, errDamaged
	}
	return width, height, nil
}

// mostSegments is how many segments may stand before the first frame of a JPEG.
const mostSegments = 1000

// jpeg reads the size out of the first frame of a JPEG, from behind its first mark on.
func jpeg(r io.ReadSeeker) (width, height int, err error) {
	var b [9]byte
	for range mostSegments {
		if _, err := io.ReadFull(r, b[:4]); err != nil || b[0] != 0xff {
			return 0, 0, errDamaged
		}
		size := int64(binary.BigEndian.Uint16(b[2:]))
		kind := b[1]
		switch {
		case kind == 0xff: // a byte that fills
			_, err = r.Seek(-3, io.SeekCurrent)
		case isFrame(kind):
			if _, err := io.ReadFull(r, b[:5]); err != nil {
				return 0, 0, errDamaged
			}
			return int(binary.BigEndian.Uint16(b[3:])), int(binary.BigEndian.Uint16(b[1:])), nil
		case size < 2 || kind == 0xd9 || kind == 0xda:
			return 0, 0, errDamaged
		default:
			_, err = r.Seek(size-2, io.SeekCurrent)
		}
		if err != nil {
			return 0, 0, errDamaged
		}
	}
	return 0, 0, errDamaged
}

// isFrame reports whether a mark of a JPEG begins a frame, which has its size.
func isFrame(mark byte) bool {
	return mark >= 0xc0 && mark <= 0xcf && mark != 0xc4 && mark != 0xc8 && mark != 0xcc
}

// webp reads the size of a WebP picture out of its first 30 bytes.
func webp(b []byte) (width, height int, err error) {
	switch string(b[12:16]) {
	case "VP8X":
		return 1 + (int(b[24]) | int(b[25])<<8 | int(b[26])<<16), 1 + (int(b[27]) | int(b[28])<<8 | int(b[29])<<16), nil
	case "VP8L":
		if b[20] != 0x2f {
			return 0, 0, errDamaged
		}
		bits := binary.LittleEndian.Uint32(b[21:25])
		return int(bits&0x3fff) + 1, int(bits>>14&0x3fff) + 1, nil
	case "VP8 ":
		w, h := int(binary.LittleEndian.Uint16(b[26:28])&0x3fff), int(binary.LittleEndian.Uint16(b[28:30])&0x3fff)
		if string(b[23:26]) != "\x9d\x01\x2a" || w == 0 || h == 0 {
			return 0, 0, errDamaged
		}
		return w, h, nil
	}
	return 0, 0, errDamaged
}
