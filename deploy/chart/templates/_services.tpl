{{/* Put values into the Services, in place. */}}
{{- define "berth.adjustService" -}}
{{- $root := index . 0 }}{{ $service := index . 1 -}}
{{- $isWebhook := contains "webhook" $service.metadata.name -}}
{{- $values := ternary $root.Values.webhookService $root.Values.metricsService $isWebhook -}}
{{- if contains "visibility" $service.metadata.name }}{{ $values = dict "type" "ClusterIP" }}{{ end -}}
{{- if ne $values.type "ClusterIP" }}{{ $_ := set $service.spec "type" $values.type }}{{ end }}
{{- with $values.labels }}
  {{- $_ := set $service.metadata "labels" (merge ($service.metadata.labels | default dict) .) }}
{{- end }}
{{- with $values.annotations }}{{ $_ := set $service.metadata "annotations" . }}{{ end }}
{{- if and $isWebhook $values.ipDualStack.enabled }}
  {{- $_ := set $service.spec "ipFamilies" $values.ipDualStack.ipFamilies }}
  {{- $_ := set $service.spec "ipFamilyPolicy" $values.ipDualStack.ipFamilyPolicy }}
{{- end }}
{{- end }}
