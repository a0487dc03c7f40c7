package recall

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ken/internal/dates/said"
	"ken/internal/index"
	"ken/internal/memory"
)

// brute scores a question as the documentation of the package says it, with no
// thought for speed: the reference that Search must agree with. The turns of a
// session follow each other in docs.
func brute(docs []index.Document, q Question, scope string) []Hit {
	b := reference{docs: docs, q: q, w: DefaultWeights(), wanted: index.Terms(q.Text), asks: readAsked(q.Text, q.At)}
	for i := range docs {
		b.row = append(b.row, docs[i].Row(int32(len(allWords(&docs[i]))), func(string) int32 { return 0 }))
		counts := map[index.Term][index.Fields]uint16{}
		docs[i].Count(func(t index.Term, n [index.Fields]uint16) { counts[t] = n })
		b.counts = append(b.counts, counts)
	}
	enough := false
	for i := range docs {
		enough = enough || b.turn(i) && b.share(i) >= float32(Enough*b.whole()) && b.share(i) > 0 && (scope == "" || docs[i].Scope == scope)
	}
	var hits []Hit
	for i := range docs {
		least := leastShare
		if b.turn(i) {
			least = floorTurn
		}
		if b.turn(i) && !enough || b.share(i) == 0 || float64(b.share(i)) < least*b.whole() || scope != "" && docs[i].Scope != scope {
			continue
		}
		h := Hit{Document: &docs[i]}
		values := b.parts(i)
		if b.meant() == 1 && values[partCoverage] == 0 && values[partSpeaker] == 0 {
			continue
		}
		for _, name := range Names() {
			v := values[name]
			if name == PartArchive && docs[i].Archived && !docs[i].Pinned {
				v = b.w[archive] * h.Score
			}
			if v != 0 {
				h.Parts = append(h.Parts, Part{name, v})
			}
			h.Score += v
		}
		hits = append(hits, h)
	}
	slices.SortStableFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), b.Time.Compare(a.Time))
	})
	if q.K > 0 {
		hits = hits[:min(len(hits), q.K)]
	}
	return hits
}

func allWords(d *index.Document) []struct{} {
	return make([]struct{}, d.Count(func(index.Term, [index.Fields]uint16) {}))
}

type reference struct {
	docs   []index.Document
	row    []index.Row
	counts []map[index.Term][index.Fields]uint16
	q      Question
	w      *Weights
	wanted []index.Term
	asks   asked
}

func (b *reference) turn(i int) bool { return b.docs[i].In == index.Sessions }

// beside are the turns of the same session at most that far away, i included.
func (b *reference) beside(i, far int) (list []int) {
	for j := range b.docs {
		if j == i || b.turn(i) && b.turn(j) && b.docs[j].Session == b.docs[i].Session && b.between(i, j) && b.docs[i].Session != "" && max(i-j, j-i) <= far {
			list = append(list, j)
		}
	}
	return list
}

// between reports whether all from i to j is of one scope.
func (b *reference) between(i, j int) bool {
	for k := min(i, j); k <= max(i, j); k++ {
		if b.docs[k].Scope != b.docs[i].Scope {
			return false
		}
	}
	return true
}

func (b *reference) has(i int, t index.Term) bool { return b.counts[i][t] != [index.Fields]uint16{} }

func (b *reference) idf(t index.Term) float64 {
	n, df := max(len(b.docs), fewItems), 0
	for i := range b.docs {
		if b.has(i, t) {
			df++
		}
	}
	return math.Log(1 + (float64(n)-float64(df)+0.5)/(float64(df)+0.5))
}

func (b *reference) sum(form bool, add func(t index.Term) float32) (sum float32) {
	for _, t := range b.wanted {
		if (t.Form == index.Word) == form {
			sum += add(t)
		}
	}
	return sum
}

// says is what a term says of what a text is about.
func (b *reference) says(t index.Term) float64 {
	if t.Form != index.Stem {
		return b.idf(t)
	}
	return b.idf(t) * entryOf(t.Text).says
}

// whole is what the question says.
func (b *reference) whole() (sum float64) {
	for _, t := range b.wanted {
		if t.Form != index.Word {
			sum += b.says(t)
		}
	}
	return sum
}

