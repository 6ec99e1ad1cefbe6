// Package embed turns the configuration into what makes vectors of texts, and
// tables into the texts that vectors are made of. The vectors themselves are made
// by datakit/wordvec.
package embed

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/quartet-mcp/quartet/datakit/search/analysis"
	"github.com/quartet-mcp/quartet/datakit/wordvec"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/config"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// Environment variables of the http provider.
const (
	ModelVariable = "PRETENSOR_EMBEDDINGS_MODEL"
	KeyVariable   = "PRETENSOR_EMBEDDINGS_KEY"
)

// Why there is no provider.
const (
	NotConfigured = "not_configured"
	Disabled      = "disabled"
)

const (
	// maxTokens is how many words of a text are embedded.
	maxTokens = 512
	// questionTimeout bounds the wait for the vector of a question: a caller is
	// better served by keywords now than by vectors after every retry.
	questionTimeout = 5 * time.Second
)

// Embedder makes vectors, or knows why it does not. It is safe for concurrent use;
// a nil Embedder is one that is not configured.
type Embedder struct {
	provider wordvec.Provider
	reason   string
}

// Open makes the provider of the configuration; disabled, from the environment,
// beats it. Nothing is sent and no key is needed before the first text. Close the
// result.
func Open(e config.Embeddings, disabled bool) (*Embedder, error) {
	if disabled {
		return &Embedder{reason: Disabled}, nil
	}
	switch e.Provider {
	case config.ProviderNone:
		return &Embedder{reason: NotConfigured}, nil
	case config.ProviderBuiltin:
		b, err := wordvec.NewBuiltin()
		if err != nil {
			return nil, fmt.Errorf("opening embeddings: %w", err)
		}
		return New(b), nil
	case config.ProviderHTTP:
		h, err := openHTTP(e.URL)
		if err != nil {
			return nil, fmt.Errorf("embeddings.provider http: %w", err)
		}
		return New(h), nil
	case config.ProviderONNX:
		return nil, errors.New("embeddings.provider onnx is not available yet; use builtin, which needs no files, or http with embeddings.url of a local server")
	}
	return nil, fmt.Errorf("embeddings.provider %q is unknown; it is one of none, builtin, onnx, http", e.Provider)
}

func openHTTP(url string) (*wordvec.HTTP, error) {
	if url == "" {
		return nil, errors.New("embeddings.url is not set; it is the address to which /embeddings is appended, such as https://host/v1")
	}
	c := wordvec.HTTPConfig{BaseURL: url, Model: strings.TrimSpace(os.Getenv(ModelVariable))}
	if c.Model == "" {
		return nil, fmt.Errorf("the environment variable %s is not set; it names the model that the endpoint is asked for", ModelVariable)
	}
	if os.Getenv(KeyVariable) != "" {
		c.KeyEnv = KeyVariable
	}
	return wordvec.NewHTTP(c)
}

// New makes an Embedder of a provider; Close closes it if it can be closed. Without
// a provider it is one that is not configured.
func New(p wordvec.Provider) *Embedder {
	if p == nil {
		return &Embedder{reason: NotConfigured}
	}
	return &Embedder{provider: p}
}

// Provider makes the vectors; nil if there is none.
func (e *Embedder) Provider() wordvec.Provider {
	if e == nil {
		return nil
	}
	return e.provider
}

// Reason says why there is no provider: [NotConfigured] or [Disabled]; empty if
// there is one.
func (e *Embedder) Reason() string {
	if e == nil {
		return NotConfigured
	}
	return e.reason
}

// Close releases the provider's connections.
func (e *Embedder) Close() error {
	if c, ok := e.Provider().(interface{ Close() error }); ok {
		return c.Close()
	}
	return nil
}

// Question returns the vector of a question, of which the first 512 words count. It
// waits a few seconds at most.
func (e *Embedder) Question(ctx context.Context, text string) ([]float32, error) {
	p := e.Provider()
	if p == nil {
		return nil, errors.New("there is no embeddings provider")
	}
	ctx, cancel := context.WithTimeout(ctx, questionTimeout)
	defer cancel()
	vectors, err := p.Embed(ctx, []string{cut(text)})
	if err != nil {
		return nil, fmt.Errorf("embedding the question: %w", err)
	}
	if len(vectors) != 1 {
		return nil, fmt.Errorf("embedding the question: %d vectors for one text", len(vectors))
	}
	return vectors[0], nil
}

