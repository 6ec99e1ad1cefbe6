// Package provider runs the programs that an operator attaches for engines without a
// built-in reader.
package provider

// Provider is a program that reads the catalog of one engine.
type Provider struct {
	Name    string
	Engine  string
	Schemes []string
}