// related is what the document has of the stems that go with a term of the
// question, for each term that it has not.
func (b *reference) related(i int) (sum float32) {
	left := mostLinks
	for _, t := range b.wanted {
		if t.Form != index.Stem {
			continue
		}
		n, df, own := 0, 0, 0
		var kin []index.Term
		for _, stem := range entryOf(t.Text).related() {
			if k := (index.Term{Form: index.Stem, Text: stem}); left > 0 && !slices.Contains(b.wanted, k) {
				kin = append(kin, k)
				left--
			}
		}
		for j, counts := range b.counts {
			if b.has(j, t) {
				own++
			}
			has := 0
			for _, k := range kin {
				has += int(counts[k][index.FieldContent])
			}
			if has > 0 {
				df++
			}
			if i == j {
				n = has
			}
		}
		if n > 0 && b.counts[i][t][index.FieldContent] == 0 {
			idf := func(df int) float64 {
				of := float64(max(len(b.docs), fewItems))
				return math.Log(1 + (of-float64(df)+0.5)/(float64(df)+0.5))
			}
			weight := min(idf(own), idf(df)) * entryOf(t.Text).says
			sum += float32(weight * (float64(n) * (k1 + 1) / (float64(n) + k1)))
		}
	}
	return sum
}

func (b *reference) meant() (n int) {
	for _, t := range b.wanted {
		if t.Form != index.Word {
			n++
		}
	}
	return n
}

// share is the weight of what a document, or a turn and those beside it, have.
func (b *reference) share(i int) float32 {
	return b.sum(false, func(t index.Term) float32 {
		for _, j := range b.beside(i, 2) {
			if b.has(j, t) {
				return float32(b.says(t))
			}
		}
		return 0
	})
}

// bm25 is the score of the documents as if they were one.
func (b *reference) bm25(list []int, f index.Field, form bool) float32 {
	return b.sum(form, func(t index.Term) float32 {
		n := 0.0
		for _, i := range list {
			n += float64(b.counts[i][t][f])
		}
		return float32(b.idf(t) * (n * (k1 + 1) / (n + k1)))
	})
}

// bySession gives the weight of the conversation of i, and the most it could be.
func (b *reference) bySession(i int) (sum float32, whole float64) {
	var sessions [][]int
	for j := range b.docs {
		if list := b.beside(j, len(b.docs)); b.turn(j) && list[0] == j && b.docs[j].Session != "" {
			sessions = append(sessions, list)
		}
	}
	for _, t := range b.wanted {
		if t.Form == index.Word {
			continue
		}
		df := 0
		n := 0.0
		all := slices.Clone(sessions)
		for j := range b.docs { // a turn of no session stands for itself
			if b.turn(j) && b.docs[j].Session == "" {
				all = append(all, []int{j})
			}
		}
		for _, list := range all {
			in := 0.0
			for _, j := range list {
				in += float64(b.counts[j][t][index.FieldContent])
			}
			if in > 0 {
				df++
			}
			if slices.Contains(list, i) {
				n = in
			}
		}
		if df == 0 {
			continue
		}
		of := max(len(sessions), df)
		idf := math.Log(1 + (float64(of)-float64(df)+0.5)/(float64(df)+0.5))
		whole += idf
		sum += float32(idf * (n * (k1Session + 1) / (n + k1Session)))
	}
	return sum, max(whole, 0)
}

