#include "api/core/service.h"

#include "api/meta/list_keys.h"

namespace berth::api {

using schema::Carried;
using schema::kCarriedBool;
using schema::kCarriedInt32;
using schema::kCarriedIntOrString;
using schema::kCarriedString;
using schema::kCarriedStringMap;
using schema::kCarriedStrings;
using schema::kCarriedStruct;
using schema::kCarriedStructs;
using schema::Member;

namespace {

constexpr std::string_view kByServicePort[] = {"port", "protocol"};

const schema::Struct& PortShape() {
  static constexpr schema::Field kFields[] = {
      Carried("name", kCarriedString, "Name of the port, unique in the Service."),
      Carried("protocol", kCarriedString, "TCP, UDP or SCTP.").Default("\"TCP\""),
      Carried("appProtocol", kCarriedString, "Application protocol."),
      Carried("port", kCarriedInt32, "Port of the Service.").Required(),
      Carried("targetPort", kCarriedIntOrString, "Port of the pods, by number or name."),
      Carried("nodePort", kCarriedInt32, "Port on every node."),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("ServicePort", "ServicePort is a port of a Service.", kFields);
  return kStruct;
}

const schema::Struct& ClientIpShape() {
  static constexpr schema::Field kFields[] = {
      Carried("timeoutSeconds", kCarriedInt32, "Seconds for which affinity lasts."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "ClientIPConfig", "ClientIPConfig configures affinity by client address.", kFields);
  return kStruct;
}

const schema::Struct& SessionAffinityShape() {
  static constexpr schema::Field kFields[] = {
      Carried("clientIP", kCarriedStruct<&ClientIpShape>, "Affinity by client address."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "SessionAffinityConfig", "SessionAffinityConfig configures session affinity.", kFields);
  return kStruct;
}

const schema::Struct& SpecShape() {
  static constexpr schema::Field kFields[] = {
      Carried("ports", kCarriedStructs<&PortShape>, "Ports of the Service.")
          .MapBy(kByServicePort)
          .PatchBy("port"),
      Carried("selector", kCarriedStringMap, "Labels of the backing pods."),
      Carried("clusterIP", kCarriedString, "Cluster address, or None."),
      Carried("clusterIPs", kCarriedStrings, "Cluster addresses, by family."),
      Carried("type", kCarriedString, "ClusterIP, NodePort, LoadBalancer or ExternalName."),
      Carried("externalIPs", kCarriedStrings, "Additional addresses."),
      Carried("sessionAffinity", kCarriedString, "ClientIP or None."),
      Carried("loadBalancerIP", kCarriedString, "Deprecated and without effect."),
      Carried("loadBalancerSourceRanges", kCarriedStrings,
              "Client address ranges allowed by the load balancer."),
      Carried("externalName", kCarriedString, "External DNS name."),
      Carried("externalTrafficPolicy", kCarriedString, "Cluster or Local."),
      Carried("healthCheckNodePort", kCarriedInt32, "Port of the health check."),
      Carried("publishNotReadyAddresses", kCarriedBool, "Whether unready pods are published."),
      Carried("sessionAffinityConfig", kCarriedStruct<&SessionAffinityShape>,
              "Options of session affinity."),
      Carried("ipFamilies", kCarriedStrings, "IPv4 and IPv6."),
      Carried("ipFamilyPolicy", kCarriedString, "Policy for address families."),
      Carried("allocateLoadBalancerNodePorts", kCarriedBool, "Whether node ports are allocated."),
      Carried("loadBalancerClass", kCarriedString, "Class of the load balancer."),
      Carried("internalTrafficPolicy", kCarriedString, "Cluster or Local."),
      Carried("trafficDistribution", kCarriedString, "Preference of pods by location."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "ServiceSpec", "ServiceSpec is the desired state of a Service.", kFields);
  return kStruct;
}

const schema::Struct& PortStatusShape() {
  static constexpr schema::Field kFields[] = {
      Carried("port", kCarriedInt32, "Number of the port.").Required(),
      Carried("protocol", kCarriedString, "TCP, UDP or SCTP.").Required(),
      Carried("error", kCarriedString, "Error of the port."),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("PortStatus", "PortStatus is the state of a port.", kFields);
  return kStruct;
}

const schema::Struct& IngressShape() {
  static constexpr schema::Field kFields[] = {
      Carried("ip", kCarriedString, "IP address."),
      Carried("hostname", kCarriedString, "Host name."),
      Carried("ipMode", kCarriedString, "VIP or Proxy."),
      Carried("ports", kCarriedStructs<&PortStatusShape>, "States of the ports."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "LoadBalancerIngress", "LoadBalancerIngress is an ingress point of a load balancer.",
      kFields);
  return kStruct;
}

const schema::Struct& LoadBalancerShape() {
  static constexpr schema::Field kFields[] = {
      Carried("ingress", kCarriedStructs<&IngressShape>, "Ingress points of the load balancer."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "LoadBalancerStatus", "LoadBalancerStatus is the state of a load balancer.", kFields);
  return kStruct;
}

const schema::Struct& StatusShape() {
  static constexpr schema::Field kFields[] = {
      Carried("loadBalancer", kCarriedStruct<&LoadBalancerShape>, "State of the load balancer."),
      Carried("conditions", kCarriedStructs<&Condition::Description>, "Conditions of the Service.")
          .MapBy(kByType)
          .PatchBy("type"),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "ServiceStatus", "ServiceStatus is the observed state of a Service.", kFields);
  return kStruct;
}

}  // namespace

const schema::Struct& Service::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Service::metadata>("metadata", "Standard object metadata."),
      Carried("spec", kCarriedStruct<&SpecShape>, "Desired state."),
      Carried("status", kCarriedStruct<&StatusShape>, "Observed state."),
  };
  static constexpr auto kStruct = schema::Describe<Service>(
      "Service", "Service is a stable network name of a set of pods.", kFields);
  return kStruct;
}

const schema::Kind& Service::KindInfo() {
  static constexpr std::string_view kShortNames[] = {"svc"};
  static constexpr std::string_view kCategories[] = {"all"};
  static constexpr schema::Column kColumns[] = {
      {"Type", "string", ".spec.type", "ClusterIP, NodePort, LoadBalancer or ExternalName."},
      {"Cluster-IP", "string", ".spec.clusterIP", "Its address, or None."},
      {"Age", "date", ".metadata.creationTimestamp", "Time since it was created."},
  };
  static constexpr schema::Kind kKind{
      .group = "",
      .version = "v1",
      .kind = "Service",
      .plural = "services",
      .is_namespaced = true,
      .structure = &Service::Description,
      .short_names = kShortNames,
      .categories = kCategories,
      .columns = kColumns,
      .has_status = true,
  };
  return kKind;
}

}  // namespace berth::api
