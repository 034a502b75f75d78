#include "api/lease.h"

namespace berth::api {

using schema::Member;

const schema::Struct& LeaseSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&LeaseSpec::holder_identity>("holderIdentity", "Who holds it; nobody if empty."),
      Member<&LeaseSpec::lease_duration_seconds>("leaseDurationSeconds",
                                                 "How long it is held without being renewed."),
      Member<&LeaseSpec::acquire_time>("acquireTime", "When the holder got it.").MicroTime(),
      Member<&LeaseSpec::renew_time>("renewTime", "When the holder last renewed it.").MicroTime(),
      Member<&LeaseSpec::lease_transitions>("leaseTransitions", "How often the holder changed."),
      Member<&LeaseSpec::strategy>("strategy", "How the next holder is chosen."),
      Member<&LeaseSpec::preferred_holder>("preferredHolder", "Who should get it next."),
  };
  static constexpr auto kStruct =
      schema::Describe<LeaseSpec>("LeaseSpec", "Who holds a lease.", kFields);
  return kStruct;
}

const schema::Struct& Lease::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Lease::metadata>("metadata", "Name, labels and the like."),
      Member<&Lease::spec>("spec", "Who holds it."),
  };
  static constexpr auto kStruct =
      schema::Describe<Lease>("Lease", "A lock that must be renewed.", kFields);
  return kStruct;
}

const schema::Kind& Lease::KindInfo() {
  static constexpr schema::Kind kKind{
      .group = "coordination.k8s.io",
      .version = "v1",
      .kind = "Lease",
      .plural = "leases",
      .is_namespaced = true,
      .structure = &Lease::Description,
  };
  return kKind;
}

}  // namespace berth::api
