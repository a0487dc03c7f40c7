package edit

import (
	"strings"
)

// A place is where quoted lines stand in a text, and what is to stand there.
type place struct {
	b           *body
	at          int // the first line, from 0
	quoted, now []string
	rung        rung
}

// was is the line of the text that was quoted as line i.
func (p *place) was(i int) string { return p.b.line(p.at + i) }

// found makes the cuts: lines that are quoted and new stay as the text has them.
func (p *place) found() (found, error) {
	n := len(p.quoted)
	f := found{places: 1, how: p.rung.how, at: p.b.rows[p.at]}
	if len(p.now) == 0 {
		from, to := p.b.rows[p.at], p.b.end(p.at+n-1)
		if to < len(p.b.lf) {
			to++ // its break
		}
		f.cuts = []cut{{from: from, to: to}}
		return f, nil
	}
	write, err := p.writer()
	if err != nil {
		return found{}, err
	}
	out := make([]string, 0, len(p.now))
	q, m := 0, 0
	for _, pair := range append(aligned(p.quoted, p.now), [2]int{n, len(p.now)}) {
		var lines []string
		for k := m; k < pair[1]; k++ {
			beside := -1 // the quoted line that this one stands for
			if pair[0]-q == pair[1]-m {
				beside = q + k - m
			}
			line, ok := write(p.now[k], beside)
			if !ok {
				return found{}, p.unclear()
			}
			lines = append(lines, line)
		}
		if c, ok := p.cut(q, pair[0], lines); ok {
			f.cuts = append(f.cuts, c)
		}
		out = append(out, lines...)
		if pair[0] < n {
			out = append(out, p.was(pair[0]))
		}
		q, m = pair[0]+1, pair[1]+1
	}
	f.n = len(strings.Join(out, "\n"))
	if len(f.cuts) == 0 {
		return found{}, &Refusal{Why: NoChange}
	}
	return f, nil
}

// cut puts lines in the place of the quoted lines from from to to.
func (p *place) cut(from, to int, lines []string) (c cut, ok bool) {
	text := strings.Join(lines, "\n")
	row := func(i int) int { return p.b.rows[p.at+i] }
	end := func(i int) int { return p.b.end(p.at + i) }
	switch last := to == len(p.quoted); {
	case from == to && len(lines) == 0:
		return cut{}, false
	case from < to && len(lines) > 0:
		return cut{row(from), end(to - 1), text}, true
	case from == to && last:
		return cut{end(from - 1), end(from - 1), "\n" + text}, true
	case from == to:
		return cut{row(from), row(from), text + "\n"}, true
	case last:
		return cut{end(from - 1), end(to - 1), ""}, true
	}
	return cut{row(from), row(to), ""}, true
}

// unclear refuses because one indentation or one character of the quote stands for two.
func (p *place) unclear() *Refusal {
	return p.b.show(&Refusal{Why: Indentation}, p.at, p.at+len(p.quoted))
}

// writer returns what writes a new line as the text would have it. beside is the quoted line
// that it stands for, -1 if none.
func (p *place) writer() (write func(line string, beside int) (string, bool), err error) {
	switch p.rung.how {
	case Indented:
		in, ok := p.indents(func(s string) string { return s })
		if !ok {
			return nil, p.unclear()
		}
		return func(line string, _ int) (string, bool) {
			lead, rest := halves(line)
			if rest == "" {
				return "", true
			}
			return in.lead(lead) + rest, true
		}, nil
	case Plain:
		in, ok := p.indents(plain)
		if !ok {
			return nil, p.unclear()
		}
		signs := p.signs()
		return func(line string, beside int) (string, bool) {
			lead, rest := halves(line)
			if rest == "" {
				return "", true
			}
			head, tail := "", ""
			if beside >= 0 {
				head, rest, tail = alike(inner(p.was(beside)), inner(p.quoted[beside]), rest)
			}
			rest, ok := signs.write(rest)
			return in.lead(plain(lead)) + head + rest + tail, ok
		}, nil
	}
	return func(line string, _ int) (string, bool) { return line, true }, nil
}

// mostAligned bounds the table of aligned, in cells.
const mostAligned = 4 << 20

// aligned are the pairs of lines that a and b have in common, in order: as many as can
// be, but for very long ones, of which only those at both ends count.
func aligned(a, b []string) (pairs [][2]int) {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		pairs = append(pairs, [2]int{head, head})
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	x, y := a[head:len(a)-tail], b[head:len(b)-tail]
	if w := len(y) + 1; len(x) > 0 && len(y) > 0 && (len(x)+1)*w <= mostAligned {
		table := make([]int32, (len(x)+1)*w) // of each corner: how many lines behind it are common
		for i := len(x) - 1; i >= 0; i-- {
			for j := len(y) - 1; j >= 0; j-- {
				if x[i] == y[j] {
					table[i*w+j] = table[(i+1)*w+j+1] + 1
				} else {
					table[i*w+j] = max(table[(i+1)*w+j], table[i*w+j+1])
				}
			}
		}
		for i, j := 0, 0; i < len(x) && j < len(y); {
			switch {
			case x[i] == y[j]:
				pairs = append(pairs, [2]int{head + i, head + j})
				i, j = i+1, j+1
			case table[(i+1)*w+j] >= table[i*w+j+1]:
				i++
			default:
				j++
			}
		}
	}
	for k := tail; k > 0; k-- {
		pairs = append(pairs, [2]int{len(a) - k, len(b) - k})
	}
	return pairs
}
