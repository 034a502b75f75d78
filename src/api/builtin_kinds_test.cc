#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/meta/registry.h"
#include "api/testing/json_loss.h"
#include "api/testing/read_object.h"
#include "schema/yaml/to_json.h"

namespace berth::api {
namespace {

using ::testing::Contains;
using testing::FirstLoss;
using ::testing::HasSubstr;
using testing::ReadObject;

// An object as written by users or returned by an API server, and a misspelt field.
struct Sample {
  std::string_view api_version;
  std::string_view kind;
  std::string_view field;
  std::string_view typo;
  std::string_view yaml;  // without apiVersion and kind
};

constexpr Sample kSamples[] = {
    {"admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy", "failurePolicy",
     "failurePolicies", R"(
metadata: {name: queue-name-required}
spec:
  failurePolicy: Ignore
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConstraints:
    namespaceSelector: {matchLabels: {kueue: managed}}
    resourceRules:
    - {apiGroups: [batch], apiVersions: [v1], operations: [CREATE], resources: [jobs], scope: Namespaced}
  matchConditions: [{name: not-system, expression: "request.userInfo.username != 'root'"}]
  variables: [{name: labels, expression: "object.metadata.labels"}]
  validations: [{expression: "'queue' in variables.labels", message: no queue, reason: Forbidden}]
  auditAnnotations: [{key: queue, valueExpression: "variables.labels['queue']"}]
status:
  observedGeneration: 1
  typeChecking: {expressionWarnings: [{fieldRef: "spec.validations[0]", warning: no such field}]}
)"},
    {"admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicyBinding", "policyName",
     "policyNam", R"(
metadata: {name: queue-name-required}
spec:
  policyName: queue-name-required
  paramRef: {name: settings, namespace: team-a, parameterNotFoundAction: Deny}
  validationActions: [Deny, Audit]
  matchResources: {namespaceSelector: {matchLabels: {kueue: managed}}, matchPolicy: Exact}
)"},
    {"v1", "Namespace", "labels", "lables", R"(
metadata: {name: team-a, labels: {kueue: managed}, creationTimestamp: "2026-01-02T03:04:05Z"}
spec: {finalizers: [kubernetes]}
status:
  phase: Active
  conditions: [{type: NamespaceDeletionContentFailure, status: "False", reason: ContentDeleted}]
)"},
    {"v1", "Pod", "nodeSelector", "nodeSelectr", R"(
metadata:
  name: trainer-0
  namespace: team-a
  uid: 5e1f7a52-0000-4000-8000-000000000001
  resourceVersion: "41"
  labels: {app: trainer}
  ownerReferences:
  - {apiVersion: batch/v1, kind: Job, name: trainer, uid: u1, controller: true, blockOwnerDeletion: true}
  managedFields:
  - {manager: kubectl, operation: Update, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:spec": {}}}
spec:
  schedulingGates: [{name: kueue.x-k8s.io/admission}]
  priorityClassName: high
  priority: 1000
  runtimeClassName: kata
  overhead: {cpu: 250m}
  nodeSelector: {pool: gpu}
  affinity:
    nodeAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms:
        - matchExpressions: [{key: zone, operator: In, values: [a, b]}]
      preferredDuringSchedulingIgnoredDuringExecution:
      - {weight: 5, preference: {matchFields: [{key: metadata.name, operator: In, values: [n1]}]}}
    podAntiAffinity:
      preferredDuringSchedulingIgnoredDuringExecution:
      - weight: 100
        podAffinityTerm: {topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: trainer}}}
  tolerations: [{key: gpu, operator: Exists, effect: NoSchedule, tolerationSeconds: 30}]
  topologySpreadConstraints:
  - {maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, minDomains: 2}
  resourceClaims: [{name: gpu, resourceClaimTemplateName: one-gpu}]
  resources: {requests: {cpu: "2"}}
  initContainers:
  - {name: proxy, image: proxy, restartPolicy: Always, resources: {requests: {cpu: 100m}}}
  containers:
  - name: main
    image: trainer
    command: [python]
    args: [train.py]
    workingDir: /src
    ports: [{containerPort: 80, name: http, protocol: TCP}]
    env:
    - {name: RANK, valueFrom: {fieldRef: {fieldPath: "metadata.labels['rank']"}}}
    - {name: MODE, value: fast}
    envFrom: [{configMapRef: {name: settings, optional: true}}]
    resources:
      requests: {cpu: 500m, memory: 1Gi}
      limits: {nvidia.com/gpu: 1}
      claims: [{name: gpu, request: big}]
    volumeMounts: [{name: scratch, mountPath: /scratch}]
    livenessProbe: {httpGet: {path: /healthz, port: http}, periodSeconds: 5}
    lifecycle: {preStop: {sleep: {seconds: 3}}}
    securityContext: {runAsNonRoot: true, capabilities: {drop: [ALL]}}
  volumes:
  - {name: scratch, emptyDir: {medium: Memory, sizeLimit: 1Gi}}
  - {name: data, persistentVolumeClaim: {claimName: data}}
  - name: token
    projected: {sources: [{serviceAccountToken: {path: token, expirationSeconds: 3600}}]}
  restartPolicy: Never
  dnsPolicy: ClusterFirst
  terminationGracePeriodSeconds: 30
  serviceAccountName: trainer
  imagePullSecrets: [{name: pull}]
  hostAliases: [{ip: 10.0.0.1, hostnames: [db]}]
status:
  phase: Running
  startTime: "2026-01-02T03:04:05Z"
  conditions:
  - {type: Ready, status: "True", lastProbeTime: null, lastTransitionTime: "2026-01-02T03:04:05Z"}
  containerStatuses:
  - {name: main, ready: true, restartCount: 0, image: trainer, imageID: x, state: {running: {startedAt: "2026-01-02T03:04:05Z"}}}
  resourceClaimStatuses: [{name: gpu, resourceClaimName: trainer-0-gpu}]
  podIPs: [{ip: 10.1.0.4}]
)"},
    {"v1", "Node", "taints", "tains", R"(
metadata: {name: n1, labels: {zone: a}}
spec:
  unschedulable: true
  providerID: kind://n1
  podCIDRs: [10.1.0.0/24]
  taints: [{key: gpu, value: "true", effect: NoSchedule, timeAdded: "2026-01-02T03:04:05Z"}]
status:
  capacity: {cpu: "8", memory: 32Gi, pods: "110"}
  allocatable: {cpu: 7500m, memory: 30Gi, pods: "110"}
  addresses: [{type: Hostname, address: n1}]
  daemonEndpoints: {kubeletEndpoint: {Port: 10250}}
  conditions:
  - {type: Ready, status: "True", reason: KubeletReady, lastHeartbeatTime: "2026-01-02T03:04:05Z"}
  images: [{names: [busybox], sizeBytes: 4000000}]
)"},
    {"v1", "Event", "involvedObject", "involvdObject", R"(
metadata: {name: w.17, namespace: team-a}
involvedObject: {apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, name: w, namespace: team-a, uid: u}
reason: Admitted
message: Admitted by ClusterQueue main
type: Normal
count: 1
source: {component: kueue-admission}
firstTimestamp: "2026-01-02T03:04:05Z"
lastTimestamp: "2026-01-02T03:04:05Z"
eventTime: "2026-01-02T03:04:05.000006Z"
series: {count: 2, lastObservedTime: "2026-01-02T03:04:05.000006Z"}
reportingComponent: kueue-admission
)"},
    {"events.k8s.io/v1", "Event", "regarding", "regardng", R"(
metadata: {name: w.17, namespace: team-a}
eventTime: "2026-01-02T03:04:05.000006Z"
reportingController: kueue-admission
reportingInstance: kueue-0
action: Admit
reason: Admitted
regarding: {kind: Workload, name: w, namespace: team-a}
note: Admitted by ClusterQueue main
type: Normal
series: {count: 2, lastObservedTime: "2026-01-02T03:04:05.000006Z"}
)"},
    {"v1", "LimitRange", "defaultRequest", "defaultReqest", R"(
metadata: {name: bounds, namespace: team-a}
spec:
  limits:
  - {type: Container, default: {cpu: "1"}, defaultRequest: {cpu: 500m}, max: {cpu: "4"}, min: {cpu: 10m}}
  - {type: Pod, maxLimitRequestRatio: {memory: "2"}}
)"},
    {"v1", "ResourceQuota", "scopeSelector", "scopeSelecter", R"(
metadata: {name: bounds, namespace: team-a}
spec:
  hard: {cpu: "4", pods: "10"}
  scopes: [NotTerminating]
  scopeSelector:
    matchExpressions:
    - {scopeName: PriorityClass, operator: In, values: [high]}
status: {hard: {cpu: "4"}, used: {cpu: "1"}}
)"},
    {"v1", "ConfigMap", "data", "dta", R"(
metadata: {name: settings, namespace: team-a}
immutable: true
data: {mode: fast}
binaryData: {logo: aGk=}
)"},
    {"v1", "Secret", "stringData", "stringDta", R"(
metadata: {name: pull, namespace: team-a}
type: Opaque
data: {token: aGk=}
stringData: {user: me}
)"},
    {"v1", "Service", "clusterIP", "clusterIp", R"(
metadata: {name: workers, namespace: team-a}
spec:
  clusterIP: None
  selector: {job-name: trainer}
  ports: [{name: rpc, port: 8080, targetPort: rpc}]
  publishNotReadyAddresses: true
status: {loadBalancer: {}}
)"},
    {"v1", "ServiceAccount", "secrets", "secret", R"(
metadata: {name: trainer, namespace: team-a}
secrets: [{name: token}]
imagePullSecrets: [{name: pull}]
automountServiceAccountToken: false
)"},
    {"scheduling.k8s.io/v1", "PriorityClass", "globalDefault", "globalDefalt", R"(
metadata: {name: high}
value: 1000
globalDefault: true
description: for what cannot wait
preemptionPolicy: Never
)"},
    {"node.k8s.io/v1", "RuntimeClass", "podFixed", "podFxed", R"(
metadata: {name: kata}
handler: kata
overhead: {podFixed: {cpu: 250m, memory: 120Mi}}
scheduling: {nodeSelector: {kata: "true"}, tolerations: [{key: kata, operator: Exists}]}
)"},
    {"batch/v1", "Job", "parallelism", "paralelism", R"(
metadata: {name: trainer, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: main}}
spec:
  parallelism: 3
  completions: 3
  completionMode: Indexed
  suspend: true
  backoffLimit: 0
  backoffLimitPerIndex: 1
  maxFailedIndexes: 2
  activeDeadlineSeconds: 600
  ttlSecondsAfterFinished: 60
  podReplacementPolicy: Failed
  managedBy: kueue.x-k8s.io/multikueue
  podFailurePolicy:
    rules:
    - {action: FailJob, onExitCodes: {containerName: main, operator: In, values: [42]}}
    - {action: Ignore, onPodConditions: [{type: DisruptionTarget, status: "True"}]}
  successPolicy: {rules: [{succeededIndexes: "0"}]}
  template:
    metadata: {labels: {app: trainer}}
    spec: {restartPolicy: Never, containers: [{name: main, image: trainer}]}
status:
  active: 2
  ready: 1
  succeeded: 1
  completedIndexes: "0"
  startTime: "2026-01-02T03:04:05Z"
  uncountedTerminatedPods: {succeeded: [u1]}
  conditions: [{type: Suspended, status: "False", reason: JobResumed, lastProbeTime: "2026-01-02T03:04:05Z"}]
)"},
    {"batch/v1", "CronJob", "schedule", "shedule", R"(
metadata: {name: nightly, namespace: team-a}
spec:
  schedule: "0 3 * * *"
  timeZone: Europe/Berlin
  concurrencyPolicy: Forbid
  suspend: false
  successfulJobsHistoryLimit: 1
  jobTemplate:
    metadata: {labels: {kueue.x-k8s.io/queue-name: main}}
    spec:
      template:
        spec: {restartPolicy: OnFailure, containers: [{name: main, image: report}]}
status: {lastScheduleTime: "2026-01-02T03:00:00Z", active: [{kind: Job, name: nightly-1}]}
)"},
    {"apps/v1", "Deployment", "replicas", "replcas", R"(
metadata: {name: web, namespace: team-a, generation: 3}
spec:
  replicas: 0
  selector: {matchLabels: {app: web}}
  strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 25%, maxUnavailable: 1}}
  minReadySeconds: 5
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: nginx, ports: [{containerPort: 80}]}]}
status:
  observedGeneration: 3
  readyReplicas: 2
  conditions: [{type: Available, status: "True", lastUpdateTime: "2026-01-02T03:04:05Z"}]
)"},
    {"apps/v1", "StatefulSet", "serviceName", "servicName", R"(
metadata: {name: db, namespace: team-a}
spec:
  replicas: 3
  serviceName: db
  podManagementPolicy: Parallel
  selector: {matchExpressions: [{key: app, operator: In, values: [db]}]}
  template:
    metadata: {labels: {app: db}}
    spec: {containers: [{name: db, image: postgres}]}
  volumeClaimTemplates:
  - apiVersion: v1
    kind: PersistentVolumeClaim
    metadata: {name: data}
    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
  updateStrategy: {rollingUpdate: {partition: 1}}
  persistentVolumeClaimRetentionPolicy: {whenDeleted: Delete}
  ordinals: {start: 1}
status: {replicas: 3, readyReplicas: 2, currentRevision: db-1}
)"},
    {"apps/v1", "ReplicaSet", "selector", "selectr", R"(
metadata: {name: web-1, namespace: team-a}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: nginx}]}}
status: {replicas: 2, fullyLabeledReplicas: 2}
)"},
    {"resource.k8s.io/v1", "DeviceClass", "selectors", "selectrs", R"(
metadata: {name: gpu.example.com}
spec:
  selectors: [{cel: {expression: "device.driver == 'gpu.example.com'"}}]
  config: [{opaque: {driver: gpu.example.com, parameters: {mode: shared}}}]
  extendedResourceName: example.com/gpu
)"},
    {"resource.k8s.io/v1", "ResourceClaim", "firstAvailable", "firstAvailble", R"(
metadata: {name: gpus, namespace: team-a}
spec:
  devices:
    requests:
    - name: big
      exactly:
        deviceClassName: gpu.example.com
        allocationMode: ExactCount
        count: 2
        selectors: [{cel: {expression: "device.attributes['x'].big"}}]
        tolerations: [{key: broken, operator: Exists, effect: NoExecute}]
        capacity: {requests: {memory: 10Gi}}
    - name: any
      firstAvailable: [{name: small, deviceClassName: gpu.example.com, count: 1}]
    constraints: [{requests: [big, any], matchAttribute: gpu.example.com/numa}]
    config: [{requests: [big], opaque: {driver: gpu.example.com, parameters: {}}}]
status:
  allocation:
    devices: {results: [{request: big, driver: gpu.example.com, pool: n1, device: gpu-0}]}
    nodeSelector: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [n1]}]}]}
  reservedFor: [{resource: pods, name: trainer-0, uid: u1}]
  devices: [{driver: gpu.example.com, pool: n1, device: gpu-0, networkData: {interfaceName: eth1}}]
)"},
    {"resource.k8s.io/v1", "ResourceClaimTemplate", "exactly", "exacty", R"(
metadata: {name: one-gpu, namespace: team-a}
spec:
  metadata: {labels: {app: trainer}}
  spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com, adminAccess: true}}]}}
)"},
    {"resource.k8s.io/v1", "ResourceSlice", "consumesCounters", "consumeCounters", R"(
metadata: {name: n1-gpus}
spec:
  driver: gpu.example.com
  pool: {name: n1, generation: 1, resourceSliceCount: 1}
  nodeName: n1
  sharedCounters: [{name: gpu-0, counters: {memory: {value: 40Gi}}}]
  devices:
  - name: gpu-0
    attributes: {model: {string: A100}, index: {int: 0}, big: {bool: true}, driver: {version: 1.2.3}}
    capacity: {memory: {value: 40Gi, requestPolicy: {default: 10Gi, validRange: {min: 1Gi}}}}
    consumesCounters: [{counterSet: gpu-0, counters: {memory: {value: 40Gi}}}]
    allowMultipleAllocations: true
    taints: [{key: broken, effect: NoSchedule}]
)"},
    {"coordination.k8s.io/v1", "Lease", "holderIdentity", "holderIdentty", R"(
metadata: {name: c1f6bfd2.kueue.x-k8s.io, namespace: kueue-system}
spec:
  holderIdentity: kueue-0
  leaseDurationSeconds: 15
  acquireTime: "2026-01-02T03:04:05.000006Z"
  renewTime: "2026-01-02T03:05:05.123456Z"
  leaseTransitions: 4
)"},
    {"admission.k8s.io/v1", "AdmissionReview", "userInfo", "usrInfo", R"(
request:
  uid: r1
  kind: {group: batch, version: v1, kind: Job}
  resource: {group: batch, version: v1, resource: jobs}
  requestKind: {group: batch, version: v1, kind: Job}
  name: trainer
  namespace: team-a
  operation: UPDATE
  userInfo: {username: me, groups: ["system:masters"], extra: {scopes: [a]}}
  object: {apiVersion: batch/v1, kind: Job, spec: {parallelism: 2}}
  oldObject: {apiVersion: batch/v1, kind: Job, spec: {parallelism: 1}}
  dryRun: true
  options: {kind: UpdateOptions}
response:
  uid: r1
  allowed: false
  status: {code: 422, message: not so, reason: Invalid, details: {causes: [{reason: FieldValueInvalid, field: spec.x}]}}
  patch: W10=
  patchType: JSONPatch
  warnings: [it can never fit]
  auditAnnotations: {why: because}
)"},
    {"v1", "Status", "details", "detals", R"(
status: Failure
message: jobs.batch "x" not found
reason: NotFound
details: {name: x, group: batch, kind: jobs, causes: [{reason: FieldValueRequired, message: write it, field: spec}]}
code: 404
)"},
    {"meta.k8s.io/v1", "Table", "columnDefinitions", "columnDefintions", R"(
metadata: {resourceVersion: "7"}
columnDefinitions: [{name: Name, type: string, format: name, description: Its name, priority: 0}]
rows:
- {cells: [a, 1, null, true], object: {kind: PartialObjectMetadata}, conditions: [{type: Completed, status: "True"}]}
)"},
    {"v1", "List", "items", "itms", R"(
metadata: {resourceVersion: "7", continue: abc, remainingItemCount: 3}
items: [{apiVersion: v1, kind: Namespace, metadata: {name: a}}]
)"},
};

