// Messages of dynamic resource allocation, by version.

#include "apiserver/protobuf/table.h"

namespace berth::apiserver {
namespace {

// Common to all versions.
constexpr std::string_view kDevicesText = R"(
AllocatedDeviceStatus: driver=1! pool=2! device=3! conditions=4:Condition[] data=5:json!
  networkData=6:NetworkDeviceData! shareID=7!
AllocationResult: devices=1:DeviceAllocationResult nodeSelector=3:NodeSelector!
  allocationTimestamp=5:time!
CELDeviceSelector: expression=1!
CapacityRequestPolicy: default=1:quantity! validValues=3:quantity[]
  validRange=4:CapacityRequestPolicyRange!
CapacityRequestPolicyRange: min=1:quantity! max=2:quantity! step=3:quantity!
CapacityRequirements: requests=1:quantity{}
Counter: value=1:quantity!
CounterSet: name=1! counters=2:Counter{}
DeviceAllocationConfiguration: source=1! requests=2:string[] ~=3:DeviceConfiguration
DeviceAllocationResult: results=1:DeviceRequestAllocationResult[]
  config=2:DeviceAllocationConfiguration[]
DeviceAttribute: int=2:int! bool=3:bool! string=4! version=5! ints=6:int[] bools=7:bool[]
  strings=8:string[] versions=9:string[]
DeviceCapacity: value=1:quantity! requestPolicy=2:CapacityRequestPolicy!
DeviceClaim: requests=1:DeviceRequest[] constraints=2:DeviceConstraint[]
  config=3:DeviceClaimConfiguration[]
DeviceClaimConfiguration: requests=1:string[] ~=2:DeviceConfiguration
DeviceClass: metadata=1:ObjectMeta spec=2:DeviceClassSpec!
DeviceClassConfiguration: ~=1:DeviceConfiguration
DeviceClassSpec: selectors=1:DeviceSelector[] config=2:DeviceClassConfiguration[]
  extendedResourceName=4!
DeviceConfiguration: opaque=1:OpaqueDeviceConfiguration!
DeviceConstraint: requests=1:string[] matchAttribute=2! distinctAttribute=3!
DeviceCounterConsumption: counterSet=1! counters=2:Counter{}
DeviceRequestAllocationResult: request=1! driver=2! pool=3! device=4! adminAccess=5:bool!
  tolerations=6:DeviceToleration[] bindingConditions=7:string[]
  bindingFailureConditions=8:string[] shareID=9! consumedCapacity=10:quantity{}
DeviceSelector: cel=1:CELDeviceSelector!
DeviceTaint: key=1! value=2 effect=3! timeAdded=4:time!
DeviceToleration: key=1 operator=2 value=3 effect=4 tolerationSeconds=5:int!
NetworkDeviceData: interfaceName=1 ips=2:string[] hardwareAddress=3
NodeAllocatableResourceMapping: capacityKey=1! allocationMultiplier=2:quantity!
OpaqueDeviceConfiguration: driver=1! parameters=2:json!
ResourceClaim: metadata=1:ObjectMeta spec=2:ResourceClaimSpec! status=3:ResourceClaimStatus
ResourceClaimConsumerReference: apiGroup=1 resource=3! name=4! uid=5!
ResourceClaimSpec: devices=1:DeviceClaim!
ResourceClaimStatus: allocation=1:AllocationResult! reservedFor=2:ResourceClaimConsumerReference[]
  devices=4:AllocatedDeviceStatus[]
ResourceClaimTemplate: metadata=1:ObjectMeta spec=2:ResourceClaimTemplateSpec!
ResourceClaimTemplateSpec: metadata=1:ObjectMeta spec=2:ResourceClaimSpec!
ResourcePool: name=1! generation=2:int! resourceSliceCount=3:int!
ResourceSlice: metadata=1:ObjectMeta spec=2:ResourceSliceSpec!
)";

constexpr std::string_view kCurrentDevicesText = R"(
Device: name=1! attributes=2:DeviceAttribute{} capacity=3:DeviceCapacity{}
  consumesCounters=4:DeviceCounterConsumption[] nodeName=5! nodeSelector=6:NodeSelector!
  allNodes=7:bool! taints=8:DeviceTaint[] bindsToNode=9:bool! bindingConditions=10:string[]
  bindingFailureConditions=11:string[] allowMultipleAllocations=12:bool!
  nodeAllocatableResourceMappings=13:NodeAllocatableResourceMapping{}
DeviceRequest: name=1! exactly=2:ExactDeviceRequest! firstAvailable=3:DeviceSubRequest[]
DeviceSubRequest: name=1! deviceClassName=2! selectors=3:DeviceSelector[] allocationMode=4
  count=5:int tolerations=6:DeviceToleration[] capacity=7:CapacityRequirements!
ExactDeviceRequest: deviceClassName=1! selectors=2:DeviceSelector[] allocationMode=3 count=4:int
  adminAccess=5:bool! tolerations=6:DeviceToleration[] capacity=7:CapacityRequirements!
ResourceSliceSpec: driver=1! pool=2:ResourcePool! nodeName=3! nodeSelector=4:NodeSelector!
  allNodes=5:bool! devices=6:Device[] perDeviceNodeSelection=7:bool! sharedCounters=8:CounterSet[]
)";

// v1beta1, where requests and devices have a single form.
constexpr std::string_view kPreviousDevicesText = R"(
BasicDevice: attributes=1:DeviceAttribute{} capacity=2:DeviceCapacity{}
  consumesCounters=3:DeviceCounterConsumption[] nodeName=4! nodeSelector=5:NodeSelector!
  allNodes=6:bool! taints=7:DeviceTaint[] bindsToNode=8:bool! bindingConditions=9:string[]
  bindingFailureConditions=10:string[] allowMultipleAllocations=11:bool!
  nodeAllocatableResourceMappings=12:NodeAllocatableResourceMapping{}
Device: name=1! basic=2:BasicDevice!
DeviceRequest: name=1! deviceClassName=2! selectors=3:DeviceSelector[] allocationMode=4
  count=5:int adminAccess=6:bool! firstAvailable=7:DeviceSubRequest[]
  tolerations=8:DeviceToleration[] capacity=9:CapacityRequirements!
DeviceSubRequest: name=1! deviceClassName=2! selectors=3:DeviceSelector[] allocationMode=4
  count=5:int tolerations=7:DeviceToleration[] capacity=8:CapacityRequirements!
ResourceSliceSpec: driver=1! pool=2:ResourcePool! nodeName=3 nodeSelector=4:NodeSelector!
  allNodes=5:bool devices=6:Device[] perDeviceNodeSelection=7:bool! sharedCounters=8:CounterSet[]
)";

}  // namespace

std::vector<ProtobufSection> DeviceMessages() {
  return {
      {"resource.k8s.io/v1", kDevicesText},      {"resource.k8s.io/v1", kCurrentDevicesText},
      {"resource.k8s.io/v1beta2", kDevicesText}, {"resource.k8s.io/v1beta2", kCurrentDevicesText},
      {"resource.k8s.io/v1beta1", kDevicesText}, {"resource.k8s.io/v1beta1", kPreviousDevicesText}};
}

}  // namespace berth::apiserver
