package wordvec

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// HTTPConfig says how an [HTTP] provider reaches its endpoint.
type HTTPConfig struct {
	// BaseURL is the address to which /embeddings is appended, such as
	// https://host/v1. Plain http is accepted without a key or to this machine.
	BaseURL string
	// Model is sent with each request and is the model of the vectors.
	Model string
	// Dim is the dimension the model must answer with. 0 takes that of the first
	// answer; later ones must agree. What the cache has of another dimension is
	// asked for anew.
	Dim int
	// KeyEnv names the environment variable that holds the bearer token. Empty
	// sends none.
	KeyEnv string
	// Batch is the number of texts in a request, at most 2048. Default 64.
	Batch int
	// Concurrency is the number of requests in flight. Default 4.
	Concurrency int
	// Timeout is what one attempt may take. Default 30 s.
	Timeout time.Duration
	// Retries is how often a request is repeated after a network error, a
	// timeout, 408, 429 or a 5xx status. Default 4; negative for never. Waits
	// double from half a second and never exceed 30 s; Retry-After is obeyed up
	// to a minute, a longer one ends the request.
	Retries int
	// CacheDir keeps vectors by model and hash of the text; texts are not stored.
	// It is made when missing. Empty for no cache. Several processes may share it.
	CacheDir string
	// CacheBytes bounds the cache; the vectors least recently used go first.
	// Default 256 MiB.
	CacheBytes int64
	// Log is told of retries and of a cache that cannot be written, never of
	// texts or the key. nil for silence.
	Log *slog.Logger
}

const (
	maxBatch         = 2048
	firstBackoff     = 500 * time.Millisecond
	maxBackoff       = 30 * time.Second
	maxRetryAfter    = time.Minute
	maxRedirects     = 3
	maxResponseBytes = 128 << 20
	maxErrorBytes    = 64 << 10
)

// HTTP asks an endpoint that speaks the OpenAI embeddings protocol. It sends the
// texts to that host and nowhere else: redirects to another are refused. Close
// it to release its connections and its cache.
type HTTP struct {
	config   HTTPConfig
	endpoint string
	key      string
	client   *http.Client
	slots    chan struct{} // one per request in flight
	cache    *cache
	sleep    func(context.Context, time.Duration) error
	now      func() time.Time

	mu      sync.Mutex
	dim     int
	assumed bool // dim comes from the cache, and an answer may still tell otherwise
}

// NewHTTP checks the configuration and opens the cache; it sends nothing.
func NewHTTP(config HTTPConfig) (*HTTP, error) {
	if config.Model == "" {
		return nil, errors.New("the embeddings model is not set")
	}
	if config.Dim < 0 || config.Batch < 0 || config.Batch > maxBatch || config.Concurrency < 0 || config.Timeout < 0 || config.CacheBytes < 0 {
		return nil, fmt.Errorf("embeddings settings must not be negative, nor a batch above %d: dimension %d, batch %d, concurrency %d, timeout %v, cache bytes %d",
			maxBatch, config.Dim, config.Batch, config.Concurrency, config.Timeout, config.CacheBytes)
	}
	setDefault(&config.Batch, 64)
	setDefault(&config.Concurrency, 4)
	setDefault(&config.Timeout, 30*time.Second)
	setDefault(&config.Retries, 4)
	setDefault(&config.CacheBytes, 256<<20)
	config.Retries = max(config.Retries, 0)
	if config.Log == nil {
		config.Log = slog.New(slog.DiscardHandler)
	}
	h := &HTTP{config: config, dim: config.Dim, slots: make(chan struct{}, config.Concurrency), sleep: sleep, now: time.Now}
	if config.KeyEnv != "" {
		if h.key = strings.TrimSpace(os.Getenv(config.KeyEnv)); h.key == "" {
			return nil, fmt.Errorf("environment variable %s, which should hold the embeddings key, is not set", config.KeyEnv)
		}
		if strings.ContainsFunc(h.key, func(r rune) bool { return r <= ' ' || r > '~' }) {
			return nil, fmt.Errorf("environment variable %s holds characters that no key has", config.KeyEnv)
		}
	}
	base, err := url.Parse(config.BaseURL)
	// The address may hold a secret by mistake, so it is not repeated.
	if err != nil || base.Host == "" || (base.Scheme != "https" && base.Scheme != "http") || base.User != nil || base.RawQuery != "" || base.Fragment != "" {
		return nil, errors.New("the embeddings base URL must be an http or https address without user, query or fragment, such as https://host/v1")
	}
	if base.Scheme == "http" && h.key != "" && !isLoopback(base.Hostname()) {
		return nil, errors.New("the embeddings key is not sent over plain http to another machine; use https")
	}
	h.endpoint = base.JoinPath("embeddings").String()
	if config.CacheDir != "" {
		if h.cache, err = openCache(config.CacheDir, config.CacheBytes); err != nil {
			return nil, fmt.Errorf("opening the embeddings cache: %w", err)
		}
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = config.Concurrency
	h.client = &http.Client{Transport: transport, CheckRedirect: checkRedirect}
	return h, nil
}

func setDefault[T comparable](v *T, value T) {
	var zero T
	if *v == zero {
		*v = value
	}
}

func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	a, err := netip.ParseAddr(host)
	return err == nil && a.IsLoopback()
}

