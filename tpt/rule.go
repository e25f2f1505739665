package tpt

import "hcasim/ib"

// Rule returns the id of the rule that tells most about a refusal: f is what
// Check answered for e and a. It is "" for OK. Messages cite it.
func (f Fault) Rule(e Entry, a Access) string {
	window := e.Kind.IsWindow()
	switch f {
	case OK:
		return ""
	case BadIndex:
		if window {
			return "KEY-11"
		}
		return "KEY-1"
	case BadKey:
		return "KEY-2"
	case NotValid:
		return notValidRule(e)
	case PDMismatch:
		if a.Remote && !window {
			return "REM-13"
		}
		return "PD-2"
	case QPMismatch:
		return "MW-11"
	case NoRight:
		return noRightRule(e, a)
	case OutOfRange:
		return outOfRangeRule(e, a)
	case NoTranslation:
		return "MR-2"
	}
	return ""
}

func notValidRule(e Entry) string {
	switch {
	case e.State == Valid: // when it was judged: the key died with the message under way
		return "REM-8"
	case e.Kind.IsWindow() && e.State == Unusable:
		return "DER-1"
	case e.Kind.IsWindow():
		return "MW-9"
	case e.State == Unusable:
		return "RER-7"
	}
	return "MR-4"
}

func noRightRule(e Entry, a Access) string {
	switch {
	case e.Kind.IsWindow() && e.Rights&remoteAccess == 0:
		return "BND-5"
	case e.Kind.IsWindow():
		return "MW-5"
	case !a.Remote:
		return "MR-7"
	case e.Rights&remoteAccess == 0:
		return "KEY-10"
	case a.Need&ib.RemoteAtomic != 0:
		return "ACC-4"
	}
	return "ACC-3"
}

func outOfRangeRule(e Entry, a Access) string {
	switch {
	case e.Kind.IsWindow() && e.Rights&ib.ZeroBased != 0:
		return "MW-8"
	case a.Judge.Length > 0 && a.Judge.VA+(a.Judge.Length-1) < a.Judge.VA:
		return "REM-12"
	case e.Kind.IsWindow():
		return "MW-7"
	case a.Remote:
		return "REM-11"
	}
	return "MR-9"
}
