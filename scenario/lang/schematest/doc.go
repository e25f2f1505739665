// Package schematest holds our JSON Schemas to an independent reader of them, in
// tests: what a decoder takes, its schema must take, and the other way round.
package schematest