func checkRedirect(next *http.Request, via []*http.Request) error {
	first := via[0].URL
	if next.URL.Host != first.Host || next.URL.Scheme != first.Scheme {
		return refusal{errors.New("the embeddings endpoint redirects to another host, which is refused")}
	}
	if len(via) > maxRedirects {
		return refusal{errors.New("the embeddings endpoint redirects too often")}
	}
	return nil
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// Model returns the configured model.
func (h *HTTP) Model() string { return h.config.Model }

// Dim returns the configured dimension, else that of the first answer, else that
// of the first vector from the cache, else 0.
func (h *HTTP) Dim() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.dim
}

// agrees reports whether n is the dimension. When none is known yet, n is taken;
// an answer also takes the place of what the cache led to assume.
func (h *HTTP) agrees(n int, fromCache bool) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.dim == 0 || h.assumed && !fromCache {
		h.dim, h.assumed = n, fromCache
	}
	return h.dim == n
}

// Close releases connections and the cache. It must not be called while
// [HTTP.Embed] runs.
func (h *HTTP) Close() error {
	h.client.CloseIdleConnections()
	if h.cache == nil {
		return nil
	}
	return h.cache.close()
}

// Embed returns the vectors of the texts, from the cache as far as it has them.
// Each distinct text is asked for once; blank texts get the zero vector without
// being sent, or nil while the dimension is unknown. When a request fails, the
// vectors of the others are returned with the error; a refusal that would meet
// every request (such as a wrong key) stops the rest. All vectors of a result have
// one dimension.
func (h *HTTP) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	places := make(map[string][]int) // of each text that must be asked for
	var wanted []string
	for i, text := range texts {
		if strings.TrimSpace(text) == "" {
			continue
		}
		if at, ok := places[text]; ok {
			places[text] = append(at, i)
			continue
		}
		if v := h.cached(text); v != nil {
			vectors[i] = v
			continue
		}
		places[text] = []int{i}
		wanted = append(wanted, text)
	}

	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	failed := h.ask(ctx, cancel, wanted, places, vectors)

	// The answers may show that the cache is of a time when the model had another
	// dimension.
	dim := h.Dim()
	wanted, places = nil, make(map[string][]int)
	for i, v := range vectors {
		if v == nil || len(v) == dim {
			continue
		}
		vectors[i] = nil
		if places[texts[i]] == nil {
			wanted = append(wanted, texts[i])
		}
		places[texts[i]] = append(places[texts[i]], i)
	}
	failed = append(failed, h.ask(ctx, cancel, wanted, places, vectors)...)

	for i, text := range texts {
		if vectors[i] == nil && dim > 0 && strings.TrimSpace(text) == "" {
			vectors[i] = make([]float32, dim)
		}
	}
	if len(failed) > 0 {
		return vectors, fmt.Errorf("embedding: %w", failed[0])
	}
	if err := context.Cause(ctx); err != nil {
		return vectors, fmt.Errorf("embedding: %w", err)
	}
	return vectors, nil
}

// ask requests the texts in batches and puts their vectors into the places of
// each. It ends ctx, with the reason, after a refusal.
func (h *HTTP) ask(ctx context.Context, cancel context.CancelCauseFunc, wanted []string, places map[string][]int, vectors [][]float32) (failed []error) {
	var (
		wg sync.WaitGroup
		mu sync.Mutex
	)
	for len(wanted) > 0 {
		batch := wanted[:min(h.config.Batch, len(wanted))]
		wanted = wanted[len(batch):]
		if !h.acquire(ctx) {
			break // the caller gave up or a refusal stops the rest
		}
		wg.Go(func() {
			defer func() { <-h.slots }()
			got, err := h.request(ctx, batch)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				failed = append(failed, err)
				if refused := (refusal{}); errors.As(err, &refused) {
					cancel(err)
				}
				return
			}
			for i, text := range batch {
				for n, at := range places[text] {
					v := got[i]
					if n > 0 {
						v = append([]float32(nil), v...) // each result is the caller's own
					}
					vectors[at] = v
				}
			}
		})
	}
	wg.Wait()
	return failed
}

