package tpt

import "hcasim/ib"

// A Variant is the set of choices that the specification leaves or that
// implementations make differently (the switches of protection). A rule asks
// for a switch, never for a vendor.
type Variant struct {
	LocalInvFailStatus      ib.WCStatus // local_inv_fail_status: 6 | 2 | 4
	RemoteInvFail           string      // remote_inv_fail: silent | ack | nak_access
	RemoteInvFailRecvStatus ib.WCStatus // remote_inv_fail_recv_status: 6 | 9
	RecvLKeyFailStatus      ib.WCStatus // recv_lkey_fail_status: 4 | 2
	RecvShortStatus         ib.WCStatus // recv_short_status: 1 | 9
	SendLKeyFailStatus      ib.WCStatus // send_lkey_fail_status: 4 | 2
}
