{{/* The Configuration as YAML, with what the chart must know of it: with defaults. */}}
{{- define "berth.configuration" -}}
{{- $given := .Values.managerConfig.controllerManagerConfigYaml | fromYaml -}}
{{- if hasKey $given "Error" }}
  {{- fail (printf "managerConfig.controllerManagerConfigYaml is no YAML: %s" $given.Error) }}
{{- end }}
{{- $namespace := $given.namespace | default .Release.Namespace -}}
{{- if ne $namespace .Release.Namespace }}
  {{- fail (printf "the Configuration is for namespace %s, the release for %s: leave the first out" $namespace .Release.Namespace) }}
{{- end }}
{{- $certificates := $given.internalCertManagement | default dict -}}
{{- $isInternal := not (eq ($certificates.enable | toString) "false") -}}
{{- if and .Values.enableCertManager $isInternal (hasKey $given "internalCertManagement") }}
  {{- fail "enableCertManager needs internalCertManagement.enable: false in the Configuration, or nothing about it" }}
{{- end }}
{{- $metrics := ($given.metrics | default dict).bindAddress | default ":8443" | toString -}}
{{- $showsPending := eq "true" (include "berth.isGateOn" (list . $given "VisibilityOnDemand" true)) -}}
{{- $frameworks := ($given.integrations | default dict).frameworks | default list -}}
text: {{ include "berth.configurationText" (list . $given) | toJson }}
webhookPort: {{ ($given.webhook | default dict).port | default 9443 }}
metricsPort: {{ regexFind "[0-9]+$" $metrics | default "0" }}
visibilityPort: {{ ternary (($given.visibilityServer | default dict).bindPort | default 8082) 0 $showsPending }}
leaseName: {{ ($given.leaderElection | default dict).resourceName | default "c1f6bfd2.kueue.x-k8s.io" }}
secretName: {{ $certificates.webhookSecretName | default "kueue-webhook-server-cert" }}
serviceName: {{ $certificates.webhookServiceName | default "kueue-webhook-service" }}
hasInternalCertificates: {{ and $isInternal (not .Values.enableCertManager) }}
certificateFolder: {{ ($given.webhook | default dict).certDir | default "/tmp/k8s-webhook-server/serving-certs" }}
managesAllJobs: {{ $given.manageJobsWithoutQueueName | default false }}
{{- with $given.managedJobsNamespaceSelector }}
managedNamespaces: {{ . | toJson }}
{{- end }}
frameworks: {{ $frameworks | toJson }}
deletesStuckPods: {{ include "berth.isGateOn" (list . $given "FailureRecoveryPolicy" false) }}
deletesJobs: {{ not (kindIs "invalid" (($given.objectRetentionPolicies | default dict).workloads | default dict).afterDeactivatedByKueue) }}
{{- end }}

{{/* Whether a gate is on: by a flag, else by the Configuration, else by default. */}}
{{- define "berth.isGateOn" -}}
{{- $root := index . 0 }}{{ $given := index . 1 }}{{ $name := index . 2 }}{{ $isOn := index . 3 -}}
{{- range $gate, $value := $given.featureGates }}
  {{- if eq $gate $name }}{{ $isOn = $value }}{{ end }}
{{- end }}
{{- range $root.Values.controllerManager.featureGates }}
  {{- if eq .name $name }}{{ $isOn = .enabled }}{{ end }}
{{- end }}
{{- $isOn }}
{{- end }}

{{/* What the manager reads. */}}
{{- define "berth.configurationText" -}}
{{- $root := index . 0 }}{{ $given := index . 1 -}}
{{- $root.Values.managerConfig.controllerManagerConfigYaml }}
{{- if and (not $given.namespace) (ne $root.Release.Namespace "kueue-system") }}
namespace: {{ $root.Release.Namespace }}
{{- end }}
{{- if and $root.Values.enableCertManager (not $given.internalCertManagement) }}
internalCertManagement:
  enable: false
{{- end }}
{{- end }}

{{/* A file of the chart with its placeholders filled. */}}
{{- define "berth.part" -}}
{{- $root := index . 0 }}{{ $configuration := index . 1 -}}
{{- $root.Files.Get (index . 2)
    | replace "namespace-of-release" $root.Release.Namespace
    | replace "name-of-lease" $configuration.leaseName
    | replace "name-of-secret" $configuration.secretName
    | replace "name-of-service" $configuration.serviceName
    | replace "65001" ($configuration.webhookPort | toString)
    | replace "65002" ($configuration.metricsPort | toString)
    | replace "65003" ($configuration.visibilityPort | toString) }}
{{- end }}

{{/* The Configuration's jobs, each with its rules and webhooks. */}}
{{- define "berth.jobKinds" -}}
{{- $root := index . 0 }}{{ $configuration := index . 1 -}}
{{- $all := include "berth.part" (list $root $configuration "files/parts/job-kinds.yaml") | fromYaml -}}
{{- $kinds := list }}
{{- range $framework := $configuration.frameworks | default $all.unlessListed }}
  {{- with index $all.jobKinds $framework }}
    {{- $kinds = append $kinds . }}
  {{- end }}
{{- end }}
{{- dict "kinds" $kinds | toJson }}
{{- end }}
