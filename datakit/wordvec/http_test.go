package wordvec

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const (
	testKeyEnv = "WORDVEC_TEST_KEY"
	testKey    = "sk-test-0123456789"
)

// fake is an embeddings endpoint. Texts become vectors of 3 dimensions that
// depend on the text alone.
type fake struct {
	*httptest.Server
	// answer, when set, answers in place of the right one; it returns false to
	// have the right answer given all the same.
	answer func(w http.ResponseWriter, call int, texts []string) bool

	mu     sync.Mutex
	texts  [][]string // per request
	active atomic.Int32
	most   atomic.Int32 // requests at one time
}

func vectorOf(text string) []float32 { return []float32{float32(len(text)), 1, float32(text[0])} }

func newFake(t *testing.T) *fake {
	t.Helper()
	f := &fake{}
	f.Server = httptest.NewServer(http.HandlerFunc(f.serve))
	t.Cleanup(f.Close)
	return f
}

func (f *fake) serve(w http.ResponseWriter, r *http.Request) {
	now := f.active.Add(1)
	defer f.active.Add(-1)
	for most := f.most.Load(); now > most && !f.most.CompareAndSwap(most, now); most = f.most.Load() {
	}
	var request struct {
		Model          string   `json:"model"`
		Input          []string `json:"input"`
		EncodingFormat string   `json:"encoding_format"`
	}
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil || r.Method != http.MethodPost || r.URL.Path != "/v1/embeddings" ||
		request.Model != "test-model" || request.EncodingFormat != "float" || r.Header.Get("Authorization") != "Bearer "+testKey {
		http.Error(w, "wrong request", http.StatusTeapot)
		return
	}
	f.mu.Lock()
	f.texts = append(f.texts, request.Input)
	call := len(f.texts)
	f.mu.Unlock()
	if f.answer != nil && f.answer(w, call, request.Input) {
		return
	}
	type datum struct {
		Object    string    `json:"object"`
		Index     int       `json:"index"`
		Embedding []float32 `json:"embedding"`
	}
	var data []datum
	for i, text := range request.Input {
		data = append(data, datum{"embedding", i, vectorOf(text)})
	}
	slices.Reverse(data) // the index says which is which
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"object": "list", "data": data, "model": "test-model", "usage": map[string]int{"total_tokens": 3}})
}

func (f *fake) calls() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.texts)
}

