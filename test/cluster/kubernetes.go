package main

import (
	"os"

	"github.com/spf13/cobra"
	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllers "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
)

func runEtcd() { etcdmain.Main(os.Args) }

func runCommand(command *cobra.Command) { os.Exit(cli.Run(command)) }

func runAPIServer() { runCommand(apiserver.NewAPIServerCommand()) }

func runControllerManager() { runCommand(controllers.NewControllerManagerCommand()) }

func runScheduler() { runCommand(scheduler.NewSchedulerCommand()) }