func (b *reference) parts(i int) map[PartName]float64 {
	d, r, w := &b.docs[i], &b.row[i], b.w
	self := []int{i}
	scale := 0.0
	for _, t := range b.wanted {
		if t.Form != index.Word && slices.ContainsFunc(b.counts, func(m map[index.Term][index.Fields]uint16) bool { return m[t] != [index.Fields]uint16{} }) {
			scale += b.idf(t)
		}
	}
	if scale == 0 {
		scale = 1
	}
	one := 1 / scale
	v := map[PartName]float64{}
	v[PartWords] = w[words] * float64(b.bm25(self, index.FieldContent, true)) * one
	v[PartStems] = w[stems] * float64(b.bm25(self, index.FieldContent, false)) * one
	inTags := float32(0)
	for _, t := range b.wanted {
		n := float64(b.counts[i][t][index.FieldTags])
		x := float32(b.idf(t) * (n * (k1 + 1) / (n + k1)))
		if t.Form == index.Word {
			x *= tagWords
		}
		inTags += x
	}
	v[PartTags] = w[tags] * float64(inTags) * one
	v[partCoverage] = w[coverage] * float64(b.sum(false, func(t index.Term) float32 {
		if n := b.counts[i][t]; n[index.FieldContent]+n[index.FieldTags] > 0 {
			return float32(b.says(t))
		}
		return 0
	})) / b.whole()
	v[partRelated] = w[related] * float64(b.related(i)) * one
	b.wordsFirst(i, v)
	if !d.Time.IsZero() {
		day := said.DayOf(d.Time)
		v[partDate] = w[date] * b.asks.onDate(said.Days{From: day, To: day})
		v[partAbout] = w[about] * b.asks.onDate(r.Days)
	}
	if r.Flags&b.asks.For != 0 {
		v[partWhen] = w[when]
	}
	if !b.turn(i) {
		v[partAlone] = w[alone] * float64(b.bm25(self, index.FieldContent, false)+aloneRelated*b.related(i)) / scale
		if d.In == index.Commands {
			return v
		}
		share := v[PartWords] + v[PartStems] + v[PartTags] + v[partCoverage] + v[partAlone]
		if d.Scope != "user" && b.q.Holds != nil && b.q.Holds(d.Scope) {
			v[PartScope] = w[scope] * share
		}
		if slices.Contains([]string{"rule", "pref", "convention", "goal", "lesson", "retro"}, d.Kind) {
			v[partKind] = w[kind] * share
		}
		v[partPhase] = w[phase] * share * map[memory.Phase]float64{memory.PhaseRigid: 1, memory.PhaseStabilized: 0.5}[d.Phase]
		if d.Pinned {
			v[partPinned] = w[pinned] * share
		}
		if d.Importance != 0 {
			v[partImportance] = w[importance] * share * (float64(d.Importance) - 5) / 5
		}
		if !b.q.At.IsZero() && !d.Time.IsZero() {
			v[partRecency] = w[recency] * share * math.Exp2(-max(b.q.At.Sub(d.Time).Seconds(), 0)/86400/recencyHalf)
		}
		if b.q.LastUse != nil && !b.q.At.IsZero() && !b.q.LastUse(d.Ref).IsZero() {
			v[partUse] = w[use] * share * math.Exp2(-max(b.q.At.Sub(b.q.LastUse(d.Ref)).Seconds(), 0)/86400/useHalf)
		}
		return v
	}
	v[partAround] = w[around] * float64(b.sum(false, func(t index.Term) float32 {
		for _, j := range b.beside(i, 2) {
			if b.counts[j][t][index.FieldContent] > 0 {
				return float32(b.says(t))
			}
		}
		return 0
	})) / b.whole()
	if sum, whole := b.bySession(i); whole > 0 {
		v[partSession] = w[session] * float64(sum) / whole
		if b.asks.Several {
			v[partSeveral] = w[several] * float64(sum) / whole
		}
	}
	for _, j := range b.beside(i, 1) {
		if j >= i {
			continue
		}
		share := float64(b.bm25([]int{j}, index.FieldContent, false)) * one
		if b.row[j].Flags&index.Question != 0 {
			v[partAnswers] = w[answers] * share * share
		}
		if b.asks.How {
			v[partReply] = w[reply] * share
		}
		if b.asks.For&index.When != 0 {
			v[partEcho] = w[echo] * share
		}
	}
	b.who(i, v)
	if b.asks.Who && r.Flags&index.Named != 0 {
		v[partName] = w[name]
	}
	if r.Flags&index.Question != 0 {
		v[partQuestion] = w[question]
	}
	return v
}

// wordsFirst adds what keywords count, and identifiers of a question.
func (b *reference) wordsFirst(i int, v map[PartName]float64) {
	has := func(t index.Term) bool {
		n := b.counts[i][t]
		return n[index.FieldContent]+n[index.FieldTags] > 0
	}
	ids := index.Identifiers(b.q.Text)
	if b.meant() < 2 && len(ids) == 0 {
		return
	}
	if len(ids) > 0 && !slices.ContainsFunc(ids, func(t index.Term) bool { return !has(t) }) {
		v[partEvery] = b.w[every]
	}
	if !b.asks.Keywords {
		return
	}
	whole, every1 := 0.0, true
	for _, t := range b.wanted {
		if t.Form == index.Word {
			whole += b.idf(t)
		} else {
			every1 = every1 && has(t)
		}
	}
	share := float64(b.sum(true, func(t index.Term) float32 {
		if has(t) {
			return float32(b.idf(t))
		}
		return 0
	})) / whole
	share *= share
	if whole > 0 {
		v[partTyped] = b.w[typed] * share * share
	}
	if every1 {
		v[partEvery] = b.w[every]
		v[partBrief] = b.w[brief] * max(0, 1-math.Log1p(float64(b.row[i].Words))/longText)
	}
}

