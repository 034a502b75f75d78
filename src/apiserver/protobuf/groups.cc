// Messages of the other groups, except dynamic resource allocation.

#include "apiserver/protobuf/table.h"

namespace berth::apiserver {
namespace {

constexpr std::string_view kAppsText = R"(
Deployment: metadata=1:ObjectMeta spec=2:DeploymentSpec status=3:DeploymentStatus
DeploymentCondition: type=1! status=2! reason=4 message=5 lastUpdateTime=6:time
  lastTransitionTime=7:time
DeploymentSpec: replicas=1:int! selector=2:LabelSelector! template=3:PodTemplateSpec!
  strategy=4:DeploymentStrategy minReadySeconds=5:int revisionHistoryLimit=6:int! paused=7:bool
  progressDeadlineSeconds=9:int!
DeploymentStatus: observedGeneration=1:int replicas=2:int updatedReplicas=3:int
  availableReplicas=4:int unavailableReplicas=5:int conditions=6:DeploymentCondition[]
  readyReplicas=7:int collisionCount=8:int! terminatingReplicas=9:int!
DeploymentStrategy: type=1 rollingUpdate=2:RollingUpdateDeployment!
ReplicaSet: metadata=1:ObjectMeta spec=2:ReplicaSetSpec status=3:ReplicaSetStatus
ReplicaSetCondition: type=1! status=2! lastTransitionTime=3:time reason=4 message=5
ReplicaSetSpec: replicas=1:int! selector=2:LabelSelector! template=3:PodTemplateSpec
  minReadySeconds=4:int
ReplicaSetStatus: replicas=1:int! fullyLabeledReplicas=2:int observedGeneration=3:int
  readyReplicas=4:int availableReplicas=5:int conditions=6:ReplicaSetCondition[]
  terminatingReplicas=7:int!
RollingUpdateDeployment: maxUnavailable=1:int-or-string! maxSurge=2:int-or-string!
RollingUpdateStatefulSetStrategy: partition=1:int! maxUnavailable=2:int-or-string!
StatefulSet: metadata=1:ObjectMeta spec=2:StatefulSetSpec status=3:StatefulSetStatus
StatefulSetCondition: type=1! status=2! lastTransitionTime=3:time reason=4 message=5
StatefulSetOrdinals: start=1:int!
StatefulSetPersistentVolumeClaimRetentionPolicy: whenDeleted=1 whenScaled=2
StatefulSetSpec: replicas=1:int! selector=2:LabelSelector! template=3:PodTemplateSpec!
  volumeClaimTemplates=4:PersistentVolumeClaim[] serviceName=5! podManagementPolicy=6
  updateStrategy=7:StatefulSetUpdateStrategy revisionHistoryLimit=8:int! minReadySeconds=9:int
  persistentVolumeClaimRetentionPolicy=10:StatefulSetPersistentVolumeClaimRetentionPolicy!
  ordinals=11:StatefulSetOrdinals!
StatefulSetStatus: observedGeneration=1:int replicas=2:int! readyReplicas=3:int
  currentReplicas=4:int updatedReplicas=5:int currentRevision=6 updateRevision=7
  collisionCount=9:int! conditions=10:StatefulSetCondition[] availableReplicas=11:int!
StatefulSetUpdateStrategy: type=1 rollingUpdate=2:RollingUpdateStatefulSetStrategy!
)";

constexpr std::string_view kAuthenticationText = R"(
SelfSubjectReview: metadata=1:ObjectMeta status=2:SelfSubjectReviewStatus
SelfSubjectReviewStatus: userInfo=1:UserInfo
UserInfo: username=1 uid=2 groups=3:string[]
)";

constexpr std::string_view kAuthorizationText = R"(
FieldSelectorAttributes: rawSelector=1 requirements=2:FieldSelectorRequirement[]
LabelSelectorAttributes: rawSelector=1 requirements=2:LabelSelectorRequirement[]
NonResourceAttributes: path=1 verb=2
NonResourceRule: verbs=1:string[] nonResourceURLs=2:string[]
ResourceAttributes: namespace=1 verb=2 group=3 version=4 resource=5 subresource=6 name=7
  fieldSelector=8:FieldSelectorAttributes! labelSelector=9:LabelSelectorAttributes!
ResourceRule: verbs=1:string[] apiGroups=2:string[] resources=3:string[] resourceNames=4:string[]
SelfSubjectAccessReview: metadata=1:ObjectMeta spec=2:SelfSubjectAccessReviewSpec!
  status=3:SubjectAccessReviewStatus
SelfSubjectAccessReviewSpec: resourceAttributes=1:ResourceAttributes!
  nonResourceAttributes=2:NonResourceAttributes!
SelfSubjectRulesReview: metadata=1:ObjectMeta spec=2:SelfSubjectRulesReviewSpec!
  status=3:SubjectRulesReviewStatus