// Text is what a table's vector is made of: its name, its columns and what is said
// about it, in at most 512 words. f may be nil.
func Text(t *model.Table, f *catalog.Facts) string {
	var b strings.Builder
	b.WriteString(t.QualifiedName())
	b.WriteByte(':')
	for i := range t.Columns {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte(' ')
		b.WriteString(t.Columns[i].Name)
		if i == maxTokens {
			break // each has a word at least
		}
	}
	description := t.Comment
	if f != nil && f.Description != "" {
		description = f.Description
	}
	if description != "" {
		b.WriteString(" — ")
		b.WriteString(description)
	}
	return cut(b.String())
}

// cut ends a text after its last word that counts.
func cut(text string) string {
	words := 0
	for _, t := range analysis.Split(text) {
		if t.Joined {
			continue
		}
		if words++; words > maxTokens {
			return strings.TrimRight(text[:t.Start], " ,:—")
		}
	}
	return text
}

// Tables makes the vectors of all tables in one pass. When a part of them cannot be
// made, those tables have none, and the error, a warning, says why; without any
// vector the result is the zero value.
func Tables(ctx context.Context, p wordvec.Provider, d *catalog.Data) (catalog.Vectors, error) {
	texts := make([]string, len(d.Tables))
	for i := range d.Tables {
		var f *catalog.Facts
		if i < len(d.Facts) {
			f = &d.Facts[i]
		}
		texts[i] = Text(&d.Tables[i], f)
	}
	made, err := p.Embed(ctx, texts)
	if err != nil {
		err = fmt.Errorf("embedding tables: %w", err)
	}
	v := catalog.Vectors{Model: p.Model(), Tables: make([][]float32, len(texts))}
	missing := 0
	for i := range texts {
		if i >= len(made) || len(made[i]) == 0 {
			missing++
			continue
		}
		if v.Dim == 0 {
			v.Dim = len(made[i])
		}
		if len(made[i]) != v.Dim {
			return catalog.Vectors{}, fmt.Errorf("embedding tables: the vectors of %s have %d and %d dimensions", p.Model(), v.Dim, len(made[i]))
		}
		v.Tables[i] = made[i]
	}
	if v.Dim == 0 {
		v = catalog.Vectors{}
	} else {
		v.Tables = pack(v.Tables, v.Dim)
	}
	if err == nil && missing > 0 {
		err = errors.New("embedding tables: the provider left texts out")
	}
	if err != nil && missing > 0 {
		err = fmt.Errorf("%d of %d tables have no vector: %w", missing, len(texts), err)
	}
	return v, err
}

// Missing makes the vectors of tables that have none, where that sends no text
// anywhere: their texts have changed since the others were made. data changes, but
// not the list of vectors, which others may share.
func (e *Embedder) Missing(ctx context.Context, data *catalog.Data) error {
	p, ok := e.Provider().(*wordvec.Builtin)
	if v := &data.Vectors; !ok || v.Model != p.Model() || len(v.Tables) != len(data.Tables) || len(data.Facts) != len(data.Tables) {
		return nil
	}
	var at []int
	var texts []string
	for i, v := range data.Vectors.Tables {
		if v == nil {
			at = append(at, i)
			texts = append(texts, Text(&data.Tables[i], &data.Facts[i]))
		}
	}
	made, err := p.Embed(ctx, texts)
	if err != nil {
		return fmt.Errorf("embedding tables: %w", err)
	}
	data.Vectors.Tables = slices.Clone(data.Vectors.Tables)
	for i, v := range pack(made, p.Dim()) {
		data.Vectors.Tables[at[i]] = v
	}
	return nil
}

// pack puts the vectors into one piece of memory and leaves out those of texts of
// which the model knew nothing.
func pack(vectors [][]float32, dim int) [][]float32 {
	backing := make([]float32, 0, len(vectors)*dim)
	for i, v := range vectors {
		vectors[i] = nil
		for _, x := range v {
			if x != 0 {
				start := len(backing)
				backing = append(backing, v...)
				vectors[i] = backing[start:len(backing):len(backing)]
				break
			}
		}
	}
	return vectors
}