// acquire takes a slot for a request and reports whether it got one before ctx
// ended.
func (h *HTTP) acquire(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return false
	case h.slots <- struct{}{}:
	}
	if ctx.Err() != nil { // both were ready
		<-h.slots
		return false
	}
	return true
}

// cached returns the vector of a text from the cache, nil when it is not there or
// of another dimension.
func (h *HTTP) cached(text string) []float32 {
	if h.cache == nil {
		return nil
	}
	v := h.cache.get(h.cacheKey(text))
	if v == nil || !h.agrees(len(v), true) {
		return nil
	}
	return v
}

func (h *HTTP) cacheKey(text string) string {
	// Two endpoints may call different models by one name.
	return cacheKey(h.endpoint, h.config.Model, text)
}

// refusal is an answer that every other request would get as well.
type refusal struct{ error }

// request embeds one batch, again and again as far as retries allow.
func (h *HTTP) request(ctx context.Context, batch []string) ([][]float32, error) {
	body, err := json.Marshal(struct {
		Model    string   `json:"model"`
		Input    []string `json:"input"`
		Encoding string   `json:"encoding_format"`
	}{h.config.Model, batch, "float"})
	if err != nil {
		return nil, err
	}
	for attempt := 0; ; attempt++ {
		answer, wait, err := h.attempt(ctx, body)
		if err == nil {
			return h.accept(answer, batch)
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if wait < 0 || attempt >= h.config.Retries {
			return nil, err
		}
		if wait == 0 {
			wait = min(firstBackoff<<min(attempt, 10), maxBackoff)
			// Up to half is chance, so that clients that failed together do not
			// come back together.
			wait -= time.Duration(rand.Int64N(int64(wait) / 2))
		}
		h.config.Log.Warn("embeddings request failed, trying again", "reason", err.Error(), "attempt", attempt+1, "wait", wait)
		if h.sleep(ctx, wait) != nil {
			return nil, context.Cause(ctx)
		}
	}
}

// attempt sends a request once. With an error, wait says how long to wait before
// the next try: as the backoff says when 0, and that there is no use when negative.
func (h *HTTP) attempt(ctx context.Context, body []byte) (answer []byte, wait time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, h.config.Timeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, h.endpoint, bytes.NewReader(body))
	if err != nil {
		return nil, -1, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json")
	if h.key != "" {
		r.Header.Set("Authorization", "Bearer "+h.key)
	}
	response, err := h.client.Do(r)
	if err != nil {
		if response != nil {
			_ = response.Body.Close() // nothing in it is wanted
		}
		return nil, retryable(err), networkError(ctx, err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		wait, err := h.retryAfter(response), statusError(response)
		if wait > maxRetryAfter {
			return nil, -1, fmt.Errorf("%w and asks to wait %v", err, wait)
		}
		return nil, wait, err
	}
	answer, err = io.ReadAll(io.LimitReader(response.Body, maxResponseBytes+1))
	if err != nil {
		return nil, 0, networkError(ctx, err)
	}
	if len(answer) > maxResponseBytes {
		return nil, -1, fmt.Errorf("the embeddings endpoint answered with more than %d bytes", maxResponseBytes)
	}
	return answer, 0, nil
}

// retryable is the wait after an error of the connection.
func retryable(err error) time.Duration {
	if refused := (refusal{}); errors.As(err, &refused) {
		return -1
	}
	return 0
}

// networkError leaves out the address, which the operator knows and others need not.
func networkError(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return errors.New("the embeddings endpoint did not answer in time")
	}
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	if refused := (refusal{}); errors.As(err, &refused) {
		return refused
	}
	var op *net.OpError
	if errors.As(err, &op) {
		err = op.Err
	}
	return fmt.Errorf("reaching the embeddings endpoint: %w", err)
}

// retryAfter is the wait after an answer that is not a success.
func (h *HTTP) retryAfter(r *http.Response) time.Duration {
	switch {
	case r.StatusCode == http.StatusRequestTimeout, r.StatusCode == http.StatusTooManyRequests:
	case r.StatusCode >= 500 && r.StatusCode != http.StatusNotImplemented:
	default:
		return -1
	}
	value := strings.TrimSpace(r.Header.Get("Retry-After"))
	var wait time.Duration
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		wait = time.Duration(seconds) * time.Second
	} else if at, err := http.ParseTime(value); err == nil {
		wait = at.Sub(h.now())
	}
	return max(wait, 0)
}

