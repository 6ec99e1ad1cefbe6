// Package config reads the configuration: config.yaml, the sources.secrets.yaml
// beside it, and the environment variables of the program. Every key is known,
// every value has its range, and an error names the line, what is wrong there and
// what would be right.
//
// Values are kept as they are written. References such as ${PG_PASSWORD} in
// sources are replaced only when a source is used, by [Source.Connect].
package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/keystore"
	"github.com/quartet-mcp/quartet/pretensor/internal/state"
)

// Embedding providers.
const (
	ProviderNone    = "none"
	ProviderBuiltin = "builtin"
	ProviderONNX    = "onnx"
	ProviderHTTP    = "http"
)

// Config is the configuration. Paths in it are relative to the working directory
// or absolute, not to the file.
type Config struct {
	// File is where it was read from; empty: there is none, and all is default.
	File     string
	StateDir string

	Graph        Graph
	Embeddings   Embeddings
	Privacy      Privacy
	Visibility   Visibility
	Defaults     ConnectionDefaults
	Sources      map[string]Source
	Repositories []Repository

	// Warnings are what the user should know, in one sentence each.
	Warnings []string
}

// Graph holds how graphs are built.
type Graph struct {
	StaleIndexWarningDays        int      // an index older than this is stale
	ClusteringResolutionOverride *float64 // nil: chosen by the program
	JoinPathMaxDepth             int      // 1 to 8
	MinClusterSizeMerge          int
	CollapseShadowAliases        bool
	LineageInMaxForAlias         int
	SameNameMaxTables            *int // at least 2; nil: no gate
	PrecomputeMaxTables          int
}

// Embeddings holds where vectors come from and what they do.
type Embeddings struct {
	Provider      string // none, builtin, onnx or http
	ModelDir      string // of onnx
	URL           string // of http
	IndexTables   bool
	ClusterBlend  float64  // 0 to 1
	JoinThreshold *float64 // 0 to 1; nil: off
	RoleWeight    float64  // 0 to 1
}

// Privacy holds which statistics are read and kept.
type Privacy struct {
	Stats        connect.StatsMode
	SampleValues bool
}

// Visibility holds where the rules are, and which of its profiles is used.
type Visibility struct {
	Path    string
	Profile string // empty: the base rules alone
}

// ConnectionDefaults hold for connections that do not say otherwise.
type ConnectionDefaults struct {
	Name    string
	Dialect string
}

// Repository is a folder of code that was analysed.
type Repository struct {
	Path       string
	Service    string
	Connection string
}

// Source returns the source of exactly this name; the error names the nearest
// ones.
func (c *Config) Source(name string) (Source, error) {
	if s, ok := c.Sources[name]; ok {
		return s, nil
	}
	names := make([]string, 0, len(c.Sources))
	for n := range c.Sources {
		names = append(names, n)
	}
	if len(names) == 0 {
		return Source{}, fmt.Errorf("source %q is not configured: there are no sources in %s", quotable(name), state.ConfigName)
	}
	slices.Sort(names)
	return Source{}, fmt.Errorf("source %q is not configured%s", quotable(name), suggest(name, names))
}

// Defaults is the configuration without a file.
func Defaults() *Config {
	eight := 8
	return &Config{
		StateDir: state.DefaultPath,
		Graph: Graph{StaleIndexWarningDays: 7, JoinPathMaxDepth: 4, MinClusterSizeMerge: 3, CollapseShadowAliases: true, LineageInMaxForAlias: 1,
			SameNameMaxTables: &eight, PrecomputeMaxTables: 400},
		Embeddings: Embeddings{Provider: ProviderBuiltin, IndexTables: true},
		Privacy:    Privacy{Stats: connect.StatsCatalog},
		Visibility: Visibility{Path: filepath.Join(state.DefaultPath, state.VisibilityName)},
		Sources:    map[string]Source{},
	}
}

// Options are what the command line and the environment say about where to look.
// The zero value means that they say nothing.
type Options struct {
	ConfigFlag   string // --config
	StateDirFlag string // --state-dir
	Env          Env
}

// Load finds and reads the configuration. The file is that of the flag, else that
// of the environment, else config.yaml in the state directory if it is there; one
// that was named must exist. The state directory is that of the flag, else of the
// environment, else of the file, else [state.DefaultPath].
func Load(o Options) (*Config, error) {
	stateDir := first(o.StateDirFlag, o.Env.StateDir)
	file := first(o.ConfigFlag, o.Env.ConfigFile)
	named := file != ""
	if !named {
		file = state.At(stateDir).Config()
	}
	c, err := read(file)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !named:
		c = Defaults()
		c.Visibility.Path = state.At(stateDir).Visibility()
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("the configuration file %s does not exist", filepath.Base(file))
	case err != nil:
		return nil, err
	}
	if stateDir != "" {
		c.StateDir = stateDir
	}
	return c, nil
}

