// Package clipboard puts a text on the person's clipboard: by a program of their system
// (pbcopy, wl-copy, xclip, xsel, clip.exe), or by asking their terminal (OSC 52), which also
// works over a network, but says nothing of whether it did it.
//
// Nothing but ken itself may do that: the sequence is taken out of what models, tools,
// commands and files say before it is shown. A text is copied because the person asked.
package clipboard
