#include "api/service.h"

#include "api/list_keys.h"

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
      Carried("appProtocol", kCarriedString, "What is spoken on it."),
      Carried("port", kCarriedInt32, "Port of the Service.").Required(),
      Carried("targetPort", kCarriedIntOrString, "Port of the pods, by number or name."),
      Carried("nodePort", kCarriedInt32, "Port on every node."),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("ServicePort", "A port of a Service.", kFields);
  return kStruct;
}

const schema::Struct& ClientIpShape() {
  static constexpr schema::Field kFields[] = {
      Carried("timeoutSeconds", kCarriedInt32, "How long a client sticks to a pod."),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("ClientIPConfig", "Affinity by client address.", kFields);
  return kStruct;
}

const schema::Struct& SessionAffinityShape() {
  static constexpr schema::Field kFields[] = {
      Carried("clientIP", kCarriedStruct<&ClientIpShape>, "Affinity by client address."),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("SessionAffinityConfig", "How clients stick to pods.", kFields);
  return kStruct;
}

const schema::Struct& SpecShape() {
  static constexpr schema::Field kFields[] = {
      Carried("ports", kCarriedStructs<&PortShape>, "Ports that are served.")
          .MapBy(kByServicePort)
          .PatchBy("port"),
      Carried("selector", kCarriedStringMap, "Labels of the pods that serve."),
      Carried("clusterIP", kCarriedString, "Its address, or None."),
      Carried("clusterIPs", kCarriedStrings, "Its addresses, by family."),
      Carried("type", kCarriedString, "ClusterIP, NodePort, LoadBalancer or ExternalName."),
      Carried("externalIPs", kCarriedStrings, "More addresses that lead to it."),
      Carried("sessionAffinity", kCarriedString, "ClientIP or None."),
      Carried("loadBalancerIP", kCarriedString, "No longer used."),
      Carried("loadBalancerSourceRanges", kCarriedStrings, "Who may use the load balancer."),
      Carried("externalName", kCarriedString, "The name that it stands for."),
      Carried("externalTrafficPolicy", kCarriedString, "Cluster or Local."),
      Carried("healthCheckNodePort", kCarriedInt32, "Where load balancers ask for health."),
      Carried("publishNotReadyAddresses", kCarriedBool,
              "Whether pods count before they are ready."),
      Carried("sessionAffinityConfig", kCarriedStruct<&SessionAffinityShape>,
              "How clients stick to pods."),
      Carried("ipFamilies", kCarriedStrings, "IPv4 and IPv6."),
      Carried("ipFamilyPolicy", kCarriedString, "Which address families it has."),
      Carried("allocateLoadBalancerNodePorts", kCarriedBool, "Whether node ports are set aside."),
      Carried("loadBalancerClass", kCarriedString, "Who provides the load balancer."),
      Carried("internalTrafficPolicy", kCarriedString, "Cluster or Local."),
      Carried("trafficDistribution", kCarriedString, "Which pods are preferred."),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("ServiceSpec", "How pods are reached.", kFields);
  return kStruct;
}

const schema::Struct& PortStatusShape() {
  static constexpr schema::Field kFields[] = {
      Carried("port", kCarriedInt32, "The port.").Required(),
      Carried("protocol", kCarriedString, "TCP, UDP or SCTP.").Required(),
      Carried("error", kCarriedString, "What is wrong with it."),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("PortStatus", "State of a port.", kFields);
  return kStruct;
}

const schema::Struct& IngressShape() {
  static constexpr schema::Field kFields[] = {
      Carried("ip", kCarriedString, "Address."),
      Carried("hostname", kCarriedString, "Name."),
      Carried("ipMode", kCarriedString, "VIP or Proxy."),
      Carried("ports", kCarriedStructs<&PortStatusShape>, "State of its ports."),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("LoadBalancerIngress", "An entry of a load balancer.", kFields);
  return kStruct;
}

const schema::Struct& LoadBalancerShape() {
  static constexpr schema::Field kFields[] = {
      Carried("ingress", kCarriedStructs<&IngressShape>, "Entries of the load balancer."),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("LoadBalancerStatus", "State of a load balancer.", kFields);
  return kStruct;
}

const schema::Struct& StatusShape() {
  static constexpr schema::Field kFields[] = {
      Carried("loadBalancer", kCarriedStruct<&LoadBalancerShape>, "State of the load balancer."),
      Carried("conditions", kCarriedStructs<&Condition::Description>, "Its state.")
          .MapBy(kByType)
          .PatchBy("type"),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("ServiceStatus", "State of a Service.", kFields);
  return kStruct;
}

}  // namespace

const schema::Struct& Service::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Service::metadata>("metadata", "Name, labels and the like."),
      Carried("spec", kCarriedStruct<&SpecShape>, "How pods are reached."),
      Carried("status", kCarriedStruct<&StatusShape>, "State of the Service."),
  };
  static constexpr auto kStruct =
      schema::Describe<Service>("Service", "A name under which pods are reached.", kFields);
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
