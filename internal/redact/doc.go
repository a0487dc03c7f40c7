// Package redact finds secrets in text and puts placeholders in their place, so
// that what ken writes or sends holds none: tokens by the form that their issuers
// gave them, and what people type by what stands around it.
//
// # Finding
//
// A text is looked at as it stands, and as a reader sees it (chars.View): what shows
// nothing, or shows as other letters, hides no secret. The bytes that show it go whole.
//
// A table of rules (rules) holds all that is known. Each rule has anchors, short
// texts without which it cannot find anything; one pass over the text looks for
// all anchors at once, and only where one stands is a rule asked. So ordinary
// text costs a table look-up per byte. The index of anchors is searched as the program
// embeds it; nothing is made when the program starts.
//
// A find has a kind and a place. Where finds overlap they become one hit: it
// covers all of them, and has the kind of the one that knows most.
//
// # Placeholders
//
// A hit becomes [masked:KIND:XXXX]: its kind and the first four hexadecimal
// digits of the HMAC-SHA256 of the secret, under a key that never leaves the
// person's device. Equal secrets have equal placeholders, which is enough to see
// that a text was said twice, and too little to test a guess.
//
// # Laws
//
//   - No byte of a hit is in the result, and every byte outside the hits is,
//     in its place, whether the text is UTF-8 or not.
//   - Masking is idempotent: masked text has no hits, and a placeholder is never
//     taken apart.
//   - A Stream gives what Mask gives for the text as a whole, however it is cut
//     into chunks, but for what is said under Caveats.
//
// # Caveats
//
// Finding is a judgement. It leans towards masking where a name says that a
// secret follows, and towards leaving text alone where nothing does: hashes,
// UUIDs, variables, placeholders and sentences about passwords stay. A password
// of plain letters in a sentence is found in quotes, where the sentence says whose
// it is and ends with it, and if it is one of the most common. A wallet's words are
// found where the text calls them so, or where 12, 18 or 24 of them are a line.
//
// Mask also masks a secret where it stands again without its context; a Stream
// cannot do so for text that it has let go before. A Stream keeps 512 bytes of
// context and holds at most 32 KiB back: what a rule would need beyond that it
// does not see. It holds a word that looks like a password back until the sentence
// can no longer say that it was one. The head of a table with a column of secrets is
// kept as long as its rows go on.
package redact
