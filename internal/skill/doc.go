// Package skill reads skills: instructions for one kind of task, each in a file of its
// own, which a person, a project or another assistant keeps in a directory.
//
// A skill is a directory NAME with a file SKILL.md in it, or a file NAME.md. The file is
// Markdown, with front matter in the open skill format (name, description, license,
// allowed-tools, metadata) and the keys that ken adds to it: trigger, keywords, tags,
// related. Keys that it does not know are kept as they were written.
//
// # Laws
//
//   - A body is read when somebody wants it, and not before. Of a file that nothing is
//     known of its first MaxHead bytes are read.
//   - Nothing outside a directory of skills is read through it, and nothing is waited
//     for: links that lead out, pipes, devices and files above MaxFile are skipped.
//   - What is skipped has its reason.
//   - Of two skills with one name the later directory has the one that counts.
//   - A skill of a project counts with the very bytes that the person let in.
//   - A draft is no skill, whatever it says, until a person makes it one, and then it
//     takes the place of no other.
//   - Format and Parse are each other's inverse, for a skill without Problems.
//
// # Caveats
//
// Front matter is read as the flat part of YAML that skills are written in: texts, plain,
// quoted, folded and literal, and lists of them. A colon in a plain text is text, as many
// skills have it, though YAML refuses it. Anchors, tags and nested lists are not read; a
// key that ken does not know may have anything.
//
// A skill grants nothing: allowed-tools is read and shown, and allows nothing.
package skill