// who adds what it counts who spoke.
func (b *reference) who(i int, v map[PartName]float64) {
	spoke := func(j int, t index.Term) bool { return t.Form == index.Word && b.counts[j][t][index.FieldSpeaker] > 0 }
	about := ""
	for _, word := range b.asks.Subjects {
		for _, t := range b.wanted {
			for j := range b.docs {
				if about == "" && t.Text == word && spoke(j, t) {
					about = word
				}
			}
		}
	}
	for _, t := range b.wanted {
		if spoke(i, t) {
			v[partSpeaker] = b.w[speaker]
			if t.Text == about {
				v[partSubject] = b.w[subject]
			}
		}
	}
	left := mostLinks
	for _, t := range b.wanted {
		if t.Form != index.Stem {
			continue
		}
		itself := slices.ContainsFunc(b.counts, func(m map[index.Term][index.Fields]uint16) bool { return m[t][index.FieldSpeaker] > 0 })
		for _, stem := range entryOf(t.Text).related() {
			k := index.Term{Form: index.Stem, Text: stem}
			if left == 0 || slices.Contains(b.wanted, k) {
				continue
			}
			left--
			if !itself && b.counts[i][k][index.FieldSpeaker] > 0 {
				v[partSpeaker] = b.w[speaker]
			}
		}
	}
}

func genText() *rapid.Generator[string] {
	w := rapid.SampledFrom([]string{
		"kettle", "kettles", "Kettle's", "the", "what", "fetchUser", "fetch_user", "user", "go", "running", "runs", "run",
		"in Oslo", "last week", "when", "where", "2026-05-02?", "Ada", "Ada's", "for two years", "which kettles", "how did", "why?",
		"红茶", "茶", "紅茶杯", "café", "CAFE", "tea-pot", "/etc/hosts", "v1.2", "C++", "don't", "🎉", "ตลาด", "and", "x", "vehicle", "Mike", "bicycles", "wagon", "Vehicles", "thing",
	})
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(w, 0, 6).Draw(t, "words"), rapid.SampledFrom([]string{" ", ", ", "\n"}).Draw(t, "gap"))
	})
}

// genDocs are documents of all sorts, the turns of a session one after the other.
func genDocs(t *rapid.T) (docs []index.Document) {
	n := rapid.IntRange(0, 14).Draw(t, "documents")
	at := 0
	for i := range n {
		d := index.Document{
			Ref: fmt.Sprint(i), Content: genText().Draw(t, "content"), Scope: rapid.SampledFrom([]string{"user", "b"}).Draw(t, "scope"),
			Time: time.Date(2026, 5, rapid.IntRange(1, 3).Draw(t, "day"), 12, 0, 0, 0, time.UTC),
		}
		switch rapid.IntRange(0, 3).Draw(t, "in") {
		case 0:
			d.In, d.Kind = index.Memory, rapid.SampledFrom([]string{"fact", "pref", "rule"}).Draw(t, "kind")
			d.Tags, d.Key = rapid.SliceOfN(genText(), 0, 2).Draw(t, "tags"), rapid.SampledFrom([]string{"", "tea.kettle"}).Draw(t, "key")
			d.Pinned, d.Archived = rapid.Bool().Draw(t, "pinned"), rapid.Bool().Draw(t, "archived")
			d.Importance = rapid.IntRange(1, 10).Draw(t, "importance")
			d.Phase = rapid.SampledFrom([]memory.Phase{"fluid", "stabilized", "rigid"}).Draw(t, "phase")
			at++
		case 1:
			d.In, d.Kind = index.Commands, "exec"
			at++
		default:
			d.In, d.Kind, d.Speaker = index.Sessions, "user", rapid.SampledFrom([]string{"", "Ada", "Kettle", "Michael"}).Draw(t, "speaker")
			if rapid.IntRange(0, 4).Draw(t, "new session") == 0 {
				at++
			}
			d.Session = fmt.Sprintf("s%d", at)
			if rapid.IntRange(0, 9).Draw(t, "no session") == 0 {
				d.Session = ""
				at++
			}
		}
		docs = append(docs, d)
	}
	return docs
}

