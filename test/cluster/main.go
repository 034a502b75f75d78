// All parts of a Kubernetes control plane in one program, so that the tests need one build and one
// link: `cluster PART flags…`. The parts come unchanged from the modules of go.mod; a few small tools
// for the tests are added.
package main

import (
	"fmt"
	"os"
	"sort"
)

// A part runs with the arguments in os.Args[1:] and exits.
var parts = map[string]func(){
	"etcd":                    runEtcd,
	"kube-apiserver":          runAPIServer,
	"kube-controller-manager": runControllerManager,
	"kube-scheduler":          runScheduler,
	"kwok":                    runKwok,
	"kwok-stages":             runKwokStages,
	"kueue-decode":            runKueueDecode,
	"free-ports":              runFreePorts,
	"wait-ready":              runWaitReady,
}

func main() {
	if len(os.Args) > 1 {
		if run, known := parts[os.Args[1]]; known {
			os.Args = os.Args[1:]
			run()
			return
		}
	}
	names := make([]string, 0, len(parts))
	for name := range parts {
		names = append(names, name)
	}
	sort.Strings(names)
	fmt.Fprintf(os.Stderr, "usage: cluster PART flags…   parts: %v\n", names)
	os.Exit(2)
}
