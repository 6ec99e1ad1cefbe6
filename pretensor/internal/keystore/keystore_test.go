package keystore

import (
	"bytes"
	"crypto/aes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/quartet-mcp/quartet/pretensor/internal/state"
	"pgregory.net/rapid"
)

// The published example of the format's specification.
const (
	exampleKey   = "cw_0x689RpI-jtRR7oE8h_eQsKImvJapLeSbXpwF4e4="
	exampleToken = "gAAAAAAdwJ6wAAECAwQFBgcICQoLDA0ODy021cpGVWKZ_eEwCGM4BLLF_5CV9dOPmrhuVUPgJobwOz7JcbmrR64jVmpU4IwqDA=="
)

func none(string) string { return "" }

func newDir(t *testing.T) *state.Dir {
	t.Helper()
	d := state.At(filepath.Join(t.TempDir(), "s"))
	if err := d.Create(); err != nil {
		t.Fatal(err)
	}
	return d
}

func parse(t *testing.T, text string) Key {
	t.Helper()
	k, err := ParseKey(text)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestToken_PublishedExample(t *testing.T) {
	k := parse(t, exampleKey)
	var iv [aes.BlockSize]byte
	for i := range iv {
		iv[i] = byte(i)
	}
	if got := k.token([]byte("hello"), time.Unix(499162800, 0), iv); got != exampleToken {
		t.Errorf("wrote %s, want %s", got, exampleToken)
	}
	if got, err := k.Decrypt(exampleToken); err != nil || got.Reveal() != "hello" {
		t.Errorf("read %q, %v, want hello", got.Reveal(), err)
	}
}

func TestToken_RoundTrip(t *testing.T) {
	k := Generate()
	rapid.Check(t, func(t *rapid.T) {
		text := Secret(rapid.SliceOfN(rapid.Byte(), 0, 100).Draw(t, "text"))
		a, b := k.Encrypt(text), k.Encrypt(text)
		if a == b {
			t.Fatal("two tokens are equal")
		}
		if got, err := k.Decrypt(a); err != nil || got != text {
			t.Fatalf("got %q, %v, want %q", got.Reveal(), err, text.Reveal())
		}
		if strings.Contains(a, text.Reveal()) && len(text) > 4 {
			t.Fatal("the token shows the text")
		}
	})
}

func TestDecrypt_WrongKey(t *testing.T) {
	_, err := Generate().Decrypt(Generate().Encrypt("postgresql://u:geheim@h/d"))
	if !errors.Is(err, ErrMismatch) || !strings.Contains(err.Error(), "does not match") {
		t.Errorf("error %v", err)
	}
	if _, err := (Key{}).Decrypt(exampleToken); !errors.Is(err, ErrMismatch) {
		t.Errorf("no key: error %v", err)
	}
}

func TestDecrypt_EveryChangedByteIsFound(t *testing.T) {
	k := parse(t, exampleKey)
	raw, err := base64.URLEncoding.DecodeString(exampleToken)
	if err != nil {
		t.Fatal(err)
	}
	for i := range raw {
		changed := bytes.Clone(raw)
		changed[i] ^= 1
		got, err := k.Decrypt(base64.URLEncoding.EncodeToString(changed))
		want := ErrMismatch
		if i == 0 {
			want = ErrBadToken // the version
		}
		if got != "" || !errors.Is(err, want) {
			t.Errorf("byte %d changed: %q, %v, want %v", i, got.Reveal(), err, want)
		}
	}
}

func TestDecrypt_Damaged(t *testing.T) {
	k := parse(t, exampleKey)
	for name, c := range map[string]struct {
		token string
		want  error
	}{
		"empty":              {"", ErrBadToken},
		"not base64":         {"gAAAA*", ErrBadToken},
		"cleartext":          {"postgresql://u:p@h/d", ErrBadToken},
		"cut":                {exampleToken[:80], ErrBadToken},
		"no padding":         {strings.TrimRight(exampleToken, "="), ErrBadToken},
		"a line break":       {exampleToken[:40] + "\n" + exampleToken[40:], ErrBadToken},
		"too short":          {base64.URLEncoding.EncodeToString(make([]byte, least-1)), ErrBadToken},
		"half a block":       {base64.URLEncoding.EncodeToString(append([]byte{version}, make([]byte, least+7)...)), ErrBadToken},
		"other last bits":    {strings.Replace(exampleToken, "DA==", "DB==", 1), ErrBadToken},
		"a later format":     {"v2:" + exampleToken, ErrNewerToken},
		"all zero":           {base64.URLEncoding.EncodeToString(append([]byte{version}, make([]byte, least-1)...)), ErrMismatch},
		"blanks are nothing": {" " + exampleToken + "\n", nil},
	} {
		if _, err := k.Decrypt(c.token); !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want %v", name, err, c.want)
		}
	}
}

func TestDecrypt_BadPaddingUnderTheRightKey(t *testing.T) {
	k := Generate()
	// A text of 15 bytes is followed by one byte 01; make it a different one by
	// changing the vector that it is combined with, and sign that.
	raw, err := base64.URLEncoding.DecodeString(k.Encrypt("123456789012345"))
	if err != nil {
		t.Fatal(err)
	}
	for _, pad := range []byte{0, 2, 16, 17, 255} {
		forged := bytes.Clone(raw[:len(raw)-32])
		forged[textAt-1] ^= 1 ^ pad
		forged = append(forged, k.mac(forged)...)
		if _, err := k.Decrypt(base64.URLEncoding.EncodeToString(forged)); !errors.Is(err, ErrBadToken) {
			t.Errorf("padding %d: error %v", pad, err)
		}
	}
}

