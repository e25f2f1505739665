// Package held holds documents that are generated to what they are generated
// from, in tests.
package held
