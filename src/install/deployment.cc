#include <charconv>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "install/manifests.h"
#include "schema/yaml/to_json.h"

namespace berth::install {
namespace {

constexpr std::string_view kObjects = R"yaml(
apiVersion: v1
kind: Namespace
metadata:
  name: $NAMESPACE
  labels:
    control-plane: controller-manager
    pod-security.kubernetes.io/enforce: restricted
---
apiVersion: v1
kind: ServiceAccount
metadata:
  name: kueue-controller-manager
  namespace: $NAMESPACE
---
# Filled by whichever replica starts first.
apiVersion: v1
kind: Secret
metadata:
  name: kueue-webhook-server-cert
  namespace: $NAMESPACE
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: $CONFIGURATION_MAP
  namespace: $NAMESPACE
---
apiVersion: v1
kind: Service
metadata:
  name: kueue-webhook-service
  namespace: $NAMESPACE
spec:
  selector:
    control-plane: controller-manager
  ports:
  - name: webhook
    port: 443
    protocol: TCP
    targetPort: webhook-server
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: kueue-controller-manager
  namespace: $NAMESPACE
  labels:
    control-plane: controller-manager
spec:
  selector:
    matchLabels:
      control-plane: controller-manager
  template:
    metadata:
      labels:
        control-plane: controller-manager
      annotations:
        kubectl.kubernetes.io/default-container: manager
    spec:
      serviceAccountName: kueue-controller-manager
      terminationGracePeriodSeconds: 15
      securityContext:
        runAsNonRoot: true
        runAsUser: 65532
        seccompProfile:
          type: RuntimeDefault
      topologySpreadConstraints:
      - maxSkew: 1
        topologyKey: kubernetes.io/hostname
        whenUnsatisfiable: ScheduleAnyway
        labelSelector:
          matchLabels:
            control-plane: controller-manager
      containers:
      - name: manager
        args:
        - controller
        - --config=/etc/berth/$CONFIGURATION_FILE
        ports:
        - name: webhook-server
          containerPort: $WEBHOOK_PORT
          protocol: TCP
        - name: metrics
          containerPort: $METRICS_PORT
          protocol: TCP
        - name: visibility
          containerPort: $VISIBILITY_PORT
          protocol: TCP
        livenessProbe:
          httpGet:
            path: /healthz
            port: 8081
          initialDelaySeconds: 5
          periodSeconds: 20
        readinessProbe:
          httpGet:
            path: /readyz
            port: 8081
          periodSeconds: 5
        resources:
          requests:
            cpu: 500m
            memory: 512Mi
          limits:
            cpu: "2"
            memory: 512Mi
        securityContext:
          allowPrivilegeEscalation: false
          readOnlyRootFilesystem: true
          capabilities:
            drop: [ALL]
        volumeMounts:
        - name: config
          mountPath: /etc/berth
          readOnly: true
      volumes:
      - name: config
        configMap:
          name: $CONFIGURATION_MAP
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: kueue-controller-manager
  namespace: $NAMESPACE
spec:
  maxUnavailable: 1
  selector:
    matchLabels:
      control-plane: controller-manager
---
# Callers of webhooks and probes are outside the pod network; no other ingress is needed.
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: kueue-controller-manager
  namespace: $NAMESPACE
spec:
  podSelector:
    matchLabels:
      control-plane: controller-manager
  policyTypes: [Ingress]
  ingress:
  - ports:
    - port: $WEBHOOK_PORT
      protocol: TCP
    - port: $METRICS_PORT
      protocol: TCP
    - port: $VISIBILITY_PORT
      protocol: TCP
---
apiVersion: v1
kind: Service
metadata:
  name: kueue-controller-manager-metrics-service
  namespace: $NAMESPACE
  labels:
    control-plane: controller-manager
spec:
  selector:
    control-plane: controller-manager
  ports:
  - name: https
    port: 8443
    protocol: TCP
    targetPort: metrics
---
apiVersion: v1
kind: Service
metadata:
  name: kueue-visibility-server
  namespace: $NAMESPACE
spec:
  selector:
    control-plane: controller-manager
  ports:
  - name: https
    port: 443
    protocol: TCP
    targetPort: visibility
---
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata:
  name: v1beta1.visibility.kueue.x-k8s.io
spec:
  group: visibility.kueue.x-k8s.io
  version: v1beta1
  groupPriorityMinimum: 100
  versionPriority: 50
  insecureSkipTLSVerify: true
  service:
    name: kueue-visibility-server
    namespace: $NAMESPACE
---
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata:
  name: v1beta2.visibility.kueue.x-k8s.io
spec:
  group: visibility.kueue.x-k8s.io
  version: v1beta2
  groupPriorityMinimum: 100
  versionPriority: 100
  insecureSkipTLSVerify: true
  service:
    name: kueue-visibility-server
    namespace: $NAMESPACE
)yaml";

constexpr std::string_view kMonitor = R"yaml(
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata:
  name: kueue-controller-manager-metrics-monitor
  namespace: $NAMESPACE
  labels:
    control-plane: controller-manager
spec:
  selector:
    matchLabels:
      control-plane: controller-manager
  endpoints:
  - port: https
    path: /metrics
    scheme: https
    bearerTokenFile: /var/run/secrets/kubernetes.io/serviceaccount/token
    tlsConfig:
      insecureSkipVerify: true
)yaml";

