{{/* Adds the webhooks of jobs to those of queues, in place. */}}
{{- define "berth.adjustWebhooks" -}}
{{- $root := index . 0 }}{{ $configuration := index . 1 }}{{ $object := index . 2 }}{{ $kinds := index . 3 -}}
{{- $isMutating := eq $object.kind "MutatingWebhookConfiguration" -}}
{{- $entries := $object.webhooks }}
{{- $names := list }}{{/* pods come with every set that waits through them */}}
{{- range $kinds }}
  {{- range $entry := ternary .mutating .validating $isMutating }}
    {{- if and $configuration.managesAllJobs (contains "-unqueued." $entry.name) }}
      {{- $_ := set $entry "failurePolicy" "Fail" }}
      {{- with $configuration.managedNamespaces }}{{ $_ := set $entry "namespaceSelector" . }}{{ end }}
    {{- end }}
    {{- if not (has $entry.name $names) }}{{ $entries = append $entries $entry }}{{ end }}
    {{- $names = append $names $entry.name }}
  {{- end }}
{{- end }}
{{- if and $isMutating (ne $root.Values.mutatingWebhook.reinvocationPolicy "Never") }}
  {{- range $entries }}{{ $_ := set . "reinvocationPolicy" $root.Values.mutatingWebhook.reinvocationPolicy }}{{ end }}
{{- end }}
{{- $_ := set $object "webhooks" $entries }}
{{- include "berth.trustCertManager" (list $root $object) }}
{{- end }}

{{/* Lets cert-manager write whom to trust into an object. */}}
{{- define "berth.trustCertManager" -}}
{{- $root := index . 0 }}{{ $object := index . 1 -}}
{{- if $root.Values.enableCertManager }}
  {{- $note := dict "cert-manager.io/inject-ca-from" (printf "%s/kueue-serving-cert" $root.Release.Namespace) }}
  {{- $_ := set $object.metadata "annotations" (merge ($object.metadata.annotations | default dict) $note) }}
{{- end }}
{{- end }}