std::string JsonOf(const Sample& sample) {
  const std::string head =
      "apiVersion: " + std::string(sample.api_version) + "\nkind: " + std::string(sample.kind);
  return schema::YamlToJson(head + std::string(sample.yaml)).value().at(0).json;
}

const schema::Kind& KindOf(const Sample& sample) {
  const FoundKind found = FindKind(sample.api_version, sample.kind);
  EXPECT_TRUE(found) << sample.api_version << " " << sample.kind;
  EXPECT_FALSE(found.is_previous);
  return *found.kind;
}

class BuiltinKind : public ::testing::TestWithParam<Sample> {
 protected:
  std::expected<Object, schema::Problems> ReadStrictly(std::string_view json) {
    return ReadObject(KindOf(GetParam()), json, {.is_strict = true});
  }
};

TEST_P(BuiltinKind, IsDecodedStrictlyWithoutLoss) {
  const std::string json = JsonOf(GetParam());
  const auto object = ReadStrictly(json);
  ASSERT_TRUE(object) << testing::ToString(object.error());
  EXPECT_EQ(FirstLoss(json, object->Encode()), std::nullopt) << object->Encode();
}

TEST_P(BuiltinKind, RoundTrips) {
  const auto once = ReadStrictly(JsonOf(GetParam()));
  ASSERT_TRUE(once) << testing::ToString(once.error());
  const auto twice = ReadStrictly(once->Encode());
  ASSERT_TRUE(twice) << testing::ToString(twice.error());
  EXPECT_EQ(twice->Encode(), once->Encode());
}