// errorCodes are the codes that are passed on. Nothing else of an answer is: it
// may quote the key or a text.
var errorCodes = []string{
	"billing_not_active", "context_length_exceeded", "insufficient_quota", "invalid_api_key", "invalid_request_error",
	"model_not_found", "rate_limit_exceeded", "server_error", "unsupported_model",
}

func statusError(r *http.Response) error {
	message := fmt.Sprintf("the embeddings endpoint answered %d %s", r.StatusCode, http.StatusText(r.StatusCode))
	var answer struct {
		Error struct {
			Code any `json:"code"`
			Type any `json:"type"`
		} `json:"error"`
	}
	if body, err := io.ReadAll(io.LimitReader(r.Body, maxErrorBytes)); err == nil && json.Unmarshal(body, &answer) == nil {
		for _, v := range []any{answer.Error.Code, answer.Error.Type} {
			if code, _ := v.(string); slices.Contains(errorCodes, code) {
				message += " (" + code + ")"
				break
			}
		}
	}
	switch r.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusMethodNotAllowed:
		return refusal{errors.New(message)}
	}
	return errors.New(message)
}

// accept decodes an answer, holds it against the dimension and fills the cache.
func (h *HTTP) accept(answer []byte, batch []string) ([][]float32, error) {
	vectors, err := decodeEmbeddings(answer, len(batch))
	if err != nil {
		return nil, err
	}
	if len(vectors) > 0 && !h.agrees(len(vectors[0]), false) {
		return nil, refusal{fmt.Errorf("model %q answered with %d dimensions, want %d", h.config.Model, len(vectors[0]), h.Dim())}
	}
	for i, v := range vectors {
		normalise(v)
		if h.cache == nil {
			continue
		}
		if err := h.cache.put(h.cacheKey(batch[i]), v); err != nil {
			h.config.Log.Warn("embeddings cache cannot be written", "reason", err.Error())
			break
		}
	}
	return vectors, nil
}

// component is a number of a vector. Unlike a plain float it refuses null, which
// would pass for 0.
type component float32

func (c *component) UnmarshalJSON(data []byte) error {
	f, err := strconv.ParseFloat(string(data), 32)
	if err != nil {
		return fmt.Errorf("%.20q is not a number of a vector", data)
	}
	*c = component(f)
	return nil
}

// decodeEmbeddings reads an answer that must hold n vectors of one dimension,
// each with its index, in any order.
func decodeEmbeddings(body []byte, n int) ([][]float32, error) {
	var answer struct {
		Data []struct {
			Index     *int        `json:"index"`
			Embedding []component `json:"embedding"`
		} `json:"data"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, fmt.Errorf("reading the answer of the embeddings endpoint: %w", err)
	}
	if len(answer.Data) != n {
		return nil, fmt.Errorf("the embeddings endpoint answered with %d vectors for %d texts", len(answer.Data), n)
	}
	vectors := make([][]float32, n)
	for _, d := range answer.Data {
		if d.Index == nil || *d.Index < 0 || *d.Index >= n {
			return nil, errors.New("a vector of the embeddings endpoint lacks the index of its text")
		}
		if vectors[*d.Index] != nil {
			return nil, fmt.Errorf("the embeddings endpoint answered twice for text %d", *d.Index)
		}
		if len(d.Embedding) == 0 || len(d.Embedding) != len(answer.Data[0].Embedding) {
			return nil, fmt.Errorf("the embeddings endpoint answered with vectors of %d and %d dimensions", len(answer.Data[0].Embedding), len(d.Embedding))
		}
		v := make([]float32, len(d.Embedding))
		zero := true
		for i, c := range d.Embedding {
			v[i] = float32(c)
			zero = zero && c == 0
			if math.IsInf(float64(c), 0) || math.IsNaN(float64(c)) {
				return nil, fmt.Errorf("the embeddings endpoint answered with %v in a vector", v[i])
			}
		}
		if zero {
			return nil, fmt.Errorf("the embeddings endpoint answered with the zero vector for text %d", *d.Index)
		}
		vectors[*d.Index] = v
	}
	return vectors, nil
}
