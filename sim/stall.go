package sim

// A Stall tells a watcher that somebody begins or ends to wait for something
// finite. What it is, each room names by numbers of its own.
type Stall struct {
	At   Time
	For  uint8
	Ends bool
}