// provider connects to the fake; waits are recorded and take no time.
func (f *fake) provider(t *testing.T, change func(*HTTPConfig)) (*HTTP, *[]time.Duration) {
	t.Helper()
	t.Setenv(testKeyEnv, testKey)
	config := HTTPConfig{BaseURL: f.URL + "/v1", Model: "test-model", KeyEnv: testKeyEnv}
	if change != nil {
		change(&config)
	}
	h, err := NewHTTP(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	var mu sync.Mutex
	waits := &[]time.Duration{}
	h.sleep = func(ctx context.Context, d time.Duration) error {
		mu.Lock()
		defer mu.Unlock()
		*waits = append(*waits, d)
		return ctx.Err()
	}
	return h, waits
}

func sameDirection(t *testing.T, got, want []float32) {
	t.Helper()
	want = slices.Clone(want)
	normalise(want)
	if len(got) != len(want) || math.Abs(float64(dot(got, want))-1) > 1e-6 || math.Abs(float64(dot(got, got))-1) > 1e-6 {
		t.Errorf("vector %v, want %v", got, want)
	}
}

func TestHTTP_Embed(t *testing.T) {
	f := newFake(t)
	h, _ := f.provider(t, func(c *HTTPConfig) { c.Batch = 3 })
	if h.Dim() != 0 || h.Model() != "test-model" {
		t.Errorf("before the first answer: Dim %d, Model %q", h.Dim(), h.Model())
	}
	texts := []string{"a", "bb", "", "ccc", "a", "dddd", " \t", "eeeee", "ffffff", "gg"}
	vectors, err := h.Embed(context.Background(), texts)
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range texts {
		if strings.TrimSpace(text) == "" {
			if diff := cmp.Diff(vectors[i], []float32{0, 0, 0}); diff != "" {
				t.Errorf("vector of a blank text (-got +want):\n%s", diff)
			}
			continue
		}
		sameDirection(t, vectors[i], vectorOf(text))
	}
	var sizes []int
	for _, batch := range f.texts {
		sizes = append(sizes, len(batch))
	}
	slices.Sort(sizes)
	if diff := cmp.Diff(sizes, []int{1, 3, 3}); diff != "" || h.Dim() != 3 {
		t.Errorf("Dim %d, sizes of batches (-got +want):\n%s", h.Dim(), diff)
	}
	vectors[0][0] = 99
	if vectors[4][0] == 99 {
		t.Error("equal texts share one slice")
	}
	if v, err := h.Embed(context.Background(), nil); err != nil || len(v) != 0 || f.calls() != 3 {
		t.Errorf("Embed of nothing: %v, %v, %d calls", v, err, f.calls())
	}
}

func TestHTTP_BoundsConcurrency(t *testing.T) {
	f := newFake(t)
	f.answer = func(http.ResponseWriter, int, []string) bool {
		time.Sleep(2 * time.Millisecond) // gives others the chance to be too many
		return false
	}
	h, _ := f.provider(t, func(c *HTTPConfig) { c.Batch, c.Concurrency = 1, 3 })
	var texts []string
	for i := range 40 {
		texts = append(texts, fmt.Sprint("text ", i))
	}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if _, err := h.Embed(context.Background(), texts); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if most := f.most.Load(); most > 3 || most < 2 {
		t.Errorf("%d requests at one time, want 2 or 3", most)
	}
}

func TestHTTP_Retries(t *testing.T) {
	for _, tc := range []struct {
		name   string
		status int
		header string
		want   []time.Duration // exact waits; nil for backoff
	}{
		{"429 with seconds", 429, "7", []time.Duration{7 * time.Second, 7 * time.Second}},
		{"503 with a date", 503, "Mon, 30 Nov 2026 12:00:09 GMT", []time.Duration{9 * time.Second, 9 * time.Second}},
		{"429", 429, "", nil},
		{"500", 500, "", nil},
		{"408", 408, "", nil},
		{"senseless Retry-After", 502, "soon", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := newFake(t)
			f.answer = func(w http.ResponseWriter, call int, _ []string) bool {
				if call <= 2 {
					w.Header().Set("Retry-After", tc.header)
					http.Error(w, "not now", tc.status)
				}
				return call <= 2
			}
			h, waits := f.provider(t, nil)
			h.now = func() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) }
			vectors, err := h.Embed(context.Background(), []string{"abc"})
			if err != nil {
				t.Fatal(err)
			}
			sameDirection(t, vectors[0], vectorOf("abc"))
			if tc.want != nil {
				if diff := cmp.Diff(*waits, tc.want); diff != "" {
					t.Errorf("waits (-got +want):\n%s", diff)
				}
				return
			}
			for i, w := range *waits {
				if top := firstBackoff << i; w > top || w <= top/2-1 {
					t.Errorf("wait %d = %v, want %v to %v", i, w, top/2, top)
				}
			}
			if len(*waits) != 2 {
				t.Errorf("waited %d times, want 2", len(*waits))
			}
		})
	}
}

