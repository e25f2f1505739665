package sweep

import (
	"fmt"
	"strconv"
	"strings"
)

// A Shard is a part of a sweep: the points p with p mod Of = Index. Neighbours,
// which take about as long, are in different ones.
type Shard struct{ Index, Of int }

// All is the shard of all points.
var All = Shard{0, 1}

// has reports whether a point is in the shard.
func (s Shard) has(point int) bool { return point%s.Of == s.Index }

// String returns it as --shard takes it.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Of) }

// An engine numbers the tasks of an array in a variable of the environment.
type engine struct {
	variable string
	first    int    // number of the first task, as submit and our advice have it
	none     string // what it says in a job that is no array
	name     string
}

// engines in the order of their names in messages.
var engines = []engine{
	{"SLURM_ARRAY_TASK_ID", 0, "", "Slurm"},
	{"JOB_COMPLETION_INDEX", 0, "", "Kubernetes"},
	{"LSB_JOBINDEX", 1, "0", "LSF"},
	{"PBS_ARRAY_INDEX", 0, "", "PBS"},
	{"SGE_TASK_ID", 1, "undefined", "Grid Engine"},
	{"AWS_BATCH_JOB_ARRAY_INDEX", 0, "", "AWS Batch"},
}

// ParseShard reads i/n, or auto: then the index is that of the task in the
// environment, and n is 0, for it must come from the plan. An array that is
// submitted again in part would tell another.
func ParseShard(text string, getenv func(string) string) (Shard, error) {
	if text == "auto" {
		return automatic(getenv)
	}
	left, right, found := strings.Cut(text, "/")
	i, errI := strconv.Atoi(left)
	n, errN := strconv.Atoi(right)
	switch {
	case !found || errI != nil || errN != nil:
		return Shard{}, fmt.Errorf("--shard %s: wants i/n, such as 0/16, or auto", text)
	case n < 1 || i < 0 || i >= n:
		return Shard{}, fmt.Errorf("--shard %s: of %d shards the first is 0 and the last %d", text, n, n-1)
	}
	return Shard{i, n}, nil
}

func automatic(getenv func(string) string) (Shard, error) {
	var found []string
	s := Shard{Index: -1}
	for _, e := range engines {
		text := getenv(e.variable)
		if text == "" || text == e.none {
			continue
		}
		i, err := strconv.Atoi(text)
		if err != nil || i < e.first {
			return s, fmt.Errorf("--shard auto: %s=%s of %s is no index of a task", e.variable, text, e.name)
		}
		found = append(found, e.variable+"="+text)
		s.Index = i - e.first
	}
	switch len(found) {
	case 0:
		var names []string
		for _, e := range engines {
			names = append(names, e.variable)
		}
		return s, fmt.Errorf("--shard auto: this is no task of an array: none of %s is set", strings.Join(names, ", "))
	case 1:
		return s, nil
	}
	return s, fmt.Errorf("--shard auto: more than one engine numbers this task: %s; say --shard i/n", strings.Join(found, ", "))
}

// within gives the shard the number of parts that a plan has.
func (s Shard) within(p *Plan) (Shard, error) {
	switch {
	case s.Of != 0:
		return s, nil
	case p.Shards == 0:
		return s, fmt.Errorf("--shard auto: how many shards there are, neither the study nor the plan says; --shards N does")
	case s.Index >= p.Shards:
		return s, fmt.Errorf("--shard auto: this is task %d, and the plan has %d shards, 0 to %d", s.Index, p.Shards, p.Shards-1)
	}
	return Shard{s.Index, p.Shards}, nil
}
