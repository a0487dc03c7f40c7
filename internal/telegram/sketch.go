package telegram

import (
	"ken/internal/markdown"
	"ken/internal/termsafe"
)

// A sketch is the newest message of an answer that is being written. Each look lays out what came since the last one, and the block
// that is open: what stands before is laid out and will not change.
type sketch struct {
	size  int // of all that was added, in bytes
	clean termsafe.Cleaner
	open  string             // what may change, clean
	laid  render             // what will not, of messages that are not full
	above markdown.BlockKind // of its last block
	begun bool               // there was one
}

// add adds the next piece.
func (k *sketch) add(text string) {
	k.size += len(text)
	if k.size > mostLaidOut {
		*k = sketch{size: k.size} // nothing is shown of it any more
		return
	}
	k.open += valid(k.clean.Write(text))
	if n := markdown.Settled(k.open); n > 0 {
		k.above, k.begun = k.lay(&k.laid, k.open[:n])
		k.open = k.open[n:]
	}
	for { // what a full message has will not be shown again
		n := cut(k.laid.atoms, maxUnits)
		if n == len(k.laid.atoms) {
			return
		}
		k.laid.atoms = append([]atom(nil), k.laid.atoms[n:]...)
	}
}

// lay lays text out behind what is laid out, and is which block is the last one then, if there is any.
func (k *sketch) lay(r *render, text string) (last markdown.BlockKind, begun bool) {
	blocks := markdown.Read(text)
	if len(blocks) == 0 {
		return k.above, k.begun
	}
	if k.begun {
		r.between(k.above, blocks[0].Kind, "", nil)
	}
	r.blocks(blocks, "", nil)
	return blocks[len(blocks)-1].Kind, true
}

// last is the newest message so far; without text if there is none.
func (k *sketch) last() Part {
	all := render{atoms: append([]atom(nil), k.laid.atoms...)}
	k.lay(&all, k.open)
	parts := split(all.atoms, maxUnits)
	if len(parts) == 0 {
		return Part{}
	}
	return parts[len(parts)-1]
}
