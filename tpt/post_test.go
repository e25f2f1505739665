package tpt

import (
	"testing"

	"hcasim/ib"
)

// What a bind is told at once, when it is posted.
func TestCheckBind(t *testing.T) {
	spec, mlx5 := SpecVariant(), MLX5Variant()
	objects := func(mw ib.MWType) BindObjects {
		return BindObjects{Window: mw, WindowPD: 1, RegionPD: 1, RegionAccess: allRights}
	}
	for _, c := range []struct {
		v     *Variant
		b     ib.Bind
		o     BindObjects
		errno ib.Errno
		rule  string
	}{
		{&spec, ib.Bind{Type: 1, Length: 64, Access: rw}, objects(1), ib.OK, ""},
		{&spec, ib.Bind{Type: 2, Length: 64, Access: rw | zb}, objects(2), ib.OK, ""},
		{&spec, ib.Bind{Type: 1, NoRegion: true}, objects(1), ib.OK, ""},
		{&spec, ib.Bind{Type: 1, Length: 64}, objects(2), ib.EINVAL, "POST-3"},
		{&spec, ib.Bind{Type: 2, Length: 64}, objects(1), ib.EINVAL, "POST-4"},
		{&spec, ib.Bind{Type: 2, Length: 64, Access: lw}, objects(2), ib.EINVAL, "BND-7"},
		{&spec, ib.Bind{Type: 1, Length: 64, Access: zb}, objects(1), ib.EINVAL, "BND-8"},
		{&spec, ib.Bind{Type: 1, Length: 64, NoRegion: true}, objects(1), ib.EINVAL, "POST-3"},
		{&spec, ib.Bind{Type: 1, Addr: 64, NoRegion: true}, objects(1), ib.EINVAL, "POST-3"},
		{&spec, ib.Bind{Type: 1, Length: 64}, BindObjects{Window: 1, WindowPD: 1, RegionPD: 2}, ib.EPERM, "POST-3"},
		{&spec, ib.Bind{Type: 2, Length: 64}, BindObjects{Window: 2, WindowPD: 1, RegionPD: 2}, ib.OK, ""}, // judged later
		{&spec, ib.Bind{Type: 1, Length: 64}, BindObjects{Window: 1, RegionAccess: zb | mb}, ib.EINVAL, "BND-9"},
		{&spec, ib.Bind{Type: 2, Length: 64}, BindObjects{Window: 2, RegionAccess: zb | mb}, ib.OK, ""},
		{&spec, ib.Bind{Type: 2, Length: 3 << 30}, objects(2), ib.OK, ""},
		{&mlx5, ib.Bind{Type: 2, Length: 2 << 30}, objects(2), ib.OK, ""},
		{&mlx5, ib.Bind{Type: 2, Length: 2<<30 + 1}, objects(2), ib.EOPNOTSUPP, "BND-6"},
	} {
		if errno, rule := c.v.CheckBind(&c.b, c.o); errno != c.errno || rule != c.rule {
			t.Errorf("%+v: %d by %q, want %d by %q", c.b, errno, rule, c.errno, c.rule)
		}
	}
}
