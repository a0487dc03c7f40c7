// Package scripttest runs the scripts in ../testdata/script: ken from outside.
package scripttest
