// Package zipf measures searching, over the documents of indextest.
package zipf

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ken/bench/fts"
	"ken/internal/index"
	"ken/internal/index/indextest"
	"ken/internal/memory"
)

// Questions are made of the words of some documents, as people ask: four of them,
// with some that carry no meaning; at most 64.
func Questions(docs []index.Document) (list []string) {
	for i := 0; i < len(docs); i += len(docs)/64 + 1 {
		terms := index.Terms(docs[i].Content)
		q := "what did we say about"
		for k := 0; k < 4 && k*3 < len(terms); k++ {
			q += " " + terms[k*3].Text
		}
		list = append(list, q)
	}
	return list
}

// The files of Write.
const (
	Memory   = "memory.jsonl" // the texts, as ken keeps them
	Texts    = "texts.sql"    // the same for sqlite3, in an FTS5 table
	Asked    = "asked.jsonl"  // questions for ken recall --jsonl, the ten best of each
	AskedSQL = "asked.sql"    // the same for sqlite3: any of the words, best first
)

// Write writes the texts of n documents, as memories that hold everywhere, into dir,
// and questions about them for ken and for sqlite3. It returns the questions.
func Write(dir string, n int) ([]string, error) {
	docs := indextest.Documents(n, 1)
	if err := WriteTexts(dir, docs); err != nil {
		return nil, err
	}
	asked := Questions(docs)
	var jsonl, selects strings.Builder
	for i, q := range asked {
		text, err := json.Marshal(map[string]any{"id": i, "query": q, "k": 10})
		if err != nil {
			return nil, err
		}
		jsonl.Write(append(text, '\n'))
		selects.WriteString(Select(q) + "\n")
	}
	for name, text := range map[string]string{Asked: jsonl.String(), AskedSQL: selects.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	return asked, nil
}

// WriteTexts writes texts into dir: as memories, and for sqlite3.
func WriteTexts(dir string, docs []index.Document) error {
	return errors.Join(WriteMemory(dir, docs), written(filepath.Join(dir, Texts), func(w *bufio.Writer) error {
		fmt.Fprint(w, "CREATE VIRTUAL TABLE texts USING fts5(text, tokenize='unicode61');\nBEGIN;\n")
		for i := range docs {
			fmt.Fprintf(w, "INSERT INTO texts VALUES('%s');\n", strings.TrimSpace(docs[i].Content)) // no quotation marks are made
		}
		_, err := fmt.Fprint(w, "COMMIT;\n")
		return err
	}))
}

// WriteMemory writes texts into dir as memories.
func WriteMemory(dir string, docs []index.Document) error {
	return written(filepath.Join(dir, Memory), func(w *bufio.Writer) error {
		var line []byte // without a meta line, so that it is of no other device
		for i := range docs {
			r := memory.Record{ID: memory.Num(int64(i) + 1), Time: docs[i].Time.UTC().Truncate(time.Second), Kind: memory.KindFact}
			r.Content = strings.TrimSpace(docs[i].Content)
			line = append(r.AppendJSON(line[:0]), '\n')
			if _, err := w.Write(line); err != nil {
				return err
			}
		}
		return nil
	})
}

// inConversation is how many turns a conversation of WriteTurns has.
const inConversation = 50

// WriteTurns writes texts as turns of conversations, for ken import --format turns.
func WriteTurns(path string, docs []index.Document) error {
	return written(path, func(w *bufio.Writer) error {
		for i := range docs {
			text, err := json.Marshal(map[string]string{
				"session": fmt.Sprintf("talk-%05d", i/inConversation), "turn": fmt.Sprint(i%inConversation + 1), "scope": "talks",
				"speaker": [...]string{"Ann", "Bob"}[i%2], "ts": docs[i].Time.UTC().Format(time.RFC3339), "text": strings.TrimSpace(docs[i].Content),
			})
			if err != nil {
				return err
			}
			if _, err := w.Write(append(text, '\n')); err != nil {
				return err
			}
		}
		return nil
	})
}

// written writes a file.
func written(path string, write func(*bufio.Writer) error) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	return errors.Join(write(w), w.Flush(), f.Close())
}

// Select is a question as sqlite3 is asked.
func Select(q string) string {
	return `SELECT rowid, bm25(texts), text FROM texts WHERE texts MATCH '` + fts.Any(fts.Words(q)) + `' ORDER BY bm25(texts) LIMIT 10;`
}

// Bytes is how many there are in the files below a path; 0 if there are none.
func Bytes(path string) (sum float64) {
	_ = filepath.Walk(path, func(_ string, f os.FileInfo, err error) error {
		if err == nil && f.Mode().IsRegular() {
			sum += float64(f.Size())
		}
		return nil // what is not there has no bytes
	})
	return sum
}
