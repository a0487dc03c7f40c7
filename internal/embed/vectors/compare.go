package vectors

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
)

// A Near is a row that is like what was asked for.
type Near struct {
	Ref  string
	Key  Key
	Like float64 // the cosine, -1 to 1
}

// A Comparison is what all rows of a file are like, compared with a vector.
type Comparison struct {
	Rows int // that were compared
	Bad  int // that are damaged
	// Median of how like the rows are, and Spread, the median distance from
	// it.
	Median, Spread float64
	Best           []Near          // best first; of equal ones by reference
	Of             map[Key]float64 // of those texts that were asked for and are there
}

// Compare compares all rows with a vector of length 1, and gives the best most of
// them, and what those of the texts in wanted are like. A vector of another length
// than the file's is an error.
func (f *File) Compare(ctx context.Context, vector []float32, most int, wanted ...Key) (Comparison, error) {
	c := Comparison{Of: make(map[Key]float64, len(wanted))}
	if len(vector) != f.length {
		return c, fmt.Errorf("the model makes vectors of %d numbers now, and those that are kept have %d", len(vector), f.length)
	}
	asked := make(map[Key]bool, len(wanted))
	for _, k := range wanted {
		asked[k] = true
	}
	var likes []float64
	least := math.Inf(-1) // of Best, when there are as many as are wanted
	bad, err := rows(ctx, f.f, f.length, func(r *row) {
		var sum float32
		for i, x := range vector {
			sum += x * float32(int8(r.steps[i]))
		}
		like := float64(sum * r.scale)
		likes = append(likes, like)
		if asked[r.key] {
			c.Of[r.key] = like
		}
		if like > least {
			c.Best = append(c.Best, Near{string(r.ref), r.key, like})
			if len(c.Best) >= 2*most {
				c.cut(most)
				least = c.Best[len(c.Best)-1].Like
			}
		}
	})
	if err != nil {
		return c, err
	}
	c.cut(most)
	c.Rows, c.Bad = len(likes), bad
	c.Median = median(likes)
	for i := range likes {
		likes[i] = math.Abs(likes[i] - c.Median)
	}
	c.Spread = median(likes)
	return c, nil
}

// cut keeps the best most.
func (c *Comparison) cut(most int) {
	slices.SortFunc(c.Best, func(a, b Near) int {
		return cmp.Or(cmp.Compare(b.Like, a.Like), cmp.Compare(a.Ref, b.Ref))
	})
	c.Best = slices.CompactFunc(c.Best, func(a, b Near) bool { return a.Ref == b.Ref && a.Key == b.Key })
	c.Best = c.Best[:min(len(c.Best), most)]
}

// median sorts the list. That of none is 0.
func median(list []float64) float64 {
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return (list[(len(list)-1)/2] + list[len(list)/2]) / 2
}