// split makes corpora of documents: cut between two sessions, with documents in
// between that are gone.
func split(t *rapid.T, docs []index.Document) []*index.Corpus {
	var corpora []*index.Corpus
	var part []index.Document
	var gone []bool
	flush := func() {
		c := index.NewScan(slices.Values(part))
		rows, err := c.Rows.All()
		if err != nil {
			t.Fatal(err)
		}
		for i := range gone {
			if gone[i] {
				rows[i].Flags |= index.Deleted
			}
		}
		c.Rows = index.RowsOf(rows)
		corpora, part, gone = append(corpora, c), nil, nil
	}
	for i, d := range docs {
		if i > 0 && (d.Session == "" || d.Session != docs[i-1].Session) && rapid.Bool().Draw(t, "cut") {
			flush()
		}
		if rapid.IntRange(0, 3).Draw(t, "gone") == 0 {
			dead := d
			dead.Content = genText().Draw(t, "gone content")
			part, gone = append(part, dead), append(gone, true)
		}
		part, gone = append(part, d), append(gone, false)
	}
	flush()
	return corpora
}

// TestSearchIsBruteForce (L2, L6): same hits, scores and parts as the reference;
// parts sum to the score; twice the same.
func TestSearchIsBruteForce(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	now := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	rapid.Check(t, func(t *rapid.T) {
		docs := genDocs(t)
		q := Question{Text: genText().Draw(t, "query"), K: rapid.IntRange(0, 4).Draw(t, "k")}
		scope := ""
		if rapid.Bool().Draw(t, "filtered") {
			scope = "b"
			q.Keep = func(c *index.Corpus, r *index.Row) bool { return c.Name(r.Scope) == "b" }
		}
		if rapid.Bool().Draw(t, "timed") {
			q.At = now
			q.Text += rapid.SampledFrom([]string{"", " on 2 May", " yesterday?"}).Draw(t, "date")
		}
		if rapid.Bool().Draw(t, "placed") {
			q.Holds = func(scope string) bool { return scope == "b" }
		}
		if rapid.Bool().Draw(t, "used") {
			q.LastUse = func(ref string) time.Time {
				if n, _ := strconv.Atoi(ref); n%3 > 0 {
					return now.AddDate(0, 0, -10*(n%3))
				}
				return time.Time{}
			}
		}
		corpora := split(t, docs)
		if q.LastUse != nil && rapid.Bool().Draw(t, "of which it is known") {
			q.Used = func(corpus int, doc int32) bool {
				d, err := corpora[corpus].Document(doc)
				return err == nil && !q.LastUse(d.Ref).IsZero()
			}
		}
		got, err := Search(ctx, corpora, q)
		if err != nil {
			t.Fatal(err)
		}
		want := brute(docs, q, scope)
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Fatalf("query %q (-brute +search):\n%s", q.Text, diff)
		}
		again, _ := Search(ctx, corpora, q)
		if diff := gocmp.Diff(got, again); diff != "" {
			t.Fatalf("the second time:\n%s", diff)
		}
		for _, h := range got {
			sum := 0.0
			for _, p := range h.Parts {
				sum += p.Score
			}
			if sum != h.Score {
				t.Fatalf("%v sum to %g, the score is %g", h.Parts, sum, h.Score)
			}
		}
	})
}

func refs(t *testing.T, docs []index.Document, q Question) string {
	t.Helper()
	hits, err := Search(t.Context(), []*index.Corpus{index.NewScan(slices.Values(docs))}, q)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, h := range hits {
		list = append(list, h.Ref)
	}
	return strings.Join(list, " ")
}

