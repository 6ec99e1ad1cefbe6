// Package engine is the ClickHouse engine as a library: libchdb, loaded at run time
// and without cgo.
//
// A process has one [Engine]. A [Conn] is a session of it, with settings of its own:
// it costs well under a millisecond, and many run queries at the same time. Output of
// a query that failed half-way comes out of the connection's next query, so a
// connection is closed after an error.
package engine

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"unsafe"

	"github.com/ebitengine/purego"
)

// The functions of chdb.h that are used here. Handles are pointers to pointers in C;
// the functions take the inner one, but for close.
var library struct {
	connect       func(argc int32, argv unsafe.Pointer) *unsafe.Pointer
	close         func(conn *unsafe.Pointer)
	query         func(conn unsafe.Pointer, text *byte, textLen uintptr, format *byte, formatLen uintptr, names, nameLens, values, valueLens unsafe.Pointer, count uintptr) unsafe.Pointer
	classify      func(conn unsafe.Pointer, text *byte, textLen uintptr, database *byte, databaseLen uintptr, analysis *analysis) int32
	insert        func(conn unsafe.Pointer, text *byte, textLen uintptr, format *byte, formatLen uintptr, names, nameLens, values, valueLens unsafe.Pointer, count uintptr) unsafe.Pointer
	insertAppend  func(stream unsafe.Pointer, data *byte, dataLen uintptr) int32
	insertDone    func(stream unsafe.Pointer) unsafe.Pointer
	insertError   func(stream unsafe.Pointer) *byte
	insertDestroy func(stream unsafe.Pointer)
	destroy       func(result unsafe.Pointer)
	buffer        func(result unsafe.Pointer) *byte
	length        func(result unsafe.Pointer) uintptr
	failure       func(result unsafe.Pointer) *byte
	resultRows    func(result unsafe.Pointer) uint64
	readRows      func(result unsafe.Pointer) uint64
	readBytes     func(result unsafe.Pointer) uint64
	writtenRows   func(result unsafe.Pointer) uint64
	writtenBytes  func(result unsafe.Pointer) uint64
	handleSignals func(enabled int32)
}

// analysis is what the library says of a text without running it.
type analysis struct {
	size       uint32
	Statements uint32
	_          uint32 // flags
	class      uint32
}

// load binds the functions of the library at path.
func load(path string) error {
	handle, err := purego.Dlopen(path, purego.RTLD_NOW)
	if err != nil {
		return err
	}
	l := &library
	for name, function := range map[string]any{
		"chdb_connect": &l.connect, "chdb_close_conn": &l.close, "chdb_query_with_params_n": &l.query, "chdb_classify_query_n": &l.classify,
		"chdb_stream_insert_with_params_n": &l.insert, "chdb_stream_append": &l.insertAppend, "chdb_stream_done": &l.insertDone,
		"chdb_stream_insert_error": &l.insertError, "chdb_destroy_insert_stream": &l.insertDestroy,
		"chdb_destroy_query_result": &l.destroy, "chdb_result_buffer": &l.buffer, "chdb_result_length": &l.length, "chdb_result_error": &l.failure,
		"chdb_result_rows_read": &l.resultRows, "chdb_result_storage_rows_read": &l.readRows, "chdb_result_storage_bytes_read": &l.readBytes,
		"chdb_result_rows_written": &l.writtenRows, "chdb_result_bytes_written": &l.writtenBytes,
		"chdb_set_signal_handlers_enabled": &l.handleSignals,
	} {
		symbol, err := purego.Dlsym(handle, name)
		if err != nil {
			return err
		}
		purego.RegisterFunc(function, symbol)
	}
	return nil
}

// An Engine is the running engine of the process.
type Engine struct {
	dir  string
	keep *Conn // the engine ends with its last connection
}

// Open loads the library and starts the engine with its data in dir. A process can
// open one engine, once.
func Open(path, dir string) (*Engine, error) {
	if err := load(path); err != nil {
		return nil, fmt.Errorf("loading the engine: %w", err)
	}
	library.handleSignals(0) // they are the program's
	e := &Engine{dir: dir}
	var err error
	if e.keep, err = e.Connect(); err != nil {
		return nil, err
	}
	return e, nil
}

// Close ends the engine. All connections have to be closed before.
func (e *Engine) Close() { e.keep.Close() }

// A Conn is a session of the engine: one query at a time.
type Conn struct{ handle *unsafe.Pointer }

// Connect begins a session.
func (e *Engine) Connect() (*Conn, error) {
	// Settings as a server has them, where those of a command line differ.
	argv, unpin := cStrings("clickhouse", "--path="+e.dir, "--implicit_select=0", "--allow_introspection_functions=0")
	defer unpin()
	handle := library.connect(int32(len(argv)), unsafe.Pointer(&argv[0]))
	if handle == nil {
		return nil, errors.New("the engine refuses a connection")
	}
	return &Conn{handle}, nil
}

// Close ends the session.
func (c *Conn) Close() { library.close(c.handle) }