func TestParseKey(t *testing.T) {
	for name, text := range map[string]string{
		"empty": "", "short": "YWJj", "long": exampleKey[:43] + "AAAA=", "standard alphabet": strings.ReplaceAll(exampleKey, "_", "/"),
		"no padding": exampleKey[:43], "two lines": exampleKey[:20] + "\n" + exampleKey[20:], "not base64": strings.Repeat("*", 44),
	} {
		if _, err := ParseKey(text); !errors.Is(err, ErrBadKey) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	k := parse(t, exampleKey+"\r\n")
	if got := k.Text().Reveal(); got != exampleKey {
		t.Errorf("Text() = %s, want %s", got, exampleKey)
	}
}

func TestLoad_WhereTheKeyComesFrom(t *testing.T) {
	d := newDir(t)
	if _, err := Load(d, none); !errors.Is(err, ErrNoKey) {
		t.Errorf("without a key: %v", err)
	}
	made, err := LoadOrCreate(d, none)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(d.Keystore())
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %o, want 600", info.Mode().Perm())
	}
	text, _ := os.ReadFile(d.Keystore())
	if len(text) != 45 || text[44] != '\n' {
		t.Errorf("the file holds %d bytes, want 44 and a line end", len(text))
	}
	for range 2 {
		if again, err := LoadOrCreate(d, none); err != nil || again != made {
			t.Errorf("another key the second time: %v", err)
		}
	}
	environment := func(name string) string {
		if name == Variable {
			return exampleKey
		}
		return ""
	}
	if k, err := Load(d, environment); err != nil || k != parse(t, exampleKey) {
		t.Errorf("the environment does not win: %v", err)
	}
	_, err = Load(d, func(string) string { return "not-a-key-but-secret" })
	if !errors.Is(err, ErrBadKey) || !strings.Contains(err.Error(), Variable) || strings.Contains(err.Error(), "not-a-key") {
		t.Errorf("bad key in the environment: %v", err)
	}
	if err := os.WriteFile(d.Keystore(), []byte("garbage-and-secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, load := range []func(*state.Dir, func(string) string) (Key, error){Load, LoadOrCreate} {
		_, err := load(d, none)
		if !errors.Is(err, ErrBadKey) || !strings.Contains(err.Error(), "backup") || strings.Contains(err.Error(), "garbage") {
			t.Errorf("bad key file: %v", err)
		}
	}
	if text, _ := os.ReadFile(d.Keystore()); string(text) != "garbage-and-secret" {
		t.Error("a bad key file was overwritten")
	}
}

func TestLoadOrCreate_AllGetTheSameKey(t *testing.T) {
	d := newDir(t)
	keys := make([]Key, 8)
	var wg sync.WaitGroup
	for i := range keys {
		wg.Go(func() {
			var err error
			if keys[i], err = LoadOrCreate(d, none); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, k := range keys {
		if k != keys[0] {
			t.Fatal("different keys")
		}
	}
}

func TestWarnings_LooseMode(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no file modes")
	}
	d := newDir(t)
	if w := Warnings(d); len(w) != 0 {
		t.Errorf("warnings without a key file: %q", w)
	}
	if _, err := LoadOrCreate(d, none); err != nil {
		t.Fatal(err)
	}
	for mode, warned := range map[os.FileMode]bool{0o600: false, 0o400: false, 0o640: true, 0o604: true, 0o644: true} {
		if err := os.Chmod(d.Keystore(), mode); err != nil {
			t.Fatal(err)
		}
		w := Warnings(d)
		if (len(w) == 1) != warned || warned && !strings.Contains(w[0], fmt.Sprintf("%04o", mode)) {
			t.Errorf("mode %o: warnings %q", mode, w)
		}
	}
}

func TestSecret_NothingPrintsIt(t *testing.T) {
	const text = "geheim"
	key := parse(t, exampleKey)
	v := struct {
		S Secret
		L []Secret
		M map[string]Secret
		K Key
		P *Key
	}{text, []Secret{text}, map[string]Secret{"a": text}, key, &key}
	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%t", "%T"} {
		fmt.Fprintf(&out, verb+"\n", v)
		fmt.Fprintf(&out, verb+"\n", v.S)
		fmt.Fprintf(&out, verb+"\n", v.K)
	}
	json.NewEncoder(&out).Encode(v)
	slog.New(slog.NewJSONHandler(&out, nil)).Info("m", "v", v, "s", v.S, "k", v.K)
	slog.New(slog.NewTextHandler(&out, nil)).Info("m", "v", v, "s", v.S, "k", v.K)
	for _, bad := range []string{text, fmt.Sprintf("%x", text), fmt.Sprintf("%X", text), string(key.sign), fmt.Sprintf("%x", string(key.sign)), fmt.Sprintf("%q", string(key.encrypt))} {
		if strings.Contains(out.String(), bad) {
			t.Errorf("%q was printed", bad)
		}
	}
	if v.S.Reveal() != text || Secret("").String() != "" {
		t.Error("Reveal or the empty secret is wrong")
	}
}

func FuzzDecrypt_NeverAccepts(f *testing.F) {
	k := Generate()
	f.Add(exampleToken)
	f.Add("v2:abc")
	f.Add("")
	f.Add("gAAAAABm")
	f.Fuzz(func(t *testing.T, token string) {
		got, err := k.Decrypt(token)
		if err == nil || got != "" {
			t.Fatalf("a token that was not made with the key came out as %q", got.Reveal())
		}
		if len(token) > 20 && strings.Contains(err.Error(), token) {
			t.Fatal("the error shows the token")
		}
	})
}
