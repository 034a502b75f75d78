#include "api/core/lease.h"

namespace berth::api {

using schema::Member;

const schema::Struct& LeaseSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&LeaseSpec::holder_identity>("holderIdentity",
                                          "Identity of the holder. Empty if the lease is free."),
      Member<&LeaseSpec::lease_duration_seconds>(
          "leaseDurationSeconds", "Seconds for which a lease is valid without renewal."),
      Member<&LeaseSpec::acquire_time>("acquireTime",
                                       "Time at which the holder acquired the lease.")
          .MicroTime(),
      Member<&LeaseSpec::renew_time>("renewTime", "Time of the last renewal.").MicroTime(),
      Member<&LeaseSpec::lease_transitions>("leaseTransitions", "Number of changes of the holder."),
      Member<&LeaseSpec::strategy>("strategy", "Strategy by which the next holder is chosen."),
      Member<&LeaseSpec::preferred_holder>("preferredHolder", "Preferred next holder."),
  };
  static constexpr auto kStruct =
      schema::Describe<LeaseSpec>("LeaseSpec", "LeaseSpec is the state of a Lease.", kFields);
  return kStruct;
}

const schema::Struct& Lease::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Lease::metadata>("metadata", "Standard object metadata."),
      Member<&Lease::spec>("spec", "State of the lease."),
  };
  static constexpr auto kStruct =
      schema::Describe<Lease>("Lease", "Lease is a lock with an expiration time.", kFields);
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