SelfSubjectRulesReviewSpec: namespace=1
SubjectAccessReviewStatus: allowed=1:bool! reason=2 evaluationError=3 denied=4:bool
SubjectRulesReviewStatus: resourceRules=1:ResourceRule[] nonResourceRules=2:NonResourceRule[]
  incomplete=3:bool! evaluationError=4
)";

constexpr std::string_view kAutoscalingText = R"(
Scale: metadata=1:ObjectMeta spec=2:ScaleSpec status=3:ScaleStatus
ScaleSpec: replicas=1:int
ScaleStatus: replicas=1:int! selector=2
)";

constexpr std::string_view kBatchText = R"(
CronJob: metadata=1:ObjectMeta spec=2:CronJobSpec status=3:CronJobStatus
CronJobSpec: schedule=1! startingDeadlineSeconds=2:int! concurrencyPolicy=3 suspend=4:bool!
  jobTemplate=5:JobTemplateSpec! successfulJobsHistoryLimit=6:int! failedJobsHistoryLimit=7:int!
  timeZone=8!
CronJobStatus: active=1:ObjectReference[] lastScheduleTime=4:time! lastSuccessfulTime=5:time!
Job: metadata=1:ObjectMeta spec=2:JobSpec status=3:JobStatus
JobCondition: type=1! status=2! lastProbeTime=3:time lastTransitionTime=4:time reason=5 message=6
JobSpec: parallelism=1:int! completions=2:int! activeDeadlineSeconds=3:int!
  selector=4:LabelSelector! manualSelector=5:bool! template=6:PodTemplateSpec! backoffLimit=7:int!
  ttlSecondsAfterFinished=8:int! completionMode=9! suspend=10:bool!
  podFailurePolicy=11:PodFailurePolicy! backoffLimitPerIndex=12:int! maxFailedIndexes=13:int!
  podReplacementPolicy=14! managedBy=15! successPolicy=16:SuccessPolicy!
JobStatus: conditions=1:JobCondition[] startTime=2:time! completionTime=3:time! active=4:int
  succeeded=5:int failed=6:int completedIndexes=7
  uncountedTerminatedPods=8:UncountedTerminatedPods! ready=9:int! failedIndexes=10!
  terminating=11:int!
JobTemplateSpec: metadata=1:ObjectMeta spec=2:JobSpec
PodFailurePolicy: rules=1:PodFailurePolicyRule[]
PodFailurePolicyOnExitCodesRequirement: containerName=1! operator=2! values=3:int[]
PodFailurePolicyOnPodConditionsPattern: type=1! status=2!
PodFailurePolicyRule: action=1! onExitCodes=2:PodFailurePolicyOnExitCodesRequirement!
  onPodConditions=3:PodFailurePolicyOnPodConditionsPattern[]
SuccessPolicy: rules=1:SuccessPolicyRule[]
SuccessPolicyRule: succeededIndexes=1! succeededCount=2:int!
UncountedTerminatedPods: succeeded=1:string[] failed=2:string[]
)";

constexpr std::string_view kCoordinationText = R"(
Lease: metadata=1:ObjectMeta spec=2:LeaseSpec
LeaseSpec: holderIdentity=1! leaseDurationSeconds=2:int! acquireTime=3:microtime! renewTime=4:microtime!
  leaseTransitions=5:int! strategy=6! preferredHolder=7!
)";

constexpr std::string_view kEventsText = R"(
Event: metadata=1:ObjectMeta! eventTime=2:microtime! series=3:EventSeries! reportingController=4
  reportingInstance=5 action=6 reason=7 regarding=8:ObjectReference related=9:ObjectReference!
  note=10 type=11 deprecatedSource=12:EventSource deprecatedFirstTimestamp=13:time
  deprecatedLastTimestamp=14:time deprecatedCount=15:int
EventSeries: count=1:int! lastObservedTime=2:microtime!
)";

constexpr std::string_view kNodeText = R"(
Overhead: podFixed=1:quantity{}
RuntimeClass: metadata=1:ObjectMeta handler=2! overhead=3:Overhead! scheduling=4:Scheduling!
Scheduling: nodeSelector=1:string{} tolerations=2:Toleration[]
)";

constexpr std::string_view kSchedulingText = R"(
PriorityClass: metadata=1:ObjectMeta value=2:int! globalDefault=3:bool description=4
  preemptionPolicy=5!
)";

}  // namespace

std::vector<ProtobufSection> GroupMessages() {
  return {{"apps/v1", kAppsText},
          {"authentication.k8s.io/v1", kAuthenticationText},
          {"authorization.k8s.io/v1", kAuthorizationText},
          {"autoscaling/v1", kAutoscalingText},
          {"batch/v1", kBatchText},
          {"coordination.k8s.io/v1", kCoordinationText},
          {"events.k8s.io/v1", kEventsText},
          {"node.k8s.io/v1", kNodeText},
          {"scheduling.k8s.io/v1", kSchedulingText}};
}

}  // namespace berth::apiserver
