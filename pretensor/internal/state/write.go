package state

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// tempPrefix begins the names of files that are being written.
const tempPrefix = ".tmp-"

// Step is a step of a write.
type Step string

// The steps of a write, in their order. Up to and including the failure of
// StepRename the old bytes stay; after it the new ones are in place.
const (
	StepCreate  Step = "create"
	StepWrite   Step = "write"
	StepSync    Step = "sync"
	StepRename  Step = "rename"
	StepSyncDir Step = "sync folder"
)

// Writer writes files atomically: a temporary file in the same folder, its bytes
// forced to the disk, then renamed. The zero value is ready for use, by several
// goroutines.
type Writer struct {
	// Before, if set, is called before each step; its error becomes that of the
	// step. Tests make a step fail with it, or end the process there.
	Before func(step Step, path string) error
}

func (w Writer) before(step Step, path string) error {
	if w.Before == nil {
		return nil
	}
	return w.Before(step, path)
}

// Write makes data the content of the file at path, which gets mode. Should it
// fail, the file is as it was, unless the error is of [StepSyncDir]: then the new
// bytes are in place, but a power cut may still bring back the old ones.
func (w Writer) Write(path string, data []byte, mode fs.FileMode) error {
	temp, err := w.temp(path, data, mode)
	if err == nil {
		err = w.rename(temp, path)
	}
	return failed(path, err)
}

// WriteNew is Write for a file that must not exist yet; it fails with
// [fs.ErrExist] when it does, also if another process creates it at the same
// moment.
func (w Writer) WriteNew(path string, data []byte, mode fs.FileMode) error {
	if _, err := os.Lstat(path); err == nil {
		return failed(path, fs.ErrExist)
	}
	temp, err := w.temp(path, data, mode)
	if err != nil {
		return failed(path, err)
	}
	if err = w.before(StepRename, path); err == nil {
		err = moveNew(temp, path)
	}
	os.Remove(temp) // or it has been moved
	if err == nil {
		err = w.syncDir(path)
	}
	return failed(path, err)
}

// moveNew moves temp to path unless something is there: a link fails then, which a
// rename would not. Where there are no links, a look has to do.
func moveNew(temp, path string) error {
	err := os.Link(temp, path)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	if _, look := os.Lstat(path); !errors.Is(look, fs.ErrNotExist) {
		return fs.ErrExist
	}
	return os.Rename(temp, path)
}

// temp writes a temporary file beside path, and removes it if that fails.
func (w Writer) temp(path string, data []byte, mode fs.FileMode) (name string, err error) {
	if err := w.before(StepCreate, path); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(filepath.Dir(path), tempPrefix+"*-"+filepath.Base(path))
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	err = func() error {
		if err := f.Chmod(mode); err != nil {
			return err
		}
		if err := w.before(StepWrite, path); err != nil {
			return err
		}
		if _, err := f.Write(data); err != nil {
			return err
		}
		if err := w.before(StepSync, path); err != nil {
			return err
		}
		return f.Sync()
	}()
	return f.Name(), errors.Join(err, f.Close())
}

func (w Writer) rename(temp, path string) error {
	err := w.before(StepRename, path)
	if err == nil {
		err = os.Rename(temp, path)
	}
	if err != nil {
		os.Remove(temp)
		return err
	}
	return w.syncDir(path)
}

func (w Writer) syncDir(path string) error {
	if err := w.before(StepSyncDir, path); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(path))
}

func failed(path string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("writing %s: %w", filepath.Base(path), bare(err))
}

// staleTemp is the age from which a temporary file belongs to no running write.
// The key file is the one file that is written without the lock, in milliseconds.
const staleTemp = time.Minute

// sweep removes the temporary files of writers that were killed. The caller holds the
// lock.
func (d *Dir) sweep(now time.Time) {
	for _, folder := range []string{d.path, d.in(graphsName), d.in(snapshotsName)} {
		entries, err := os.ReadDir(folder)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if !strings.HasPrefix(e.Name(), tempPrefix) {
				continue
			}
			if info, err := e.Info(); err == nil && now.Sub(info.ModTime()) > staleTemp {
				os.Remove(filepath.Join(folder, e.Name()))
			}
		}
	}
}