// TestSearch: what is found, in which order, and what is not.
func TestSearch(t *testing.T) {
	t.Parallel()
	at := func(day int) time.Time { return time.Date(2026, 5, day, 0, 0, 0, 0, time.UTC) }
	docs := []index.Document{
		{Ref: "host", Content: "the staging host is kettle.example.org", Time: at(1)},
		{Ref: "runs", Content: "the nightly job runs on Sundays", Time: at(2)},
		{Ref: "running", Content: "running shoes are in the hall", Time: at(3)},
		{Ref: "func", Content: "parseHTTPHeader in internal/net_util.go panics on an empty line", Time: at(4)},
		{Ref: "tag", Content: "we meet at noon", Tags: []string{"standup"}, Time: at(5)},
		{Ref: "said", Content: "I sold the boat", Speaker: "Ada", Time: at(6)},
		{Ref: "tea", Content: "紅茶は朝に飲む", Time: at(7)},
		{Ref: "cafe", Content: "Das Café schließt um 6", Time: at(8)},
		{Ref: "lang", Content: "the parser is written in C++", Time: at(9)},
		{Ref: "old", Content: "same words here", Time: at(1)},
		{Ref: "new", Content: "same words here", Time: at(2)},
		{Ref: "korean", Content: "커피를 마신다", Time: at(1)},
		{Ref: "thai", Content: "ไปตลาดเช้า", Time: at(1)},
	}
	for _, c := range []struct{ query, want string }{
		{"staging host", "host"},
		{"what is the STAGING host?", "host"},
		{"kettle.example.org", "host"},
		{"kettle", "host"},
		{"run", "running runs"}, // alike: the newer first,
		{"running", "running runs"},
		{"parse http header", "func"},
		{"parsehttpheader", "func"},
		{"net_util.go", "func"},
		{"util", "func"},
		{"internal/net_util.go", "func"},
		{"standups", "tag"},
		{"what did Ada sell", "said"},
		{"boats", "said"},
		{"紅茶", "tea"},
		{"茶", "tea"},
		{"飲む", "tea"},
		{"cafe", "cafe"},
		{"SCHLIESST", "cafe"},
		{"C++", "lang"},
		{"same words", "new old"},
		{"커피", "korean"},
		{"ตลาด", "thai"},
		// Nothing relevant is no hit.
		{"zeppelin", ""},
		{"what is the", "lang host said running runs"}, // nothing else was asked
		{"is the zeppelin what we meet", "tag"},
		{"what do you know about zeppelins?", ""},
		{"", ""},
		{" ?! ", ""},
		{"紅白", ""},
	} {
		if got := refs(t, docs, Question{Text: c.query}); got != c.want {
			t.Errorf("%q: found %q, want %q", c.query, got, c.want)
		}
	}
	if got := refs(t, docs, Question{Text: "same words", K: 1}); got != "new" {
		t.Errorf("K 1: %q", got)
	}
	if got := refs(t, docs, Question{Text: "same words", Keep: func(_ *index.Corpus, r *index.Row) bool { return r.Time == at(1).Unix() }}); got != "old" {
		t.Errorf("Keep: %q", got)
	}
	if got := refs(t, nil, Question{Text: "kettle"}); got != "" {
		t.Errorf("nothing to search: %q", got)
	}
}

// TestFloor: one common word of many is too little.
func TestFloor(t *testing.T) {
	t.Parallel()
	docs := []index.Document{{Ref: "a", Content: "work"}, {Ref: "b", Content: "work"}, {Ref: "c", Content: "work"}, {Ref: "d", Content: "zinc copper brass tin lead iron gold silver"}}
	if got := refs(t, docs, Question{Text: "do zinc, copper, brass, tin, lead, iron, gold or silver work"}); got != "d" {
		t.Errorf("found %q", got)
	}
	if got := refs(t, docs, Question{Text: "work"}); got != "a b c" {
		t.Errorf("asked for alone: %q", got)
	}
}

// TestSearchEnds: a cancelled search says so.
func TestSearchEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	corpora := []*index.Corpus{index.NewScan(slices.Values([]index.Document{{Content: "kettle"}}))}
	for _, text := range []string{"kettle", ""} {
		if _, err := Search(ctx, corpora, Question{Text: text}); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}

