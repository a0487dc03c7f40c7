package memory

import "ken/internal/memory/ref"

// MaxID is the largest id that a line may have: 2^53-1, the largest integer
// that every JSON reader keeps exactly.
const MaxID = ref.MaxID

// An ID names a line, and the item that the line states. The zero ID names
// nothing. IDs are comparable and may be map keys.
type ID = ref.ID

// A Sum is the CRC-32C of a line's bytes without line end, for traces: it tells
// whether the line is still the one that was seen. The zero Sum stands for none.
type Sum = ref.Sum

// A Seal keeps sums that are written from being tried against texts.
type Seal = ref.Seal

// NewSeal returns a Seal under the person's key.
func NewSeal(key []byte) *Seal { return ref.NewSeal(key) }

// SumOf returns the Sum of a line without its line end.
func SumOf(line []byte) Sum { return ref.SumOf(line) }

// Num returns the ID of line n of the log it stands in.
func Num(n int64) ID { return ref.Num(n) }

// HashID returns the ID of a line that was written without one.
func HashID(line []byte) ID { return ref.HashID(line) }

// ParseTyped reads what a person typed as references: in any of the ways in which ken
// prints them ("[2]", "#1"), several at once ("5,6"), and spans ("7-8").
func ParseTyped(words ...string) ([]ID, error) { return ref.ParseAll(words...) }

// TypedRefs parts what a person typed into references of any kind, without what stands
// around them: "[p5]" and "p5," are p5.
func TypedRefs(words ...string) []string { return ref.Typed(words...) }

// ParseID reads a reference as ID.String writes it. A leading "#", as people
// type it after seeing "remembered #4", is taken too.
func ParseID(s string) (ID, error) { return ref.Parse(s) }
