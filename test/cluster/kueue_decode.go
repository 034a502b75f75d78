package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	kueuev1beta1 "sigs.k8s.io/kueue/apis/kueue/v1beta1"
	kueuev1beta2 "sigs.k8s.io/kueue/apis/kueue/v1beta2"
)

// Reads JSON objects from standard input and decodes each with Kueue's own types. An unknown
// field or an invalid value is reported on standard error and exits with 1.
func runKueueDecode() {
	scheme := runtime.NewScheme()
	utilruntime.Must(kueuev1beta1.AddToScheme(scheme))
	utilruntime.Must(kueuev1beta2.AddToScheme(scheme))
	decoder := serializer.NewCodecFactory(scheme, serializer.EnableStrict).UniversalDeserializer()
	input := json.NewDecoder(bufio.NewReader(os.Stdin))
	count, failed := 0, false
	for {
		var object json.RawMessage
		if err := input.Decode(&object); err == io.EOF {
			break
		} else if err != nil {
			fmt.Fprintln(os.Stderr, "this is not JSON:", err)
			os.Exit(1)
		}
		count++
		if _, _, err := decoder.Decode(object, nil, nil); err != nil {
			failed = true
			fmt.Fprintf(os.Stderr, "%v\n  in %s\n", err, object)
		}
	}
	if failed {
		os.Exit(1)
	}
	fmt.Println(count, "objects")
}
