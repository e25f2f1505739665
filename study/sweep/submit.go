package sweep

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"hcasim/scenario/lang"
)

// Engines are what Submit writes for.
var Engines = []string{"slurm", "k8s", "parallel"}

// A Submission says what is to run a sweep in parts.
type Submission struct {
	Engine  string // one of Engines
	Program string // path of hcasim where it runs
	Image   string // of k8s: a container image
	Claim   string // of k8s: the claim of the volume that all parts share
}

// Check returns what is wrong with it.
func (s *Submission) Check() error {
	if slices.Contains(Engines, s.Engine) {
		return nil
	}
	if s.Engine == "" {
		return fmt.Errorf("--engine is missing: %s", strings.Join(Engines, ", "))
	}
	return fmt.Errorf("--engine %q is not known; %s", s.Engine, lang.DidYouMean(s.Engine, Engines))
}

// Submit writes what the engine needs to run the sweep in its shards and to
// merge them. The plan must have shards.
func (w *Sweep) Submit(out io.Writer, s Submission) error {
	n := w.Plan.Shards
	if n == 0 {
		return fmt.Errorf("how many shards there are, neither the study nor the plan says; --shards N does")
	}
	dir, err := filepath.Abs(w.Dir)
	if err != nil {
		return err
	}
	file, err := filepath.Abs(w.question.File)
	if err != nil {
		return err
	}
	program, run := s.Program, file
	if s.Engine == "k8s" {
		program, run = "hcasim", filepath.ToSlash(w.question.File)
		dir = "/sweep/" + filepath.Base(w.Dir)
	}
	words := []string{program, "sweep", "run", run, "--out", dir, "--shard", "SHARD", "-j", "1"}
	if w.question.Short {
		words = append(words, "--short")
	}
	for _, set := range w.question.Sets {
		words = append(words, "--set", set)
	}
	if w.question.Library != "" {
		library, err := filepath.Abs(w.question.Library)
		if err != nil {
			return err
		}
		words = append(words, "--library", library)
	}
	job := submitted{
		Name: w.Plan.Name, Dir: shell(dir), Shards: n, Last: n - 1, Image: strconv.Quote(s.Image), Claim: strconv.Quote(s.Claim),
		Merge: shell(program) + " sweep merge " + shell(dir), K8sName: dns(w.Plan.Name + "-" + w.Plan.Hash[:8]),
	}
	job.command(words, n, s.Engine)
	return templates.ExecuteTemplate(out, s.Engine, &job)
}

// submitted is what the templates are filled with.
type submitted struct {
	Name, K8sName string
	Dir           string // for a shell
	Shards, Last  int
	Run, Merge    string // for a shell
	Args          string // of the container, a list of JSON
	MergeArgs     string
	Image, Claim  string
}

// command writes the command of a part: for a shell, and for a container.
func (s *submitted) command(words []string, n int, engine string) {
	shard := "auto"
	if engine == "parallel" {
		shard = "{}/" + strconv.Itoa(n)
	}
	var forShell, forContainer []string
	for _, word := range words {
		if word == "SHARD" {
			word = shard
		}
		forShell = append(forShell, shell(word))
		forContainer = append(forContainer, strconv.Quote(word))
	}
	s.Run = strings.Join(forShell, " ")
	s.Args = "[" + strings.Join(append(forContainer, `"--shards"`, strconv.Quote(strconv.Itoa(n))), ", ") + "]"
	s.MergeArgs = fmt.Sprintf("[%s, \"sweep\", \"merge\", %s]", forContainer[0], forContainer[5])
}

// shell quotes a word for a shell, if it must be.
func shell(word string) string {
	safe := func(r rune) bool {
		return strings.ContainsRune("/._-=+:,@%{}", r) || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !safe(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// dns makes a name one that Kubernetes takes.
func dns(name string) string {
	safe := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r == '-' {
			return r
		}
		return '-'
	}, strings.ToLower(name))
	return strings.Trim(safe[max(0, len(safe)-50):], "-")
}

var templates = template.Must(template.New("").Parse(`
{{- define "slurm"}}#!/bin/sh
# {{.Name}} in {{.Shards}} tasks, then merged. Submit it by running it: sh THIS.
# What failed is run again by submitting again, whole or with --array=3,7: what
# has a result is left alone (hcasim sweep status).
set -eu
mkdir -p {{.Dir}}/logs
job=$(sbatch --parsable --job-name={{.Name}} --array=0-{{.Last}} --cpus-per-task=1 --output={{.Dir}}/logs/%A_%a.out <<'TASK'
#!/bin/sh
exec {{.Run}}
TASK
)
sbatch --dependency=afterok:${job%%;*} --job-name={{.Name}}-merge --output={{.Dir}}/logs/merge.out <<'MERGE'
#!/bin/sh
exec {{.Merge}}
MERGE
{{end -}}

{{define "k8s"}}# {{.Name}} in {{.Shards}} pods, each with an index, then merged in a job of its own:
#   kubectl apply -f FILE; kubectl wait --for=condition=complete job/{{.K8sName}}
# The volume is shared by all (ReadWriteMany). A pod that is killed runs again,
# and leaves alone what has a result. Status 75 is an interruption.
apiVersion: batch/v1
kind: Job
metadata:
  name: {{.K8sName}}
spec:
  completionMode: Indexed
  completions: {{.Shards}}
  parallelism: {{.Shards}}
  backoffLimitPerIndex: 3
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: hcasim
          image: {{.Image}}
          command: {{.Args}}
          resources: {requests: {cpu: "1"}}
          volumeMounts: [{name: sweep, mountPath: /sweep}]
      volumes:
        - name: sweep
          persistentVolumeClaim: {claimName: {{.Claim}}}
---
apiVersion: batch/v1
kind: Job
metadata:
  name: {{.K8sName}}-merge
spec:
  backoffLimit: 1000 # it fails until all parts are done
  template:
    spec:
      restartPolicy: OnFailure
      containers:
        - name: hcasim
          image: {{.Image}}
          command: {{.MergeArgs}}
          volumeMounts: [{name: sweep, mountPath: /sweep}]
      volumes:
        - name: sweep
          persistentVolumeClaim: {claimName: {{.Claim}}}
{{end -}}

{{define "parallel"}}parallel --halt soon,fail=1 {{.Run}} ::: $(seq 0 {{.Last}}) && {{.Merge}}
{{end -}}
`))
