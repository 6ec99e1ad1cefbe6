package catalog

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
)

// maxArtifact bounds an artifact that is fetched; manifests of 200 MB exist.
const maxArtifact = 1 << 30

// errAbsent says that an artifact is not there, which only the manifest may not be.
var errAbsent = errors.New("there is none")

// source is where an artifact comes from: bytes, a file or an address.
type source struct {
	name string // of the artifact, such as manifest.json
	data []byte // of the demo
	path string
	url  string
}

func (s source) given() bool { return s.data != nil || s.path != "" || s.url != "" }

// stamp is what tells whether a source has changed; equal stamps mean that it has not.
type stamp struct {
	modified time.Time
	size     int64
	tag      string // of an address
}

// look gives the stamp of a file without reading it.
func (s source) look() (stamp, error) {
	if s.path == "" {
		return stamp{}, nil
	}
	i, err := os.Stat(s.path)
	if err != nil {
		return stamp{}, s.cause(err)
	}
	if !i.Mode().IsRegular() {
		return stamp{}, fmt.Errorf("%s is not a regular file", s.name)
	}
	return stamp{modified: i.ModTime(), size: i.Size()}, nil
}

// cause is an error without the path, which is the operator's affair.
func (s source) cause(err error) error {
	var p *os.PathError
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("%s: %w", s.name, errAbsent)
	case errors.As(err, &p):
		return fmt.Errorf("%s: %w", s.name, p.Err)
	}
	return fmt.Errorf("%s: %w", s.name, err)
}

// open gives the artifact to read, and its stamp.
func (s source) open(ctx context.Context, client *http.Client) (io.ReadCloser, stamp, error) {
	switch {
	case s.data != nil:
		return io.NopCloser(bytes.NewReader(s.data)), stamp{size: int64(len(s.data))}, nil
	case s.path != "":
		at, err := s.look()
		if err != nil {
			return nil, stamp{}, err
		}
		f, err := os.Open(s.path)
		if err != nil {
			return nil, stamp{}, s.cause(err)
		}
		return f, at, nil
	}
	r, err := s.ask(ctx, client, http.MethodGet, "")
	if err != nil {
		return nil, stamp{}, err
	}
	switch r.StatusCode {
	case http.StatusOK:
		return struct {
			io.Reader
			io.Closer
		}{io.LimitReader(r.Body, maxArtifact), r.Body}, stamp{tag: r.Header.Get("ETag")}, nil
	case http.StatusNotFound, http.StatusGone:
		err = errAbsent
	default:
		err = fmt.Errorf("its address answers %s", r.Status)
	}
	return nil, stamp{}, errors.Join(fmt.Errorf("%s: %w", s.name, err), r.Body.Close())
}

// unchanged says that an address has what was read before, as far as its server can tell.
func (s source) unchanged(ctx context.Context, client *http.Client, have stamp) bool {
	if have.tag == "" {
		return false
	}
	r, err := s.ask(ctx, client, http.MethodHead, have.tag)
	if err != nil {
		return false
	}
	_ = r.Body.Close() // a HEAD has none
	return r.StatusCode == http.StatusNotModified || r.StatusCode == http.StatusOK && r.Header.Get("ETag") == have.tag
}

func (s source) ask(ctx context.Context, client *http.Client, method, tag string) (*http.Response, error) {
	q, err := http.NewRequestWithContext(ctx, method, s.url, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: its address is not valid", s.name)
	}
	if tag != "" {
		q.Header.Set("If-None-Match", tag)
	}
	r, err := client.Do(q)
	if err != nil {
		return nil, fmt.Errorf("%s: its address does not answer", s.name) // the cause would tell the address
	}
	return r, nil
}