func TestHTTP_GivesUp(t *testing.T) {
	for _, tc := range []struct {
		name   string
		answer func(w http.ResponseWriter, call int, texts []string) bool
		change func(*HTTPConfig)
		calls  int
		want   string
	}{
		{"after the retries", status(500, ""), nil, 5, "embedding: the embeddings endpoint answered 500 Internal Server Error"},
		{"without retries", status(500, ""), func(c *HTTPConfig) { c.Retries = -1 }, 1, "embedding: the embeddings endpoint answered 500 Internal Server Error"},
		{"wrong key", status(401, `{"error":{"message":"wrong key `+testKey+`","code":"invalid_api_key"}}`), nil, 1,
			"embedding: the embeddings endpoint answered 401 Unauthorized (invalid_api_key)"},
		{"refused text", status(400, `{"error":{"message":"bad input: secret text","type":"Secret Text","code":7}}`), nil, 1,
			"embedding: the embeddings endpoint answered 400 Bad Request"},
		{"long Retry-After", func(w http.ResponseWriter, _ int, _ []string) bool {
			w.Header().Set("Retry-After", "3600")
			http.Error(w, "", http.StatusTooManyRequests)
			return true
		}, nil, 1, "embedding: the embeddings endpoint answered 429 Too Many Requests and asks to wait 1h0m0s"},
		{"too few vectors", body(`{"data":[{"index":0,"embedding":[1]}]}`), nil, 1, "embedding: the embeddings endpoint answered with 1 vectors for 2 texts"},
		{"not JSON", body(`<html>`), nil, 1, "embedding: reading the answer of the embeddings endpoint: invalid character '<' looking for beginning of value"},
		{"wrong dimension", nil, func(c *HTTPConfig) { c.Dim = 4 }, 1, `embedding: model "test-model" answered with 3 dimensions, want 4`},
		{"connection closed", func(http.ResponseWriter, int, []string) bool { panic(http.ErrAbortHandler) }, nil, 5,
			"embedding: reaching the embeddings endpoint: EOF"},
		{"cut short", func(w http.ResponseWriter, _ int, _ []string) bool {
			w.Header().Set("Content-Length", "1000")
			_, _ = w.Write([]byte(`{"data":[`))
			return true
		}, nil, 5, "embedding: reaching the embeddings endpoint: unexpected EOF"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := newFake(t)
			f.answer = tc.answer
			h, _ := f.provider(t, tc.change)
			_, err := h.Embed(context.Background(), []string{"secret text", "another"})
			if err == nil || err.Error() != tc.want {
				t.Errorf("Embed: %v, want %s", err, tc.want)
			}
			if f.calls() != tc.calls {
				t.Errorf("%d calls, want %d", f.calls(), tc.calls)
			}
		})
	}
}

func status(code int, text string) func(http.ResponseWriter, int, []string) bool {
	return func(w http.ResponseWriter, _ int, _ []string) bool {
		http.Error(w, text, code)
		return true
	}
}

func body(text string) func(http.ResponseWriter, int, []string) bool {
	return func(w http.ResponseWriter, _ int, _ []string) bool {
		_, _ = w.Write([]byte(text))
		return true
	}
}

func TestHTTP_Timeout(t *testing.T) {
	f := newFake(t)
	release := make(chan struct{})
	f.answer = func(_ http.ResponseWriter, call int, _ []string) bool {
		if call == 1 {
			<-release
		}
		return false
	}
	defer close(release)
	h, waits := f.provider(t, func(c *HTTPConfig) { c.Timeout = 50 * time.Millisecond })
	vectors, err := h.Embed(context.Background(), []string{"abc"})
	if err != nil {
		t.Fatal(err)
	}
	sameDirection(t, vectors[0], vectorOf("abc"))
	if len(*waits) != 1 {
		t.Errorf("waited %d times, want once, after the timeout", len(*waits))
	}
}

func TestHTTP_Cancelled(t *testing.T) {
	f := newFake(t)
	ctx, cancel := context.WithCancel(context.Background())
	f.answer = func(w http.ResponseWriter, _ int, _ []string) bool {
		cancel()
		http.Error(w, "", 500)
		return true
	}
	h, _ := f.provider(t, func(c *HTTPConfig) { c.Batch, c.Concurrency = 1, 1 })
	if _, err := h.Embed(ctx, []string{"a", "b", "c"}); !errors.Is(err, context.Canceled) || f.calls() != 1 {
		t.Errorf("Embed: %v after %d calls, want context.Canceled after 1", err, f.calls())
	}
	// The slots are free again.
	f.answer = nil
	if _, err := h.Embed(context.Background(), []string{"a", "b"}); err != nil {
		t.Error(err)
	}
}

