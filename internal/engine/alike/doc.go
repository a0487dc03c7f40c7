// Package alike tells whether two texts say the same, or nearly so, and keeps what
// tells most pairs apart in eight bytes a text.
//
// # Laws
//
//   - A Filter lets through every text that is near the one it was made for; it may let
//     others through.
//   - Whether two texts are near does not depend on which of them comes first.
package alike
