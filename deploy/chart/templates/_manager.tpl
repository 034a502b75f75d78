{{/* Puts values into the Deployment, which is changed in place. */}}
{{- define "berth.adjustDeployment" -}}
{{- $root := index . 0 }}{{ $configuration := index . 1 }}{{ $deployment := index . 2 -}}
{{- $values := $root.Values.controllerManager -}}
{{- $manager := $values.manager -}}
{{- $spec := $deployment.spec.template.spec -}}
{{- $container := index $spec.containers 0 -}}
{{- $_ := set $deployment.spec "replicas" $values.replicas }}
{{- with $values.strategy }}{{ $_ := set $deployment.spec "strategy" . }}{{ end }}
{{- with $manager.podAnnotations }}
  {{- $_ := merge $deployment.spec.template.metadata.annotations . }}
{{- end }}

{{- $_ := set $container "image" (printf "%s:%s" $manager.image.repository ($manager.image.tag | toString)) }}
{{- with $manager.image.pullPolicy }}{{ $_ := set $container "imagePullPolicy" . }}{{ end }}
{{- with $values.featureGates }}
  {{- $gates := list }}
  {{- range . }}{{ $gates = append $gates (printf "%s=%v" .name .enabled) }}{{ end }}
  {{- $_ := set $container "args" (append $container.args (printf "--feature-gates=%s" (join "," $gates))) }}
{{- end }}
{{- if not (kindIs "invalid" $manager.logLevel) }}
  {{- $_ := set $container "args" (append $container.args (printf "--zap-log-level=%v" $manager.logLevel)) }}
{{- end }}
{{- with $manager.resources }}{{ $_ := mergeOverwrite $container.resources . }}{{ end }}
{{- with $manager.containerSecurityContext }}{{ $_ := mergeOverwrite $container.securityContext . }}{{ end }}
{{- with $values.readinessProbe }}{{ $_ := mergeOverwrite $container.readinessProbe . }}{{ end }}
{{- with $values.livenessProbe }}{{ $_ := mergeOverwrite $container.livenessProbe . }}{{ end }}

{{- with $manager.podSecurityContext }}{{ $_ := mergeOverwrite $spec.securityContext . }}{{ end }}
{{- with $manager.priorityClassName }}{{ $_ := set $spec "priorityClassName" . }}{{ end }}
{{- if $values.hostNetwork }}{{ $_ := set $spec "hostNetwork" true }}{{ end }}
{{- range $name := list "dnsPolicy" "imagePullSecrets" "nodeSelector" "tolerations" "topologySpreadConstraints" }}
  {{- with index $values $name }}{{ $_ := set $spec $name . }}{{ end }}
{{- end }}

{{- if $root.Values.enableCertManager }}
  {{- $mount := dict "name" "certificate" "mountPath" $configuration.certificateFolder "readOnly" true }}
  {{- $_ := set $container "volumeMounts" (append $container.volumeMounts $mount) }}
  {{- $volume := dict "name" "certificate" "secret" (dict "secretName" $configuration.secretName) }}
  {{- $_ := set $spec "volumes" (append $spec.volumes $volume) }}
{{- end }}
{{- end }}

{{/* What is not served has port 0; nothing leads there. */}}
{{- define "berth.dropPorts" -}}
{{- $object := index . 0 -}}
{{- if eq $object.kind "Deployment" }}
  {{- $container := index $object.spec.template.spec.containers 0 }}
  {{- $ports := list }}
  {{- range $container.ports }}{{ if .containerPort }}{{ $ports = append $ports . }}{{ end }}{{ end }}
  {{- $_ := set $container "ports" $ports }}
{{- else if eq $object.kind "NetworkPolicy" }}
  {{- range $rule := $object.spec.ingress }}
    {{- $ports := list }}
    {{- range $rule.ports }}{{ if .port }}{{ $ports = append $ports . }}{{ end }}{{ end }}
    {{- $_ := set $rule "ports" $ports }}
  {{- end }}
{{- end }}
{{- end }}

{{/* Token reviews are needed only if a server authenticates its clients. */}}
{{- define "berth.dropReviews" -}}
{{- $object := index . 0 -}}
{{- if eq $object.metadata.name "kueue-manager-role" }}
  {{- $rules := list }}
  {{- range $object.rules }}
    {{- if not (has (first .apiGroups) (list "authentication.k8s.io" "authorization.k8s.io")) }}{{ $rules = append $rules . }}{{ end }}
  {{- end }}
  {{- $_ := set $object "rules" $rules }}
{{- end }}
{{- end }}
