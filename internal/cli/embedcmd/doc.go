// Package embedcmd is `ken memory embed`.
package embedcmd