constexpr int kDashboardPort = 8444;
constexpr std::string_view kDashboard = R"yaml(
apiVersion: v1
kind: Service
metadata:
  name: kueue-dashboard
  namespace: $NAMESPACE
spec:
  selector:
    control-plane: controller-manager
  ports:
  - name: https
    port: 443
    protocol: TCP
    targetPort: dashboard
)yaml";

// The flag and the port of the dashboard.
void AddDashboard(json::value& object) {
  const std::string_view kind = json::StringAt(object, {"kind"});
  if (kind == "NetworkPolicy")
    object.at_pointer("/spec/ingress/0/ports")
        .as_array()
        .push_back(json::object{{"port", kDashboardPort}, {"protocol", "TCP"}});
  if (kind != "Deployment") return;
  json::value& container = object.at_pointer("/spec/template/spec/containers/0");
  container.at("args").as_array().push_back(
      json::Text("--dashboard-bind-address=:" + std::to_string(kDashboardPort)));
  container.at("ports").as_array().push_back(
      json::object{{"name", "dashboard"}, {"containerPort", kDashboardPort}, {"protocol", "TCP"}});
}

void DropNamed(std::string_view part, std::vector<json::value>& all) {
  std::erase_if(all, [&](const json::value& object) {
    return json::StringAt(object, {"metadata", "name"}).contains(part);
  });
}

void DropPorts(json::value& ports, std::string_view key) {
  json::array kept;
  for (const json::value& port : ports.as_array())
    if (port.at(json::BoostView(key)) != 0) kept.push_back(port);
  ports = std::move(kept);
}

// No APIService without a server behind it.
void DropUnserved(const Options& options, std::vector<json::value>& all) {
  if (MetricsPort(options) == 0) DropNamed("metrics", all);
  if (VisibilityPort(options) == 0) DropNamed("visibility", all);
  for (json::value& object : all) {
    const std::string_view kind = json::StringAt(object, {"kind"});
    if (kind == "Deployment")
      DropPorts(object.at_pointer("/spec/template/spec/containers/0/ports"), "containerPort");
    if (kind == "NetworkPolicy") DropPorts(object.at_pointer("/spec/ingress/0/ports"), "port");
  }
}

void ReplaceAll(std::string& text, std::string_view what, std::string_view with) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

void AddObjects(std::string text, const Options& options, std::vector<json::value>& all) {
  ReplaceAll(text, "$NAMESPACE", options.configuration.namespace_);
  ReplaceAll(text, "$CONFIGURATION_MAP", kConfigurationMap);
  ReplaceAll(text, "$CONFIGURATION_FILE", kConfigurationFile);
  ReplaceAll(text, "$WEBHOOK_PORT",
             std::to_string(options.configuration.webhook.port.value_or(9443)));
  ReplaceAll(text, "$METRICS_PORT", std::to_string(MetricsPort(options)));
  ReplaceAll(text, "$VISIBILITY_PORT", std::to_string(VisibilityPort(options)));
  const auto documents = schema::YamlToJson(text);
  CHECK(documents.has_value());  // our own text, and a name
  for (const schema::YamlDocument& document : *documents)
    all.push_back(json::Parse(document.json).value_or(nullptr));
}

}  // namespace

int MetricsPort(const Options& options) {
  const std::string& address = options.configuration.metrics.bind_address;
  const size_t colon = address.rfind(':');
  if (colon == std::string::npos) return 0;
  int port = 0;
  std::from_chars(address.data() + colon + 1, address.data() + address.size(), port);
  return port;
}

int VisibilityPort(const Options& options) {
  const bool* gate = options.configuration.feature_gates.Find("VisibilityOnDemand");
  if (gate != nullptr && !*gate) return 0;
  const auto& server = options.configuration.visibility_server;
  return server && server->bind_port ? *server->bind_port : 0;
}

std::vector<json::value> Deployment(const Options& options) {
  std::vector<json::value> all;
  AddObjects(std::string(kObjects), options, all);
  if (options.has_service_monitor) AddObjects(std::string(kMonitor), options, all);
  if (options.has_dashboard) AddObjects(std::string(kDashboard), options, all);
  DropUnserved(options, all);
  for (json::value& object : all) {
    if (options.has_dashboard) AddDashboard(object);
    const std::string_view kind = json::StringAt(object, {"kind"});
    if (kind == "ConfigMap")
      object.as_object()["data"] =
          json::object{{json::BoostView(kConfigurationFile), options.configuration_text}};
    if (kind != "Deployment") continue;
    object.at("spec").as_object()["replicas"] = options.replicas;
    object.at_pointer("/spec/template/spec/containers/0").as_object()["image"] = options.image;
  }
  return all;
}

}  // namespace berth::install