TEST_P(BuiltinKind, SuggestsTheMisspeltField) {
  std::string json = JsonOf(GetParam());
  const std::string key = "\"" + std::string(GetParam().field) + "\":";
  const size_t at = json.find(key);
  ASSERT_NE(at, std::string::npos);
  json.replace(at + 1, GetParam().field.size(), GetParam().typo);

  const auto object = ReadStrictly(json);
  ASSERT_FALSE(object);
  EXPECT_THAT(object.error(),
              Contains(::testing::AllOf(
                  ::testing::Field(&schema::Problem::type, schema::ProblemType::kUnknownField),
                  ::testing::Field(&schema::Problem::hint, HasSubstr(GetParam().field)))));
}

TEST_P(BuiltinKind, KeepsUnknownFields) {
  std::string json = JsonOf(GetParam());
  json.insert(1, R"("fromTheFuture":{"a":[1,{"b":null}]},)");
  const auto object = ReadObject(KindOf(GetParam()), json, {});
  ASSERT_TRUE(object) << testing::ToString(object.error());
  EXPECT_THAT(object->Encode(), HasSubstr(R"("fromTheFuture":{"a":[1,{"b":null}]})"));
}

std::string NameOf(const ::testing::TestParamInfo<Sample>& info) {
  return std::string(info.param.kind) +
         (info.param.api_version.starts_with("events") ? "OfEventsGroup" : "");
}

INSTANTIATE_TEST_SUITE_P(Samples, BuiltinKind, ::testing::ValuesIn(kSamples), NameOf);

}  // namespace
}  // namespace berth::api