// TestS82Ranking (R247): of items that say the same, what they are decides; and an
// exact word before a related one.
func TestS82Ranking(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 10, 12, 0, 0, 0, time.UTC)
	doc := func(ref string, change func(d *index.Document)) index.Document {
		d := index.Document{
			Ref: ref, In: index.Memory, Kind: "fact", Scope: "user", Content: "the kettle runs at noon", Importance: 5,
			Phase: memory.PhaseFluid, Time: now.AddDate(0, 0, -40),
		}
		if change != nil {
			change(&d)
		}
		return d
	}
	use := func(ref string) time.Time {
		return map[string]time.Time{"used": now.AddDate(0, 0, -1), "used long ago": now.AddDate(-1, 0, 0)}[ref]
	}
	for _, c := range []struct {
		name, query, want string
		docs              []index.Document
		part              PartName // that the first has, or the last if it counts against it
	}{
		{"kind", "kettle", "rule fact", []index.Document{doc("fact", nil), doc("rule", func(d *index.Document) { d.Kind = "rule" })}, partKind},
		{"goal", "kettle", "goal fact", []index.Document{doc("fact", nil), doc("goal", func(d *index.Document) { d.Kind = "goal" })}, partKind},
		{"retro", "kettle", "retro fact", []index.Document{doc("fact", nil), doc("retro", func(d *index.Document) { d.Kind = "retro" })}, partKind},
		{"staleness", "kettle", "new old", []index.Document{doc("old", func(d *index.Document) { d.Time = now.AddDate(-2, 0, 0) }), doc("new", nil)}, partRecency},
		{"last used", "kettle", "used used long ago never", []index.Document{doc("never", nil), doc("used long ago", nil), doc("used", nil)}, partUse},
		{"exact", "running", "exact related", []index.Document{doc("related", nil), doc("exact", func(d *index.Document) { d.Content = "the kettle running at noon" })}, PartWords},
		{"whole name", "fetchUser.go", "whole part", []index.Document{doc("part", func(d *index.Document) { d.Content = "fetchUser is slow" }), doc("whole", func(d *index.Document) { d.Content = "fetchUser.go is slow" })}, PartWords},
		{"scope", "kettle", "here user", []index.Document{doc("user", nil), doc("here", func(d *index.Document) { d.Scope = "repo:example.org/x" })}, PartScope},
		{"pinned", "kettle", "pinned not", []index.Document{doc("not", nil), doc("pinned", func(d *index.Document) { d.Pinned = true })}, partPinned},
		{"phase", "kettle", "rigid stabilized fluid", []index.Document{
			doc("fluid", nil), doc("stabilized", func(d *index.Document) { d.Phase = memory.PhaseStabilized }),
			doc("rigid", func(d *index.Document) { d.Phase = memory.PhaseRigid }),
		}, partPhase},
		{"importance", "kettle", "9 5 2", []index.Document{
			doc("2", func(d *index.Document) { d.Importance = 2 }), doc("5", nil), doc("9", func(d *index.Document) { d.Importance = 9 }),
		}, partImportance},
		{"archive", "kettle", "hot archived", []index.Document{doc("archived", func(d *index.Document) { d.Archived = true }), doc("hot", nil)}, PartArchive},
		{"tag", "kettle", "tagged not", []index.Document{doc("not", nil), doc("tagged", func(d *index.Document) { d.Tags = []string{"kettle"} })}, PartTags},
		{"words before boosts", "when does the red kettle run", "red rule", []index.Document{
			doc("rule", func(d *index.Document) { d.Kind, d.Pinned, d.Phase = "rule", true, memory.PhaseRigid }),
			doc("red", func(d *index.Document) { d.Content = "the red kettle runs" }),
		}, partCoverage},
		{"no hit", "zeppelin", "", []index.Document{doc("a", nil), doc("b", func(d *index.Document) { d.Kind, d.Pinned = "rule", true })}, ""},
	} {
		q := Question{Text: c.query, At: now, LastUse: use, Holds: func(scope string) bool { return scope == "repo:example.org/x" }}
		hits, err := Search(t.Context(), []*index.Corpus{index.NewScan(slices.Values(c.docs))}, q)
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for _, h := range hits {
			list = append(list, h.Ref)
		}
		if got := strings.Join(list, " "); got != c.want {
			t.Errorf("%s: %q gives %q, want %q", c.name, c.query, got, c.want)
			continue
		}
		if len(hits) == 0 {
			continue
		}
		h := hits[0]
		if c.part == PartArchive {
			h = hits[len(hits)-1]
		}
		if !slices.ContainsFunc(h.Parts, func(p Part) bool { return p.Name == c.part }) {
			t.Errorf("%s: no part %s in %v", c.name, c.part, h.Parts)
		}
		if c.part == PartArchive && math.Abs(h.Score-0.3*hits[0].Score) > 1e-9 {
			t.Errorf("an archived item has %g, an equal one %g: want x 0.3", h.Score, hits[0].Score)
		}
		for _, k := range []int{1, 2} { // the best k are the first of all
			q.K = k
			some, err := Search(t.Context(), []*index.Corpus{index.NewScan(slices.Values(c.docs))}, q)
			if err != nil || gocmp.Diff(hits[:min(k, len(hits))], some) != "" {
				t.Errorf("%s: the best %d are others: %v", c.name, k, err)
			}
		}
	}
}

