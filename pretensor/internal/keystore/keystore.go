// Package keystore keeps connection strings secret on disk. A [Key] turns text
// into a Fernet token (version 0x80, time, AES-128-CBC, HMAC-SHA256, urlsafe
// base64) and back; the key lies in a file of its own beside the data, or comes
// from the environment.
//
// It protects a state directory that is copied, committed or backed up without
// its key file. It does not protect against someone who can read both.
package keystore

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/quartet-mcp/quartet/pretensor/internal/state"
)

// Variable is the environment variable that overrides the key file.
const Variable = "PRETENSOR_KEY"

// Why a key or token cannot be used.
var (
	// ErrNoKey: there is no key file yet, and none in the environment.
	ErrNoKey = errors.New("there is no key: neither a keystore in the state directory nor " + Variable)
	// ErrBadKey: what should be a key is none.
	ErrBadKey = errors.New("not a key: want 32 bytes in urlsafe base64, 44 characters")
	// ErrMismatch: the token was made with another key, or changed since. The two
	// cannot be told apart.
	ErrMismatch = errors.New("the keystore does not match: the secret was stored with another key, or has been changed")
	// ErrBadToken: the text is no token at all.
	ErrBadToken = errors.New("the stored secret is damaged: it is no Fernet token")
	// ErrNewerToken: the token has a form that this version does not know.
	ErrNewerToken = errors.New("the secret was stored by a newer version of pretensor; use that one")
)

const (
	keySize = 32
	version = 0x80
	// Where things lie in a token: version, time, initialisation vector, text, HMAC.
	ivAt   = 1 + 8
	textAt = ivAt + aes.BlockSize
	least  = textAt + aes.BlockSize + sha256.Size
)

// Key is a secret key. Printing it shows nothing of it.
type Key struct {
	sign, encrypt Secret // 16 bytes each
}

var encoding = base64.URLEncoding.Strict()

// Generate makes a new random key.
func Generate() Key {
	var b [keySize]byte
	rand.Read(b[:]) // never fails
	return split(b[:])
}

func split(b []byte) Key {
	return Key{sign: Secret(b[:keySize/2]), encrypt: Secret(b[keySize/2:])}
}

// ParseKey reads a key from its text. Blanks around it do not count.
func ParseKey(text string) (Key, error) {
	text = strings.TrimSpace(text)
	b, err := encoding.DecodeString(text)
	if err != nil || len(b) != keySize || strings.ContainsAny(text, "\r\n") {
		return Key{}, ErrBadKey
	}
	return split(b), nil
}

// Text is the key as [ParseKey] reads it.
func (k Key) Text() Secret {
	return Secret(encoding.EncodeToString([]byte(k.sign + k.encrypt)))
}

func (k Key) String() string { return hidden }

// Format writes the same whatever the verb is.
func (k Key) Format(f fmt.State, _ rune) { f.Write([]byte(hidden)) }

// Encrypt makes a token of the text.
func (k Key) Encrypt(text Secret) string {
	var iv [aes.BlockSize]byte
	rand.Read(iv[:]) // never fails
	return k.token([]byte(text), time.Now(), iv)
}

func (k Key) token(text []byte, now time.Time, iv [aes.BlockSize]byte) string {
	out := make([]byte, 0, least+len(text))
	out = append(out, version)
	out = binary.BigEndian.AppendUint64(out, uint64(now.Unix()))
	out = append(out, iv[:]...)
	out = append(out, text...)
	pad := aes.BlockSize - len(text)%aes.BlockSize
	for range pad {
		out = append(out, byte(pad))
	}
	cipher.NewCBCEncrypter(k.block(), iv[:]).CryptBlocks(out[textAt:], out[textAt:])
	return encoding.EncodeToString(append(out, k.mac(out)...))
}

// Decrypt returns the text of a token, however old it is. Its errors are
// [ErrMismatch], [ErrBadToken] and [ErrNewerToken], and hold nothing of the token.
func (k Key) Decrypt(token string) (Secret, error) {
	token = strings.TrimSpace(token)
	if prefix, _, ok := strings.Cut(token, ":"); ok && len(prefix) > 1 && prefix[0] == 'v' && strings.Trim(prefix[1:], "0123456789") == "" {
		return "", ErrNewerToken
	}
	b, err := encoding.DecodeString(token)
	if err != nil || strings.ContainsAny(token, "\r\n") || len(b) < least || b[0] != version || (len(b)-least)%aes.BlockSize != 0 {
		return "", ErrBadToken
	}
	signed, mac := b[:len(b)-sha256.Size], b[len(b)-sha256.Size:]
	if k.sign == "" || !hmac.Equal(mac, k.mac(signed)) {
		return "", ErrMismatch
	}
	text := signed[textAt:]
	cipher.NewCBCDecrypter(k.block(), signed[ivAt:textAt]).CryptBlocks(text, text)
	// The text is authentic here, so its padding tells an attacker nothing.
	pad := int(text[len(text)-1])
	if pad < 1 || pad > aes.BlockSize || strings.Trim(string(text[len(text)-pad:]), string(rune(pad))) != "" {
		return "", ErrBadToken
	}
	return Secret(text[:len(text)-pad]), nil
}

func (k Key) block() cipher.Block {
	block, err := aes.NewCipher([]byte(k.encrypt))
	if err != nil {
		panic("keystore: use of a Key that was not made by this package")
	}
	return block
}

func (k Key) mac(b []byte) []byte {
	h := hmac.New(sha256.New, []byte(k.sign))
	h.Write(b)
	return h.Sum(nil)
}

// Load returns the key: the one in the environment (getenv gives a variable's
// value), else the one of the state directory, else [ErrNoKey].
func Load(d *state.Dir, getenv func(string) string) (Key, error) {
	if text := getenv(Variable); text != "" {
		k, err := ParseKey(text)
		if err != nil {
			return Key{}, fmt.Errorf("%s is %w", Variable, err)
		}
		return k, nil
	}
	text, err := state.Read(d.Keystore())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Key{}, ErrNoKey
	case errors.Is(err, fs.ErrPermission):
		return Key{}, errors.New("the keystore cannot be read: it belongs to another user")
	case err != nil:
		return Key{}, errors.New("the keystore cannot be read: it is not a regular file")
	}
	k, err := ParseKey(string(text))
	if err != nil {
		return Key{}, fmt.Errorf("the keystore is %w; restore it from a backup, or move it away and add the connections again", err)
	}
	return k, nil
}

// LoadOrCreate is [Load], and writes a new key file where there is no key. The
// state directory must exist. Of several processes that create one at the same
// moment, all get the same key.
func LoadOrCreate(d *state.Dir, getenv func(string) string) (Key, error) {
	k, err := Load(d, getenv)
	if !errors.Is(err, ErrNoKey) {
		return k, err
	}
	k = Generate()
	switch err := d.Files.WriteNew(d.Keystore(), []byte(k.Text().Reveal()+"\n"), state.FileMode); {
	case errors.Is(err, fs.ErrExist):
		return Load(d, getenv)
	case err != nil:
		return Key{}, err
	}
	return k, nil
}

// Warnings says what is wrong with the mode of the key file, in one sentence each.
// There are none on systems without such modes.
func Warnings(d *state.Dir) []string {
	info, err := os.Stat(d.Keystore())
	if err != nil || runtime.GOOS == "windows" || info.Mode().Perm()&0o077 == 0 {
		return nil
	}
	return []string{fmt.Sprintf("the keystore has mode %04o, so others can use it; run: chmod 600 %s in the state directory", info.Mode().Perm(), state.KeystoreName)}
}
