package patterns

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"ken/internal/memory"
)

// Bounds of a grouping.
const (
	// MostItems is how many memories of one scope are grouped: the newest.
	MostItems = 400
	// Least is how many memories a group has, and a pattern cites, at least.
	Least = 3
	// LeastSources is from how many sources they come at least.
	LeastSources = 2
	// MostMembers is how many memories a group has at most: the newest. It bounds what
	// a model is shown.
	MostMembers = 24
	// alike is the mean likeness of the members of two groups that are merged, from 0 to 1.
	alike = 0.2
	// most is how many words are named that a group has in common.
	mostCommon = 8
)

// A Cluster is a group of memories that speak of one matter.
type Cluster struct {
	Scope memory.Scope // "" is user
	Items []memory.Item
	// Common are the words that more than half of the items have, as the first of them
	// writes them: what tells the group apart first.
	Common []string
	// Depth is that of a pattern that cites the group: 1 above what was only stated, one
	// more above patterns.
	Depth int
}

// Refs are the references of the items, the oldest first.
func (c *Cluster) Refs() []string {
	refs := make([]string, len(c.Items))
	for i, it := range c.Items {
		refs[i] = it.Ref()
	}
	return refs
}

// member is an item as it is grouped.
type member struct {
	memory.Item
	words  []word
	weight map[string]float64 // by stem, of length 1
}

// Clusters groups memories, each scope apart, and returns the groups with at least Least
// members from LeastSources sources: the larger ones first, then those with the newest
// member. items may be in any order.
func Clusters(items []memory.Item) []Cluster {
	scopes := make(map[memory.Scope][]memory.Item)
	for _, it := range items {
		s := folded(it.Record.Scope)
		scopes[s] = append(scopes[s], it)
	}
	var out []Cluster
	for _, list := range scopes {
		slices.SortFunc(list, older)
		if len(list) > MostItems {
			list = list[len(list)-MostItems:]
		}
		out = append(out, group(list)...)
	}
	slices.SortFunc(out, func(x, y Cluster) int {
		return cmp.Or(cmp.Compare(len(y.Items), len(x.Items)), older(y.Items[len(y.Items)-1], x.Items[len(x.Items)-1]))
	})
	return out
}

// folded is a scope by which memories are told apart: an identity has no case.
func folded(s memory.Scope) memory.Scope {
	if s == memory.ScopeUser {
		return ""
	}
	if strings.HasPrefix(string(s), "repo:") {
		return memory.Scope(strings.ToLower(string(s)))
	}
	return s
}

// older orders items by when they were stated: by their order, then by name.
func older(x, y memory.Item) int {
	return cmp.Or(cmp.Compare(x.Order, y.Order), strings.Compare(x.ID.String(), y.ID.String()))
}

// group groups the items of one scope.
func group(items []memory.Item) []Cluster {
	list := weigh(items)
	groups := make([][]int, len(list))
	for i := range list {
		groups[i] = []int{i}
	}
	likeness := make([][]float64, len(list)) // sums over the pairs of two groups
	for i := range list {
		likeness[i] = make([]float64, len(list))
		for j := range i {
			likeness[i][j] = dot(list[i].weight, list[j].weight)
			likeness[j][i] = likeness[i][j]
		}
	}
	for {
		x, y, best := -1, -1, alike
		for i := range groups {
			for j := range i {
				if len(groups[i]) == 0 || len(groups[j]) == 0 {
					continue
				}
				if mean := likeness[i][j] / float64(len(groups[i])*len(groups[j])); mean > best {
					x, y, best = j, i, mean
				}
			}
		}
		if x < 0 {
			break
		}
		groups[x], groups[y] = append(groups[x], groups[y]...), nil
		for k := range groups {
			likeness[x][k] += likeness[y][k]
			likeness[k][x] = likeness[x][k]
		}
	}
	var out []Cluster
	for _, g := range groups {
		if len(g) < Least {
			continue
		}
		slices.Sort(g)
		if len(g) > MostMembers {
			g = g[len(g)-MostMembers:]
		}
		members := make([]member, len(g))
		for i, at := range g {
			members[i] = list[at]
		}
		if c := clusterOf(members); Sources(c.Items) >= LeastSources && len(c.Common) > 0 {
			out = append(out, c)
		}
	}
	return out
}

// weigh reads the items, and weighs their words: the fewer have one, the more it counts.
func weigh(items []memory.Item) []member {
	list := make([]member, len(items))
	have := make(map[string]int)
	for i, it := range items {
		list[i] = member{Item: it, words: read(it.Record.Content)}
		for stem := range topics(list[i].words) {
			have[stem]++
		}
	}
	for i := range list {
		m := &list[i]
		m.weight = make(map[string]float64)
		names := sorted(topics(m.words))
		sum := 0.0
		for _, stem := range names {
			w := math.Log(1 + float64(len(list))/float64(have[stem]))
			m.weight[stem] = w
			sum += w * w
		}
		for _, stem := range names {
			m.weight[stem] /= math.Sqrt(sum)
		}
	}
	return list
}

// topics are the stems of the words that say what a text is about.
func topics(list []word) map[string]bool {
	t := table()
	set := make(map[string]bool)
	for i := range list {
		if w := &list[i]; !w.free && !t.side[w.form] && !t.way[w.form] && !t.only[w.form] && !t.strict[w.form] {
			set[w.stem] = true
		}
	}
	return set
}

// dot is the cosine of two texts. It is summed up in one order, so that it is one number.
func dot(x, y map[string]float64) float64 {
	if len(y) < len(x) {
		x, y = y, x
	}
	sum := 0.0
	for _, stem := range sorted(x) {
		sum += x[stem] * y[stem]
	}
	return sum
}

func sorted[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// clusterOf is a cluster of members, oldest first.
func clusterOf(members []member) Cluster {
	c := Cluster{Scope: members[0].Record.Scope, Depth: 1}
	have := make(map[string]int)
	total := make(map[string]float64)
	for _, m := range members {
		c.Items = append(c.Items, m.Item)
		for stem := range topics(m.words) {
			have[stem]++
			total[stem] += m.weight[stem]
		}
	}
	names := slices.DeleteFunc(sorted(have), func(stem string) bool { return 2*have[stem] <= len(members) })
	slices.SortStableFunc(names, func(x, y string) int { return cmp.Compare(total[y], total[x]) })
	if len(names) > mostCommon {
		names = names[:mostCommon]
	}
	for _, stem := range names {
		c.Common = append(c.Common, written(members, stem))
	}
	return c
}

// written is a stem as the first member writes it.
func written(members []member, stem string) string {
	for _, m := range members {
		for i := range m.words {
			if m.words[i].stem == stem && !m.words[i].free {
				return m.words[i].form
			}
		}
	}
	return stem
}

// Sources counts where items come from: one for each conversation, and one for each line
// that was written outside of any.
func Sources(items []memory.Item) int {
	sessions := make(map[string]bool)
	n := 0
	for _, it := range items {
		if src := it.Record.Source; src != nil && src.Session != "" {
			sessions[src.Session] = true
			continue
		}
		n++
	}
	return n + len(sessions)
}
