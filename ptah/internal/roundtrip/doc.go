// Package roundtrip holds the test that schemas survive: a script is loaded into an empty
// database, read as a declared schema, rendered, and the statements are executed in
// another empty database. The catalogs of the two must be equal, object by object, and
// what ptah wrote must be read back to the same statements.
//
// Further scripts are taken from ../../testdata/roundtrip/<dialect>/ and from the folder
// that PTAH_ROUNDTRIP names, which has the same folders inside.
package roundtrip
