// Package code holds the stable codes of what can go wrong in a call, who can repair it,
// and the [Error] that carries a code. Codes are only ever added.
package code

import (
	"errors"
	"fmt"
)

// Code is the stable name of a sort of failure.
type Code string

// The codes.
const (
	InvalidRequest             Code = "invalid_request"
	SchemaSourceUnreadable     Code = "schema_source_unreadable"
	RenderFailed               Code = "render_failed"
	UnsafePath                 Code = "unsafe_path"
	ArtifactTooLarge           Code = "artifact_too_large"
	NotRegularFile             Code = "not_regular_file"
	UnknownPreview             Code = "unknown_preview"
	DigestMismatch             Code = "digest_mismatch"
	InvalidPatch               Code = "invalid_patch"
	GateFailed                 Code = "gate_failed"
	DatabaseUnreachable        Code = "database_unreachable"
	DatabaseReadFailed         Code = "database_read_failed"
	WriteFailed                Code = "write_failed"
	NoWorkspace                Code = "no_workspace"
	NoDatabaseTarget           Code = "no_database_target"
	NoSourceScope              Code = "no_source_scope"
	ArtifactClassNotConfigured Code = "artifact_class_not_configured"
	CapabilityDenied           Code = "capability_denied"
	ApprovalUnavailable        Code = "approval_unavailable"
	VerificationUnavailable    Code = "verification_unavailable"
	ApprovalRefused            Code = "approval_refused"
	Internal                   Code = "internal"
)

// All lists the codes in the order of the documentation.
func All() []Code {
	return []Code{
		InvalidRequest, SchemaSourceUnreadable, RenderFailed, UnsafePath, ArtifactTooLarge, NotRegularFile,
		UnknownPreview, DigestMismatch, InvalidPatch, GateFailed,
		DatabaseUnreachable, DatabaseReadFailed, WriteFailed,
		NoWorkspace, NoDatabaseTarget, NoSourceScope, ArtifactClassNotConfigured, CapabilityDenied,
		ApprovalUnavailable, VerificationUnavailable,
		ApprovalRefused, Internal,
	}
}

// Actor is who can repair a failure.
type Actor string

// The actors.
const (
	Caller      Actor = "caller"      // who sent the arguments
	Environment Actor = "environment" // nobody here: a server, network or disk
	Operator    Actor = "operator"    // who started the process
	Person      Actor = "person"      // who was asked for approval
	Ptah        Actor = "ptah"        // who wrote the program
)

// Actor returns who can repair failures of this code.
func (c Code) Actor() Actor {
	switch c {
	case InvalidRequest, SchemaSourceUnreadable, RenderFailed, UnsafePath, ArtifactTooLarge, NotRegularFile,
		UnknownPreview, DigestMismatch, InvalidPatch, GateFailed:
		return Caller
	case DatabaseUnreachable, DatabaseReadFailed, WriteFailed:
		return Environment
	case NoWorkspace, NoDatabaseTarget, NoSourceScope, ArtifactClassNotConfigured, CapabilityDenied,
		ApprovalUnavailable, VerificationUnavailable:
		return Operator
	case ApprovalRefused:
		return Person
	}
	return Ptah
}

// Retryable reports whether the same call may succeed later without anybody changing it.
func (c Code) Retryable() bool { return c.Actor() == Environment }

// Error is a failure that a caller is told of. Message and Hint are one line each, in
// lower case and without a full stop, and hold neither secrets nor absolute paths
// outside of what is configured.
type Error struct {
	Code    Code
	Message string // what is wrong, with the offending value
	Hint    string // what would work; may be empty
	Err     error  // the cause, for the log alone
}

// New returns an error. A %w verb sets the cause, whose text is then part of the message.
func New(c Code, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Code: c, Message: err.Error(), Err: errors.Unwrap(err)}
}

// WithHint sets what would work and returns the error.
func (e *Error) WithHint(format string, args ...any) *Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

// Because sets the cause, which only the log sees, and returns the error.
func (e *Error) Because(err error) *Error {
	e.Err = err
	return e
}

// Error returns the text that callers see: "code: message. hint".
func (e *Error) Error() string {
	s := string(e.Code) + ": " + e.Message
	if e.Hint != "" {
		s += ". " + e.Hint
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Of returns the code of an error: [Internal] if none in its chain is an [Error], and
// nothing for nil.
func Of(err error) Code {
	if err == nil {
		return ""
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return Internal
}