// What a failed batch does to the others: nothing, unless it would fail them too.
func TestHTTP_PartialFailure(t *testing.T) {
	for _, tc := range []struct {
		status int
		calls  int
		want   []bool
	}{
		{400, 4, []bool{true, false, true, true}},
		{401, 2, []bool{true, false, false, false}},
	} {
		f := newFake(t)
		f.answer = func(w http.ResponseWriter, _ int, texts []string) bool {
			if texts[0] == "b" {
				http.Error(w, "", tc.status)
			}
			return texts[0] == "b"
		}
		h, _ := f.provider(t, func(c *HTTPConfig) { c.Batch, c.Concurrency = 1, 1 })
		vectors, err := h.Embed(context.Background(), []string{"a", "b", "c", "d"})
		if err == nil || !strings.Contains(err.Error(), strconv.Itoa(tc.status)) {
			t.Errorf("status %d: error %v", tc.status, err)
		}
		var got []bool
		for _, v := range vectors {
			got = append(got, v != nil)
		}
		if diff := cmp.Diff(got, tc.want); diff != "" || f.calls() != tc.calls {
			t.Errorf("status %d: %d calls, want %d; vectors there (-got +want):\n%s", tc.status, f.calls(), tc.calls, diff)
		}
	}
}

func TestHTTP_Redirects(t *testing.T) {
	other := newFake(t)
	f := newFake(t)
	f.answer = func(w http.ResponseWriter, _ int, _ []string) bool {
		w.Header().Set("Location", other.URL+"/v1/embeddings")
		w.WriteHeader(http.StatusTemporaryRedirect)
		return true
	}
	h, _ := f.provider(t, nil)
	if _, err := h.Embed(context.Background(), []string{"abc"}); err == nil || !strings.Contains(err.Error(), "redirects to another host") {
		t.Errorf("Embed: %v", err)
	}
	if f.calls() != 1 || other.calls() != 0 {
		t.Errorf("%d calls, %d to the other host; want 1 and 0", f.calls(), other.calls())
	}
	// On the same host they are followed.
	f.answer = func(w http.ResponseWriter, call int, _ []string) bool {
		if call == 2 {
			w.Header().Set("Location", "/v1/embeddings")
			w.WriteHeader(http.StatusPermanentRedirect)
		}
		return call == 2
	}
	vectors, err := h.Embed(context.Background(), []string{"abc"})
	if err != nil {
		t.Fatal(err)
	}
	sameDirection(t, vectors[0], vectorOf("abc"))
	// But not for ever.
	f.answer = func(w http.ResponseWriter, _ int, _ []string) bool {
		w.Header().Set("Location", "/v1/embeddings")
		w.WriteHeader(http.StatusPermanentRedirect)
		return true
	}
	calls := f.calls()
	if _, err := h.Embed(context.Background(), []string{"x"}); err == nil || !strings.Contains(err.Error(), "redirects too often") {
		t.Errorf("Embed in circles: %v", err)
	}
	if got, want := f.calls()-calls, 1+maxRedirects; got != want {
		t.Errorf("%d calls in circles, want %d: one attempt", got, want)
	}
}

