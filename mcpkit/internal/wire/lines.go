package wire

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// readBuffer is the size of the read buffer. A line that fits is copied once;
// a longer one is gathered in memory of its own.
const readBuffer = 64 << 10

// lineReader reads lines up to a bound. A longer line is consumed to its end
// and reported, and reading goes on behind it.
type lineReader struct {
	r     *bufio.Reader
	max   int
	begun bool // the byte order mark is looked for once
}

func newLineReader(r io.Reader, max int) *lineReader {
	return &lineReader{r: bufio.NewReaderSize(r, readBuffer), max: max}
}

// next returns the next line without its line feed; the caller owns it. When
// the line is longer than the bound, line is nil and length is what it had. A
// last line without a line feed counts as a line. After the last one next
// returns the error of the reader, io.EOF at a regular end.
func (l *lineReader) next() (line []byte, length int, err error) {
	if !l.begun {
		l.begun = true
		if head, _ := l.r.Peek(3); bytes.Equal(head, []byte("\xef\xbb\xbf")) {
			_, _ = l.r.Discard(3) // they are there, so it cannot fail
		}
	}
	for {
		part, err := l.r.ReadSlice('\n')
		ended := len(part) > 0 && part[len(part)-1] == '\n'
		if ended {
			part = part[:len(part)-1]
		}
		length += len(part)
		if length > l.max {
			line = nil // nothing is kept of a line that will be refused
		} else {
			line = append(line, part...)
		}
		switch {
		case ended, errors.Is(err, io.EOF) && length > 0:
			if length > l.max {
				return nil, length, nil
			}
			if line == nil {
				line = []byte{}
			}
			return line, length, nil
		case errors.Is(err, bufio.ErrBufferFull):
		case err != nil:
			return nil, 0, err
		}
	}
}
