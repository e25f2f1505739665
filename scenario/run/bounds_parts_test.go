package run_test

import (
	"path/filepath"
	"sync"
	"testing"

	"hcasim/scenario"
)

// profiles are those that bounds must hold on, whatever the numbers.
var profiles = []string{"spec-ideal", "connectx3-like", "connectx5-like"}

// TestPartsAddUp: the parts of a latency are the latency, to the picosecond,
// of every request of every kind, with and without faults, on profiles that the
// scenarios are not written for. Whether what they expect comes of these is not
// asked. On their own profiles, package scenario looks at the parts.
func TestPartsAddUp(t *testing.T) {
	if testing.Short() {
		t.Skip("no goroutine is in it")
	}
	var files []string
	for _, folder := range []string{"verbs", "faults"} {
		some, err := filepath.Glob(filepath.Join("../../scenarios", folder, "*.yaml"))
		if err != nil || len(some) == 0 {
			t.Fatal(folder, some, err)
		}
		files = append(files, some...)
	}
	a := added{kinds: map[string]int{}}
	t.Run("all", func(t *testing.T) {
		for _, profile := range profiles[1:] {
			for _, file := range files {
				t.Run(profile+"/"+filepath.Base(file), func(t *testing.T) {
					t.Parallel()
					a.file(t, file, profile)
				})
			}
		}
	})
	for _, kind := range []string{
		"IBV_WR_RDMA_WRITE", "IBV_WR_RDMA_WRITE_WITH_IMM", "IBV_WR_RDMA_READ", "IBV_WR_SEND", "IBV_WR_SEND_WITH_IMM", "IBV_WR_SEND_WITH_INV",
		"IBV_WR_ATOMIC_CMP_AND_SWP", "IBV_WR_ATOMIC_FETCH_AND_ADD", "IBV_WR_BIND_MW", "ibv_bind_mw", "IBV_WR_LOCAL_INV", "IBV_WR_REG_MR",
	} {
		if a.kinds[kind] == 0 {
			t.Errorf("there was no %s", kind)
		}
	}
}

// added counts the requests whose parts were added, by kind.
type added struct {
	mu    sync.Mutex
	kinds map[string]int
}

func (a *added) file(t *testing.T, file, profile string) {
	runs, err := scenario.Load(file, scenario.Options{Sets: []string{"profile=" + profile, "wire.mtu=4096"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range runs {
		res, err := r.DoUnwatched()
		if err != nil {
			t.Errorf("%s: %v", r.Name, err)
			continue
		}
		for i := range res.Ops {
			o := &res.Ops[i]
			if !o.Done || o.Verb || o.Recv {
				continue
			}
			if o.Spent() != o.Latency() {
				t.Errorf("%s: op %s %s takes %v, its parts %v", r.Name, o.ID, o.Request, o.Latency(), o.Spent())
			}
			a.mu.Lock()
			a.kinds[o.Request]++
			a.mu.Unlock()
		}
	}
}