// Neither key nor texts appear in logs or errors, whatever goes wrong.
func TestHTTP_KeepsSecrets(t *testing.T) {
	f := newFake(t)
	f.answer = func(w http.ResponseWriter, call int, texts []string) bool {
		if call < 3 {
			http.Error(w, `{"error":{"message":"`+texts[0]+testKey+`","code":"`+testKey+`","type":"`+texts[0]+`"}}`, 500)
		} else {
			http.Error(w, texts[0]+testKey, 400)
		}
		return true
	}
	var log bytes.Buffer
	dir := t.TempDir()
	h, _ := f.provider(t, func(c *HTTPConfig) {
		c.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		c.CacheDir = dir
	})
	const text = "confidentialword"
	_, err := h.Embed(context.Background(), []string{text})
	if err == nil {
		t.Fatal("no error")
	}
	f.answer = nil
	if _, err := h.Embed(context.Background(), []string{text}); err != nil {
		t.Fatal(err)
	}
	seen := log.String() + err.Error()
	if !strings.Contains(seen, "trying again") {
		t.Errorf("retries are not logged: %s", seen)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files of the cache: %v, %v", files, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	seen += files[0] + string(data)
	for _, secret := range []string{testKey, "0123456789", text} {
		if strings.Contains(seen, secret) {
			t.Errorf("%q appears in %s", secret, seen)
		}
	}
}

func TestNewHTTP_Refuses(t *testing.T) {
	t.Setenv(testKeyEnv, testKey)
	t.Setenv("WORDVEC_TEST_EMPTY", "")
	t.Setenv("WORDVEC_TEST_ODD", "two\nlines")
	const badURL = "the embeddings base URL must be an http or https address without user, query or fragment, such as https://host/v1"
	for _, tc := range []struct {
		name   string
		config HTTPConfig
		want   string
	}{
		{"no model", HTTPConfig{BaseURL: "https://host/v1"}, "the embeddings model is not set"},
		{"no URL", HTTPConfig{Model: "m"}, badURL},
		{"other scheme", HTTPConfig{Model: "m", BaseURL: "ftp://host"}, badURL},
		{"password in the URL", HTTPConfig{Model: "m", BaseURL: "https://u:p@host"}, badURL},
		{"key in the URL", HTTPConfig{Model: "m", BaseURL: "https://host/v1?key=k"}, badURL},
		{"unset key", HTTPConfig{Model: "m", BaseURL: "https://host", KeyEnv: "WORDVEC_TEST_EMPTY"},
			"environment variable WORDVEC_TEST_EMPTY, which should hold the embeddings key, is not set"},
		{"odd key", HTTPConfig{Model: "m", BaseURL: "https://host", KeyEnv: "WORDVEC_TEST_ODD"},
			"environment variable WORDVEC_TEST_ODD holds characters that no key has"},
		{"key over plain http", HTTPConfig{Model: "m", BaseURL: "http://host/v1", KeyEnv: testKeyEnv},
			"the embeddings key is not sent over plain http to another machine; use https"},
		{"negative", HTTPConfig{Model: "m", BaseURL: "https://host", Batch: 4000},
			"embeddings settings must not be negative, nor a batch above 2048: dimension 0, batch 4000, concurrency 0, timeout 0s, cache bytes 0"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if _, err := NewHTTP(tc.config); err == nil || err.Error() != tc.want {
				t.Errorf("NewHTTP: %v, want %s", err, tc.want)
			}
		})
	}
	for _, good := range []HTTPConfig{
		{Model: "m", BaseURL: "https://host/v1/", KeyEnv: testKeyEnv},
		{Model: "m", BaseURL: "http://host/v1"},
		{Model: "m", BaseURL: "http://[::1]:8080", KeyEnv: testKeyEnv},
		{Model: "m", BaseURL: "http://localhost/v1", KeyEnv: testKeyEnv},
	} {
		h, err := NewHTTP(good)
		if err != nil {
			t.Errorf("NewHTTP(%s): %v", good.BaseURL, err)
			continue
		}
		if !strings.HasSuffix(h.endpoint, "/embeddings") || strings.Contains(h.endpoint, "//embeddings") {
			t.Errorf("endpoint of %s is %s", good.BaseURL, h.endpoint)
		}
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestHTTP_Cache(t *testing.T) {
	f := newFake(t)
	dir := filepath.Join(t.TempDir(), "made", "when missing")
	cached := func(c *HTTPConfig) { c.CacheDir = dir }
	h, _ := f.provider(t, cached)
	first, err := h.Embed(context.Background(), []string{"abc", "de"})
	if err != nil {
		t.Fatal(err)
	}
	// Another provider finds what the first one left and asks for the rest only.
	h2, _ := f.provider(t, cached)
	second, err := h2.Embed(context.Background(), []string{"de", "new", "abc"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][]float32{second[2], second[0]}, first); diff != "" {
		t.Errorf("vectors from the cache (-got +want):\n%s", diff)
	}
	if diff := cmp.Diff(f.texts, [][]string{{"abc", "de"}, {"new"}}); diff != "" {
		t.Errorf("texts asked for (-got +want):\n%s", diff)
	}
	// Not another model's.
	if k1, k2 := h.cacheKey("abc"), (&HTTP{config: HTTPConfig{Model: "other"}, endpoint: h.endpoint}).cacheKey("abc"); k1 == k2 {
		t.Error("two models share a key")
	}
	// A dimension that no longer fits is asked for anew, and then refused.
	h3, _ := f.provider(t, func(c *HTTPConfig) { c.CacheDir, c.Dim = dir, 4 })
	if _, err := h3.Embed(context.Background(), []string{"abc"}); err == nil || !strings.Contains(err.Error(), "want 4") {
		t.Errorf("Embed with another dimension: %v", err)
	}
	// Broken files are as good as none.
	files, err := filepath.Glob(filepath.Join(dir, "*.vec"))
	if err != nil || len(files) != 3 {
		t.Fatalf("files of the cache: %v, %v", files, err)
	}
	for _, name := range files {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: mode %v, %v; want 0600", filepath.Base(name), info.Mode(), err)
		}
		if err := os.WriteFile(name, []byte("QVC1 broken"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	calls := f.calls()
	again, err := h.Embed(context.Background(), []string{"abc", "de"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(again, first); diff != "" || f.calls() != calls+1 {
		t.Errorf("%d calls after breaking the cache, want 1; vectors (-got +want):\n%s", f.calls()-calls, diff)
	}
}

// When the endpoint's model has a new dimension, what the cache has of the old one
// is as good as missing.
func TestHTTP_CacheOfAnotherDimension(t *testing.T) {
	dir := t.TempDir()
	f := newFake(t)
	var dim atomic.Int32
	dim.Store(3)
	f.answer = func(w http.ResponseWriter, _ int, texts []string) bool {
		type datum struct {
			Index     int       `json:"index"`
			Embedding []float32 `json:"embedding"`
		}
		var answer struct {
			Data []datum `json:"data"`
		}
		for i := range texts {
			v := make([]float32, dim.Load())
			v[0] = 1
			answer.Data = append(answer.Data, datum{i, v})
		}
		if err := json.NewEncoder(w).Encode(answer); err != nil {
			t.Error(err)
		}
		return true
	}
	embed := func(h *HTTP, want int, texts ...string) {
		t.Helper()
		vectors, err := h.Embed(context.Background(), texts)
		if err != nil {
			t.Fatalf("Embed(%q): %v", texts, err)
		}
		for i, v := range vectors {
			if len(v) != want {
				t.Errorf("Embed(%q): %q has %d dimensions, want %d", texts, texts[i], len(v), want)
			}
		}
		if h.Dim() != want {
			t.Errorf("Dim after Embed(%q) = %d, want %d", texts, h.Dim(), want)
		}
	}
	provider := func() *HTTP {
		h, _ := f.provider(t, func(c *HTTPConfig) { c.CacheDir = dir })
		return h
	}
	embed(provider(), 3, "a", "b", "c", "d")

	dim.Store(5)
	h := provider()
	embed(h, 3, "a", "b")                   // nobody has been asked
	embed(h, 5, "a", "new", " ", "b", "a")  // now the answer is known
	embed(h, 5, "c")                        // a miss, asked for anew
	embed(provider(), 5, "a", "b", "c")     // the cache has taken them
	embed(provider(), 5, "a", "d", "newer") // as well when one of the cache comes first
	embed(provider(), 5, "d", "a")
	want := [][]string{{"a", "b", "c", "d"}, {"new"}, {"a", "b"}, {"c"}, {"d", "newer"}}
	if diff := cmp.Diff(f.texts, want); diff != "" {
		t.Errorf("texts asked for (-got +want):\n%s", diff)
	}
}

// A cache that cannot be written costs a line in the log, not the answer.
func TestHTTP_CacheCannotBeWritten(t *testing.T) {
	f := newFake(t)
	var log bytes.Buffer
	h, _ := f.provider(t, func(c *HTTPConfig) {
		c.CacheDir = t.TempDir()
		c.Log = slog.New(slog.NewTextHandler(&log, nil))
	})
	if err := h.cache.root.Close(); err != nil {
		t.Fatal(err)
	}
	vectors, err := h.Embed(context.Background(), []string{"abc"})
	if err != nil {
		t.Fatal(err)
	}
	sameDirection(t, vectors[0], vectorOf("abc"))
	if !strings.Contains(log.String(), "cache cannot be written") {
		t.Errorf("log: %s", log.String())
	}
}

func TestCache_Bound(t *testing.T) {
	dir := t.TempDir()
	v := make([]float32, 100) // 408 bytes in a file
	v[0] = 1
	c, err := openCache(dir, 10*408)
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	old := time.Now().Add(-24 * time.Hour)
	for i := range 10 {
		key := cacheKey(fmt.Sprint(i))
		if err := c.put(key, v); err != nil {
			t.Fatal(err)
		}
		at := old.Add(time.Duration(i) * time.Minute)
		if err := os.Chtimes(filepath.Join(dir, key+cacheSuffix), at, at); err != nil {
			t.Fatal(err)
		}
	}
	if c.get(cacheKey("0")) == nil { // now the most recently used
		t.Fatal("the first vector is gone before the bound")
	}
	if err := c.put(cacheKey("10"), v); err != nil {
		t.Fatal(err)
	}
	for i, want := range map[int]bool{0: true, 1: false, 2: false, 3: true, 9: true, 10: true} {
		if got := c.get(cacheKey(fmt.Sprint(i))) != nil; got != want {
			t.Errorf("vector %d kept: %v, want %v", i, got, want)
		}
	}
	// Temporary files of a process that died go, young ones and strangers stay.
	for name, age := range map[string]time.Duration{"tmp-old": 2 * leftover, "tmp-new": 0, "README": 2 * leftover} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(-age)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	// A smaller bound holds from the start.
	small, err := openCache(dir, 5*408)
	if err != nil {
		t.Fatal(err)
	}
	defer small.close()
	var rest []string
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	vectors := 0
	for _, e := range entries {
		if filepath.Ext(e.Name()) == cacheSuffix {
			vectors++
		} else {
			rest = append(rest, e.Name())
		}
	}
	if diff := cmp.Diff(rest, []string{"README", "tmp-new"}); diff != "" || vectors != 4 {
		t.Errorf("%d vectors, want 4; other files (-got +want):\n%s", vectors, diff)
	}
}

func TestCache_Concurrent(t *testing.T) {
	c, err := openCache(t.TempDir(), 20*20)
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := range 50 {
				key := cacheKey(fmt.Sprint(i % 30))
				if err := c.put(key, []float32{1, float32(i % 30), 3}); err != nil {
					t.Error(err)
				}
				if v := c.get(cacheKey(fmt.Sprint((i + w) % 30))); v != nil && v[1] != float32((i+w)%30) {
					t.Errorf("vector %v for text %d", v, (i+w)%30)
				}
			}
		})
	}
	wg.Wait()
}

func TestDecodeEmbeddings(t *testing.T) {
	for _, tc := range []struct {
		name, body string
		want       string // error; empty for none
	}{
		{"in order", `{"data":[{"index":0,"embedding":[1,0]},{"index":1,"embedding":[0,-2.5e-1]}]}`, ""},
		{"out of order", `{"data":[{"index":1,"embedding":[0,-0.25]},{"index":0,"embedding":[1,0]}],"extra":[1]}`, ""},
		{"missing", `{"data":[{"index":0,"embedding":[1,0]}]}`, "the embeddings endpoint answered with 1 vectors for 2 texts"},
		{"too many", `{"data":[{},{},{}]}`, "the embeddings endpoint answered with 3 vectors for 2 texts"},
		{"no data", `{}`, "the embeddings endpoint answered with 0 vectors for 2 texts"},
		{"null", `null`, "the embeddings endpoint answered with 0 vectors for 2 texts"},
		{"twice", `{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}`, "the embeddings endpoint answered twice for text 0"},
		{"no index", `{"data":[{"embedding":[1]},{"embedding":[1]}]}`, "a vector of the embeddings endpoint lacks the index of its text"},
		{"index beyond", `{"data":[{"index":2,"embedding":[1]},{"index":0,"embedding":[1]}]}`, "a vector of the embeddings endpoint lacks the index of its text"},
		{"index below", `{"data":[{"index":-1,"embedding":[1]},{"index":0,"embedding":[1]}]}`, "a vector of the embeddings endpoint lacks the index of its text"},
		{"two dimensions", `{"data":[{"index":0,"embedding":[1,2]},{"index":1,"embedding":[1]}]}`, "the embeddings endpoint answered with vectors of 2 and 1 dimensions"},
		{"empty vector", `{"data":[{"index":0,"embedding":[]},{"index":1,"embedding":[]}]}`, "the embeddings endpoint answered with vectors of 0 and 0 dimensions"},
		{"zero vector", `{"data":[{"index":0,"embedding":[1,2]},{"index":1,"embedding":[0,0]}]}`, "the embeddings endpoint answered with the zero vector for text 1"},
		{"null in a vector", `{"data":[{"index":0,"embedding":[1,null]},{"index":1,"embedding":[1,2]}]}`, `reading the answer of the embeddings endpoint: "null" is not a number of a vector`},
		{"text in a vector", `{"data":[{"index":0,"embedding":[1,"NaN"]},{"index":1,"embedding":[1,2]}]}`, `reading the answer of the embeddings endpoint: "\"NaN\"" is not a number of a vector`},
		{"too large", `{"data":[{"index":0,"embedding":[1,1e39]},{"index":1,"embedding":[1,2]}]}`, `reading the answer of the embeddings endpoint: "1e39" is not a number of a vector`},
		{"NaN", `{"data":[{"index":0,"embedding":[NaN]}]}`, "reading the answer of the embeddings endpoint: invalid character 'N' looking for beginning of value"},
		{"two documents", `{} {}`, "reading the answer of the embeddings endpoint: invalid character '{' after top-level value"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			vectors, err := decodeEmbeddings([]byte(tc.body), 2)
			if tc.want != "" {
				if err == nil || err.Error() != tc.want {
					t.Errorf("error %v, want %s", err, tc.want)
				}
				return
			}
			if diff := cmp.Diff(vectors, [][]float32{{1, 0}, {0, -0.25}}); diff != "" || err != nil {
				t.Errorf("error %v; vectors (-got +want):\n%s", err, diff)
			}
		})
	}
}

func FuzzDecodeEmbeddings(f *testing.F) {
	for _, seed := range []string{
		`{"data":[{"index":0,"embedding":[1,0.5]}]}`, `{"data":[{"index":1,"embedding":[1]},{"index":0,"embedding":[-1e-3]}]}`,
		`{"data":[{"index":0,"embedding":[null]}]}`, `{"data":[{"index":0,"embedding":"AAAA"}]}`, `{"data":{}}`, `[]`, ``, `{"data":[{"index":1e0,"embedding":[1e999]}]}`,
	} {
		f.Add([]byte(seed), 1)
		f.Add([]byte(seed), 2)
	}
	f.Fuzz(func(t *testing.T, body []byte, n int) {
		if n < 0 || n > 100 {
			return
		}
		vectors, err := decodeEmbeddings(body, n)
		if err != nil {
			if vectors != nil {
				t.Fatal("vectors beside an error")
			}
			return
		}
		if len(vectors) != n {
			t.Fatalf("%d vectors, want %d", len(vectors), n)
		}
		for _, v := range vectors {
			if len(v) == 0 || len(v) != len(vectors[0]) {
				t.Fatalf("dimensions %d and %d", len(v), len(vectors[0]))
			}
			normalise(v)
			if s := float64(dot(v, v)); math.Abs(s-1) > 1e-3 {
				t.Fatalf("square of the length of a normalised vector is %v", s)
			}
		}
	})
}

func FuzzDecodeCached(f *testing.F) {
	f.Add(encodeCached([]float32{1, -2, 3}))
	f.Add([]byte("QVC1"))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		if v := decodeCached(data); v != nil && !bytes.Equal(encodeCached(v), data) {
			t.Fatalf("decoding %x and encoding gives %x", data, encodeCached(v))
		}
	})
}
