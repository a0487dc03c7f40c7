package term

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"ken/internal/jsonl"
	"ken/internal/termsafe"
	"ken/internal/view"
)

// AnswerLines is the loop of every --jsonl: it reads requests of type Q from standard
// input, one JSON object a line, and writes what answer makes of each before it reads
// the next. Blank lines are passed over. A line of more than limit bytes, or one that
// is no Q, is given to answer with the reason in bad, and as much of it as could be
// read; the reason does not quote the line, which may hold a secret.
//
// The reply is written as JSON on one line, in one write, and bytes as they are; nil is
// no line. Whatever is bad, or that answer says is not done, is counted and reported at the
// end as so many of the noun not answered; an error of answer ends the loop.
func AnswerLines[Q any](a *Run, noun string, limit int, answer func(line int, q Q, bad error) (reply any, done bool, err error)) error {
	missed := 0
	for line, err := range jsonl.Lines(a.Env.Stdin, limit) {
		if err != nil {
			return fmt.Errorf("read standard input: %w", err)
		}
		if line.Bytes != nil && len(bytes.TrimSpace(line.Bytes)) == 0 {
			continue
		}
		var q Q
		bad := readLine(line.Bytes, limit, &q)
		reply, done, err := answer(line.Number, q, bad)
		if err != nil {
			return err
		}
		if bad != nil || !done {
			missed++
		}
		if err := PrintLine(a, reply); err != nil {
			return err
		}
	}
	if missed > 0 {
		return fmt.Errorf("%s not answered", view.Count(missed, noun))
	}
	return nil
}

// readLine reads one line into q; nil is one that is longer than limit.
func readLine(line []byte, limit int, q any) error {
	if line == nil {
		return fmt.Errorf("longer than %d bytes", limit)
	}
	err := json.Unmarshal(line, q)
	var wrong *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &wrong):
		return errors.New("no JSON")
	case wrong.Field == "":
		return errors.New("no JSON object")
	case wrong.Type.Kind() == reflect.String:
		return fmt.Errorf("%s is no string", wrong.Field)
	}
	return fmt.Errorf("%s is not what it should be", wrong.Field)
}

// PrintLine writes a reply on one line, as AnswerLines does, in a form that no terminal
// acts on.
func PrintLine(a *Run, reply any) error {
	var b bytes.Buffer
	switch reply := reply.(type) {
	case nil:
		return nil
	case []byte:
		b.Write(reply)
		b.WriteByte('\n')
	default:
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false) // a text stays readable, and is no part of a page
		if err := enc.Encode(reply); err != nil {
			return fmt.Errorf("print answer: %w", err)
		}
	}
	_, err := a.Env.Stdout.Write(termsafe.JSONSafe(b.Bytes()))
	return err
}
