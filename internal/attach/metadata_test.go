package attach

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	gifs "image/gif"
	jpegs "image/jpeg"
	pngs "image/png"
	"slices"
	"strings"
	"testing"
)

// beside is what a camera writes beside the pixels.
const beside = "52.5163N 13.3777E, Ada's phone"

// exif is what a camera writes: which side is up, and the text somewhere behind it.
func exif(up byte, little bool) string {
	if little {
		return "II*\x00\x08\x00\x00\x00\x02\x00" +
			"\x0f\x01\x02\x00\x04\x00\x00\x00abc\x00" +
			"\x12\x01\x03\x00\x01\x00\x00\x00" + string(rune(up)) + "\x00\x00\x00\x00\x00\x00\x00" + beside
	}
	return "MM\x00*\x00\x00\x00\x08\x00\x02" +
		"\x01\x0f\x00\x02\x00\x00\x00\x04abc\x00" +
		"\x01\x12\x00\x03\x00\x00\x00\x01\x00" + string(rune(up)) + "\x00\x00\x00\x00\x00\x00" + beside
}

// drawn is a picture with many colours, as the encoders of Go's library write it.
func drawn(t testing.TB, kind string) []byte {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, 40, 30))
	for x := range 40 {
		for y := range 30 {
			m.Set(x, y, color.RGBA{uint8(6 * x), uint8(8 * y), uint8(x * y), 255})
		}
	}
	var b bytes.Buffer
	var err error
	switch kind {
	case "image/png":
		err = pngs.Encode(&b, m)
	case "image/jpeg":
		err = jpegs.Encode(&b, m, nil)
	default:
		err = gifs.Encode(&b, m, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func segment(mark byte, holds string) string {
	return "\xff" + string([]byte{mark, byte((len(holds) + 2) >> 8), byte(len(holds) + 2)}) + holds
}

func chunk(kind, holds string) string {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(holds)))
	b = append(append(b, kind...), holds...)
	return string(binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:])))
}

func riff(chunks ...string) string {
	all := strings.Join(chunks, "")
	return string(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(4+len(all)))) + "WEBP" + all
}

func piece(kind, holds string) string {
	return string(binary.LittleEndian.AppendUint32([]byte(kind), uint32(len(holds)))) + holds + strings.Repeat("\x00", len(holds)%2)
}

// photos are pictures of each form with something beside the pixels wherever the form has a
// place for it.
func photos(t testing.TB) map[string]string {
	t.Helper()
	j, p, g := string(drawn(t, "image/jpeg")), string(drawn(t, "image/png")), string(drawn(t, "image/gif"))
	colours := 13 + 3*256
	vp8l := piece("VP8L", "\x2f\x27\x40\x07\x00\x01\x02")
	vp8x := func(flags string) string { return piece("VP8X", flags+"\x00\x00\x00\x27\x00\x00\x1d\x00\x00") }
	return map[string]string{
		"JPEG": j[:2] + segment(0xe0, "JFIF\x00\x01\x02\x00\x00\x48\x00\x48\x01\x01"+beside) + segment(0xe0, "JFXX\x00\x13"+beside) +
			segment(0xe1, "Exif\x00\x00"+exif(6, true)) + segment(0xe1, "http://ns.adobe.com/xap/1.0/\x00"+beside) +
			segment(0xed, "Photoshop 3.0\x00"+beside) +
			segment(0xee, "Adobe\x00\x64\x00\x00\x00\x00\x01"+beside) + segment(0xfe, beside) +
			segment(0xe2, "MPF\x00"+beside) + "\xff\xff" + j[2:] + beside,
		"JPEG, upright": j[:2] + segment(0xe1, "Exif\x00\x00"+exif(1, false)) + j[2:len(j)-2] + segment(0xfe, beside) + j[len(j)-2:] + j,
		"PNG": p[:33] + chunk("tEXt", "GPS\x00"+beside) + chunk("iTXt", beside) + chunk("zTXt", beside) +
			chunk("tIME", beside) + chunk("prIv", beside) +
			chunk("gAMA", "\x00\x00\xb1\x8f") + chunk("eXIf", exif(3, false)) + p[33:] + chunk("tEXt", beside),
		"GIF": g[:colours] + "!\xfe" + piece1(beside) + "\x00" + "!\xff\x0bXMP DataXMP" + piece1(beside) + "\x00" +
			"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00" + "!\x01" + piece1("123456789012") + piece1(beside) + "\x00" + g[colours:] + beside,
		"WebP": riff(vp8x("\x0c"), vp8l, piece("EXIF", exif(8, false)), piece("XMP ", beside), piece("abcd", beside)) + beside,
		"WebP, moved": riff(vp8x("\x0e"), piece("ANIM", "\x00\x00\x00\x00\x00\x00"),
			piece("ANMF", strings.Repeat("\x00", 16)+vp8l+piece("what", beside)), piece("EXIF", exif(1, true))),
		"WebP, plain": riff(vp8l, piece("EXIF", exif(3, true))),
	}
}

func piece1(s string) string { return string([]byte{byte(len(s))}) + s }