// TestS82Same (L6): the same question has the same answer, 20 times over, with
// others asked in between by several at once.
func TestS82Same(t *testing.T) {
	t.Parallel()
	corpora := []*index.Corpus{index.NewScan(conversations(2000, newZipf(7)))}
	z := newZipf(3)
	for range 8 {
		text := z.text(6)
		t.Run("", func(t *testing.T) {
			t.Parallel()
			var first []Hit
			for i := range 20 {
				hits, err := Search(t.Context(), corpora, Question{Text: text, K: 20})
				if err != nil {
					t.Fatal(err)
				}
				if i == 0 {
					first = hits
				}
				if diff := gocmp.Diff(first, hits); diff != "" {
					t.Fatalf("%s: the %dth time: %s", text, i+1, diff)
				}
			}
		})
	}
}

// TestConversation: what stands around the words of a question is found, and what
// was meant comes first.
func TestConversation(t *testing.T) {
	t.Parallel()
	said := func(ref, speaker, session, day, text string) index.Document {
		at, err := time.Parse(time.DateOnly, day)
		if err != nil {
			t.Fatal(err)
		}
		return index.Document{Ref: ref, In: index.Sessions, Kind: "user", Speaker: speaker, Session: session, Scope: "user", Time: at, Content: text}
	}
	docs := []index.Document{
		said("a1", "Ada", "a", "2026-03-02", "Hello Bob, how was the harbour?"),
		said("a2", "Bob", "a", "2026-03-02", "Loud! I sold my sailing boat there last Friday."),
		said("a3", "Ada", "a", "2026-03-02", "Really? Who bought the boat?"),
		said("a4", "Bob", "a", "2026-03-02", "A dentist from Bergen, in cash."),
		said("a5", "Ada", "a", "2026-03-02", "Congratulations!"),
		said("b1", "Bob", "b", "2026-04-20", "What are you doing these days, Ada?"),
		said("b2", "Ada", "b", "2026-04-20", "I started to learn the cello two months ago."),
		said("b3", "Bob", "b", "2026-04-20", "The cello, how lovely."),
		said("b4", "Ada", "b", "2026-04-20", "My teacher lives near Oslo, an hour from here."),
	}
	c := []*index.Corpus{index.NewScan(slices.Values(docs))}
	for _, q := range []struct{ text, first string }{
		{"Who bought Bob's boat?", "a4 a2"}, // which has none of the words, and a name
		{"When did Bob sell the boat?", "a2"},
		{"When did Ada start the cello?", "b2"},
		{"Where does Ada's cello teacher live?", "b4"},
		{"What did Ada learn in February 2026?", "b2"},
		{"zeppelin", ""},
		{"Which zeppelin flies over Madagascar?", ""},
	} {
		hits, err := Search(t.Context(), c, Question{Text: q.text})
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for _, h := range hits[:min(len(hits), len(strings.Fields(q.first)))] {
			list = append(list, h.Ref)
		}
		if got := strings.Join(list, " "); got != q.first || q.first == "" && len(hits) > 0 {
			t.Errorf("%s: %q, want %q", q.text, got, q.first)
			for _, h := range hits {
				t.Log(h.Ref, h.Score, h.Parts)
			}
		}
	}
	hits, err := Search(t.Context(), c, Question{Text: "boat"})
	if err != nil || len(hits) != 2 {
		t.Errorf("one word: %d hits, %v; want those that have it", len(hits), err)
	}
}
