package main

import (
	"bufio"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

// A net is WordNet as far as it is needed.
type net struct {
	sets  map[string]*set    // by part of speech and place in its file
	order []string           // of the sets, as they stand in the files
	uses  map[string][]usage // by word: what it means
}

// A set is one meaning: the words that have it, what it has to do with others, and
// its explanation.
type set struct {
	words []string // in lower case, with _ for a space
	links []link
	gloss string
}

// A link goes from one meaning to another; from and to are the numbers of the words
// that it is between, 0 if it is between the meanings.
type link struct {
	sort     string // WordNet's sign
	set      string
	from, to int
}

// A usage is how often a word has been counted with a meaning.
type usage struct {
	set   string
	first bool // the meaning that is given first
	count int
}

// readNet reads the database files of WordNet (wndb(5WN), senseidx(5WN)).
func readNet(dir fs.FS) (*net, error) {
	n := &net{sets: make(map[string]*set), uses: make(map[string][]usage)}
	for _, name := range []string{"noun", "verb", "adj", "adv"} {
		if err := lines(dir, "data."+name, n.addSet); err != nil {
			return nil, err
		}
	}
	return n, lines(dir, "index.sense", n.addUsage)
}

// lines calls each with the fields of the lines of a file, without those of the licence.
func lines(dir fs.FS, name string, each func(line string) error) error {
	f, err := dir.Open(name)
	if err != nil {
		return fmt.Errorf("read WordNet: %w", err)
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for row := 1; s.Scan(); row++ {
		if strings.HasPrefix(s.Text(), "  ") {
			continue
		}
		if err := each(s.Text()); err != nil {
			return fmt.Errorf("%s:%d: %w", name, row, err)
		}
	}
	return s.Err()
}

// key names a meaning: adjectives of a cluster are adjectives.
func key(part, place string) string {
	if part == "s" {
		part = "a"
	}
	return part + place
}

// addSet reads a line of a data file.
func (n *net) addSet(line string) error {
	head, gloss, _ := strings.Cut(line, " | ")
	f := fields{list: strings.Fields(head)}
	place, _, part := f.next(), f.next(), f.next()
	s := &set{gloss: gloss}
	for range f.number(16) {
		word, _, _ := strings.Cut(f.next(), "(") // how an adjective stands
		s.words = append(s.words, strings.ToLower(word))
		f.next()
	}
	for range f.number(10) {
		l := link{sort: f.next()}
		to := f.next()
		l.set = key(f.next(), to)
		ends := f.number(16)
		l.from, l.to = ends>>8, ends&0xff
		s.links = append(s.links, l)
	}
	if f.bad {
		return fmt.Errorf("no meaning: %.40q", line)
	}
	name := key(part, place)
	n.sets[name] = s
	n.order = append(n.order, name)
	return nil
}

// addUsage reads a line of index.sense.
func (n *net) addUsage(line string) error {
	f := fields{list: strings.Fields(line)}
	word, rest, _ := strings.Cut(f.next(), "%")
	place, number, count := f.next(), f.number(10), f.number(10)
	parts := map[byte]string{'1': "n", '2': "v", '3': "a", '4': "r", '5': "a"}
	if f.bad || rest == "" || parts[rest[0]] == "" {
		return fmt.Errorf("no use of a word: %.40q", line)
	}
	n.uses[word] = append(n.uses[word], usage{key(parts[rest[0]], place), number == 1, count})
	return nil
}

// fields are those of a line, one after the other.
type fields struct {
	list []string
	bad  bool // there was one too few, or no number
}

func (f *fields) next() string {
	if len(f.list) == 0 {
		f.bad = true
		return ""
	}
	s := f.list[0]
	f.list = f.list[1:]
	return s
}

func (f *fields) number(base int) int {
	n, err := strconv.ParseUint(f.next(), base, 16)
	f.bad = f.bad || err != nil
	return int(n)
}