// TestBare: of a picture the pixels go along, and which side is up; no word that was written
// beside them does, wherever it stood. The person reads that it was left out.
func TestBare(t *testing.T) {
	t.Parallel()
	const field = "\x01\x12\x00\x03\x00\x00\x00\x01\x00"
	turned := map[string]string{"JPEG": field + "\x06", "PNG": field + "\x03", "WebP": field + "\x08"}
	for name, photo := range photos(t) {
		a, err := in(t, map[string]string{"photo": photo}).Open(t.Context(), "photo")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := string(a.Image.Data)
		for _, word := range append(strings.Fields(beside), "Adobe\x00\x64\x00\x00\x00\x00\x01"+"5", "xap", "Photoshop", "MPF", "abc\x00") {
			if strings.Contains(got, word) {
				t.Errorf("%s: %q is in it", name, word)
			}
		}
		if !slices.Contains(a.Notes, "without its metadata") || !strings.Contains(a.Line(), "; without its metadata)") {
			t.Errorf("%s: %s", name, a.Line())
		}
		if up := turned[name]; strings.Contains(got, "MM\x00*") != (up != "") || !strings.Contains(got, up) {
			t.Errorf("%s: which side is up is not kept: %q", name, got)
		}
		if !strings.HasPrefix(name, "WebP") {
			was, _, err := image.Decode(strings.NewReader(photo))
			now, _, nowErr := image.Decode(strings.NewReader(got))
			if err != nil || nowErr != nil || !samePixels(was, now) {
				t.Errorf("%s: it is another picture: %v, %v", name, err, nowErr)
			}
		}
	}
	for _, kind := range []string{"image/png", "image/jpeg", "image/gif"} {
		plain := drawn(t, kind)
		a, err := in(t, map[string]string{"p": string(plain)}).Open(t.Context(), "p")
		if err != nil || !bytes.Equal(a.Image.Data, plain) || len(a.Notes) > 0 {
			t.Errorf("%s without metadata: %q, %v", kind, a.Notes, err)
		}
	}
	for flag, name := range map[byte]string{0x08: "WebP", 0x02: "WebP, moved"} { // what is not there is not promised
		got, _, err := bare([]byte(photos(t)[name]), "image/webp")
		if err != nil || got[20] != flag || int(binary.LittleEndian.Uint32(got[4:]))+8 != len(got) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func samePixels(a, b image.Image) bool {
	for x := range a.Bounds().Dx() {
		for y := range a.Bounds().Dy() {
			if a.At(x, y) != b.At(x, y) {
				return false
			}
		}
	}
	return a.Bounds() == b.Bounds()
}

// TestBareDamaged: a picture whose parts cannot be told apart is refused, and nothing of it goes.
func TestBareDamaged(t *testing.T) {
	t.Parallel()
	all := photos(t)
	for name, photo := range map[string]string{
		"a JPEG segment without an end": jpegHead(4, 4) + "\xff\xe1\x40\x00" + beside,
		"a JPEG segment of no length":   jpegHead(4, 4) + "\xff\xe1\x00\x00" + beside,
		"no mark in a JPEG":             jpegHead(4, 4) + beside,
		"a PNG chunk without an end":    all["PNG"][:33] + "\x00\x00\xff\xfftEXt" + beside,
		"a PNG chunk beyond all":        all["PNG"][:33] + "\xff\xff\xff\xfftEXt" + beside,
		"a PNG chunk without a type":    all["PNG"][:33] + chunk("t XT", beside),
		"a GIF block of no kind":        all["GIF"][:13+3*256] + beside,
		"a GIF that breaks off":         all["GIF"][:13+3*256] + "!\xfe\xff" + beside,
		"a WebP chunk without an end":   riff(piece("VP8L", "\x2f\x27\x40\x07\x00\x01\x02")) + "EXIF\xff\xff\x00\x00" + beside,
		"a WebP without a picture":      riff(piece("VP8X", "\x0c\x00\x00\x00\x27\x00\x00\x1d\x00\x00"), piece("EXIF", exif(1, true))),
	} {
		if strings.HasPrefix(name, "a WebP chunk") { // the chunk counts
			photo = photo[:4] + string(binary.LittleEndian.AppendUint32(nil, uint32(len(photo)-8))) + photo[8:]
		}
		a, err := in(t, map[string]string{"photo": photo}).Open(t.Context(), "photo")
		const says = "photo looks like a picture ("
		if err == nil || !strings.HasPrefix(err.Error(), says) || !strings.HasSuffix(err.Error(), errUnread.Error()) {
			t.Errorf("%s: %+v, %v", name, a, err)
		}
	}
}

// FuzzBare: whatever a picture holds, what is made of it is no longer than one with which side is up
// besides, and once is enough.
func FuzzBare(f *testing.F) {
	for _, photo := range photos(f) {
		f.Add([]byte(photo))
	}
	f.Add([]byte(jpegHead(4, 4)))
	f.Fuzz(func(t *testing.T, photo []byte) {
		kind := isImage(photo)
		was := bytes.Clone(photo)
		once, taken, err := bare(photo, kind)
		if !bytes.Equal(photo, was) {
			t.Fatal("what was read is changed")
		}
		if err != nil {
			return
		}
		if taken == bytes.Equal(once, photo) || len(once) > len(photo) {
			t.Errorf("%v: %q of %q", taken, once, photo)
		}
		twice, taken, err := bare(once, kind)
		if err != nil || taken || !bytes.Equal(twice, once) {
			t.Errorf("again: %q, %v, %v", twice, taken, err)
		}
	})
}
