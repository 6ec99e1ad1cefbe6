package pool

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"

	"github.com/quartet-mcp/quartet/pretensor/internal/graph/kuzu"
)

// Most bytes of a message, and of the rows in one.
const (
	maxMessage = 8 << 20
	maxRows    = 4 << 20
)

// request is a query for a child.
type request struct {
	ID      int
	Text    string
	MaxRows int
	MaxCell int
}

// answer is what a child says: once that it is ready, with the id 0, then to each
// request.
type answer struct {
	ID      int
	Columns []string
	Rows    [][]json.RawMessage
	Total   int
	Cut     bool
	Kind    kuzu.Kind // of an error of the engine; empty if there is none
	Message string
	Begun   bool // of the first answer: the child runs, and is about to open its graph
	Missing bool // of the next: there is no graph
}

// result is the answer as a caller gets it.
func (a answer) result() (*kuzu.Result, error) {
	if a.Kind != "" {
		return nil, &kuzu.Error{Kind: a.Kind, Message: a.Message}
	}
	r := &kuzu.Result{Columns: a.Columns, Rows: make([][]any, len(a.Rows)), Total: a.Total, Cut: a.Cut}
	for i, row := range a.Rows {
		r.Rows[i] = make([]any, len(row))
		for k, v := range row {
			r.Rows[i][k] = v
		}
	}
	return r, nil
}

// fit puts the rows of a result into an answer, as many as there is room for.
func (a *answer) fit(r *kuzu.Result) error {
	a.Columns, a.Total, a.Cut, a.Rows = r.Columns, r.Total, r.Cut, [][]json.RawMessage{}
	size := 0
	for i, row := range r.Rows {
		line := make([]json.RawMessage, len(row))
		for k, v := range row {
			b, err := encode(v)
			if err != nil {
				return err
			}
			line[k] = b
			size += len(b)
		}
		if size > maxRows {
			if i == 0 {
				return fmt.Errorf("one row has more than %d MiB; return less of it", maxRows>>20)
			}
			break
		}
		a.Rows = append(a.Rows, line)
	}
	return nil
}

// encode is JSON without the escapes that only HTML needs.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// send writes a message: its length in four bytes, then its JSON.
func send(w io.Writer, v any) error {
	b, err := encode(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(b))), b...))
	return err
}

// receive reads a message.
func receive(r io.Reader, v any) error {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return err
	}
	n := binary.BigEndian.Uint32(head[:])
	if n > maxMessage {
		return fmt.Errorf("a message of %d bytes, at most %d are allowed", n, maxMessage)
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(r, b); err != nil {
		return err
	}
	return json.Unmarshal(b, v)
}
