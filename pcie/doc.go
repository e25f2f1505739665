// Package pcie is the link between a device and its host.
package pcie
