package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"strconv"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, os.Args[0]+":", err)
		os.Exit(1)
	}
}

// free-ports COUNT: prints distinct free loopback ports.
func runFreePorts() {
	count, err := strconv.Atoi(os.Args[1])
	fail(err)
	for range count {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		fail(err)
		defer listener.Close()
		fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	}
}

// wait-ready KUBECONFIG SECONDS: waits until the API server is ready.
func runWaitReady() {
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	fail(err)
	seconds, err := strconv.Atoi(os.Args[2])
	fail(err)
	client, err := kubernetes.NewForConfig(config)
	fail(err)
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(seconds)*time.Second)
	defer cancel()
	for {
		_, err := client.Discovery().RESTClient().Get().AbsPath("/readyz").DoRaw(ctx)
		if err == nil {
			return
		}
		if ctx.Err() != nil {
			fail(err)
		}
		time.Sleep(100 * time.Millisecond)
	}
}