func first(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}

// maxSize bounds a file: nobody writes more by hand.
const maxSize = 1 << 20

// readFile reads a file of the configuration; its errors name the file alone.
func readFile(path string) ([]byte, error) {
	name := filepath.Base(path)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fs.ErrNotExist
	case err == nil && !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a file", name)
	case err == nil && info.Size() > maxSize:
		return nil, fmt.Errorf("%s is larger than %d bytes", name, maxSize)
	}
	text, err := state.Read(path)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read; check who may", name)
	}
	return text, nil
}

// read reads the file and the secrets beside it.
func read(path string) (*Config, error) {
	text, err := readFile(path)
	if err != nil {
		return nil, err
	}
	folder := filepath.Dir(path)
	secretsPath := filepath.Join(folder, state.SecretsName)
	secrets, err := readFile(secretsPath)
	haveSecrets := err == nil
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	c, err := parse(filepath.Base(path), text, secrets)
	if err != nil {
		return nil, err
	}
	c.File = path
	c.locate(folder)
	c.Warnings = append(c.Warnings, c.Embeddings.unused()...)
	if info, err := os.Stat(secretsPath); haveSecrets && err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o004 != 0 {
		c.Warnings = append(c.Warnings, fmt.Sprintf("%s can be read by everybody on this machine (mode %04o); run: chmod 600 %s", state.SecretsName, info.Mode().Perm(), state.SecretsName))
	}
	return c, nil
}

// unused says which settings are given and have no effect yet.
func (e *Embeddings) unused() []string {
	var out []string
	for _, s := range []struct {
		name string
		set  bool
	}{{"cluster_blend", e.ClusterBlend != 0}, {"join_threshold", e.JoinThreshold != nil}, {"role_weight", e.RoleWeight != 0}} {
		if s.set {
			out = append(out, "embeddings."+s.name+" has no effect in this version")
		}
	}
	return out
}

// locate makes the paths relative to the folder of the file.
func (c *Config) locate(folder string) {
	at := func(path string) string {
		if path == "" || filepath.IsAbs(path) {
			return path
		}
		return filepath.Join(folder, path)
	}
	switch {
	case c.StateDir == "":
		c.StateDir = state.DefaultPath
	case filepath.IsAbs(c.StateDir):
	case filepath.Base(folder) == filepath.Clean(c.StateDir):
		// The usual file lies in the state directory and calls it by its name.
		c.StateDir = folder
	default:
		c.StateDir = at(c.StateDir)
	}
	c.Visibility.Path = at(c.Visibility.Path)
	c.Embeddings.ModelDir = at(c.Embeddings.ModelDir)
	for i := range c.Repositories {
		c.Repositories[i].Path = at(c.Repositories[i].Path)
	}
	for name, s := range c.Sources {
		s.folder = folder
		c.Sources[name] = s
	}
}

// Env is what the environment says.
type Env struct {
	StateDir           string          // PRETENSOR_STATE_DIR
	ConfigFile         string          // PRETENSOR_CONFIG
	NonInteractive     bool            // PRETENSOR_NONINTERACTIVE
	EmbeddingsDisabled bool            // PRETENSOR_EMBEDDINGS_DISABLED: beats every other setting
	ProfileIndex       bool            // PRETENSOR_PROFILE_INDEX
	HTTPToken          keystore.Secret // PRETENSOR_HTTP_TOKEN
	NoColor            bool            // NO_COLOR: set to anything
}

// ReadEnv reads the environment; getenv gives a variable's value. The key of the
// keystore, PRETENSOR_KEY, is read where it is used.
func ReadEnv(getenv func(string) string) Env {
	return Env{
		StateDir:           getenv("PRETENSOR_STATE_DIR"),
		ConfigFile:         getenv("PRETENSOR_CONFIG"),
		NonInteractive:     truthy(getenv("PRETENSOR_NONINTERACTIVE")),
		EmbeddingsDisabled: truthy(getenv("PRETENSOR_EMBEDDINGS_DISABLED")),
		ProfileIndex:       truthy(getenv("PRETENSOR_PROFILE_INDEX")),
		HTTPToken:          keystore.Secret(getenv("PRETENSOR_HTTP_TOKEN")),
		NoColor:            getenv("NO_COLOR") != "",
	}
}

func truthy(value string) bool {
	switch strings.ToLower(strings.TrimSpace(value)) {
	case "", "0", "false", "no", "off", "n", "f":
		return false
	}
	return true
}

// Pick is the value of a setting: the flag's if one was given, else the
// environment's, else the file's. Each is nil where it says nothing; the file's
// value has the default in it.
func Pick[T any](flag, env *T, file T) T {
	switch {
	case flag != nil:
		return *flag
	case env != nil:
		return *env
	}
	return file
}