// Result is what a query gave.
type Result struct {
	Data                      []byte // in the format that was asked for
	Rows                      uint64 // in Data
	ReadRows, ReadBytes       uint64 // from tables
	WrittenRows, WrittenBytes uint64
}

// An Error is a refusal of the engine, with its code.
type Error struct {
	Code int
	Text string // begins with "Code: "
}

func (e *Error) Error() string { return e.Text }

var code = regexp.MustCompile(`^Code: (\d+)\.`)

// fault is the error that a text of the library stands for.
func fault(text *byte) error {
	e := &Error{Code: 1002, Text: goString(text)} // "unknown exception"
	if m := code.FindStringSubmatch(e.Text); m != nil {
		e.Code, _ = strconv.Atoi(m[1])
	} else {
		e.Text = fmt.Sprintf("Code: %d. DB::Exception: %s", e.Code, e.Text)
	}
	return e
}

// Query runs a text with values for its {name:Type} parameters, which are written as
// in a field of tab-separated values. The format is for a text that names none.
func (c *Conn) Query(text []byte, format string, params map[string]string) (Result, error) {
	p := newParams(params)
	defer p.unpin()
	r := library.query(*c.handle, unsafe.SliceData(text), uintptr(len(text)), unsafe.StringData(format), uintptr(len(format)), p.names, p.nameLens, p.values, p.valueLens, p.count)
	return take(r)
}

// Insert runs an INSERT that has neither FORMAT nor data, with data in a format.
func (c *Conn) Insert(text []byte, format string, params map[string]string, data []byte) (Result, error) {
	p := newParams(params)
	defer p.unpin()
	s := library.insert(*c.handle, unsafe.SliceData(text), uintptr(len(text)), unsafe.StringData(format), uintptr(len(format)), p.names, p.nameLens, p.values, p.valueLens, p.count)
	defer library.insertDestroy(s)
	for chunk := range slices.Chunk(data, 1<<20) {
		if library.insertError(s) != nil || library.insertAppend(s, unsafe.SliceData(chunk), uintptr(len(chunk))) != 0 {
			break
		}
	}
	if e := library.insertError(s); e != nil {
		return Result{}, fault(e)
	}
	return take(library.insertDone(s))
}

// take copies a result of the library and frees it.
func take(r unsafe.Pointer) (Result, error) {
	if r == nil {
		return Result{}, errors.New("the engine gives no result")
	}
	defer library.destroy(r)
	if e := library.failure(r); e != nil {
		return Result{}, fault(e)
	}
	out := Result{
		Rows: library.resultRows(r), ReadRows: library.readRows(r), ReadBytes: library.readBytes(r),
		WrittenRows: library.writtenRows(r), WrittenBytes: library.writtenBytes(r),
	}
	if data := library.buffer(r); data != nil {
		out.Data = slices.Clone(unsafe.Slice(data, library.length(r)))
	}
	return out, nil
}

// Statements counts the statements of a text, without running them: 0 if it does not
// parse. control says that what the first one does is no matter of a database: it
// sets, kills, or writes a file.
func (c *Conn) Statements(text []byte) (count int, control bool) {
	a := analysis{size: uint32(unsafe.Sizeof(analysis{}))}
	if library.classify(*c.handle, unsafe.SliceData(text), uintptr(len(text)), nil, 0, &a) != 0 {
		return 0, false
	}
	const classControl = 3
	return int(a.Statements), a.class == classControl
}

// params are names and values as the library takes them.
type params struct {
	names, nameLens, values, valueLens unsafe.Pointer
	count                              uintptr
	unpin                              func()
}

func newParams(values map[string]string) params {
	if len(values) == 0 {
		return params{unpin: func() {}}
	}
	names := slices.Sorted(maps.Keys(values))
	nameLens, valueLens := make([]uintptr, len(names)), make([]uintptr, len(names))
	texts := make([]string, len(names))
	for i, name := range names {
		texts[i] = values[name]
		nameLens[i], valueLens[i] = uintptr(len(name)), uintptr(len(texts[i]))
	}
	n, unpinNames := cStrings(names...)
	v, unpinValues := cStrings(texts...)
	var pin runtime.Pinner
	pin.Pin(&nameLens[0])
	pin.Pin(&valueLens[0])
	return params{
		unsafe.Pointer(&n[0]), unsafe.Pointer(&nameLens[0]), unsafe.Pointer(&v[0]), unsafe.Pointer(&valueLens[0]), uintptr(len(names)),
		func() { unpinNames(); unpinValues(); pin.Unpin() },
	}
}

// cStrings makes an array of texts that end with a zero byte. It stays where it is
// until it is unpinned.
func cStrings(texts ...string) (array []*byte, unpin func()) {
	var pin runtime.Pinner
	for _, text := range texts {
		b := append([]byte(text), 0)
		pin.Pin(&b[0])
		array = append(array, &b[0])
	}
	pin.Pin(&array[0])
	return array, pin.Unpin
}

// goString copies a text that ends with a zero byte.
func goString(p *byte) string {
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(p), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(p, n))
}
