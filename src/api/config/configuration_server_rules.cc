// Validates the servers: TLS, certificates, metrics, visibility.

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>

#include "api/config/configuration_rules_parts.h"
#include "api/meta/label_rules.h"
#include "api/meta/names.h"

namespace berth::api {
namespace {

// --- TLS ----------------------------------------------------------------------------------------

// IANA names supported by Kueue's TLS library, insecure ones included, and two legacy names.
constexpr std::string_view kCipherSuites[] = {
    "TLS_AES_128_GCM_SHA256",
    "TLS_AES_256_GCM_SHA384",
    "TLS_CHACHA20_POLY1305_SHA256",
    "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA",
    "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256",
    "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
    "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA",
    "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
    "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305",
    "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
    "TLS_ECDHE_ECDSA_WITH_RC4_128_SHA",
    "TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA",
    "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA",
    "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256",
    "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
    "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA",
    "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
    "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305",
    "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
    "TLS_ECDHE_RSA_WITH_RC4_128_SHA",
    "TLS_RSA_WITH_3DES_EDE_CBC_SHA",
    "TLS_RSA_WITH_AES_128_CBC_SHA",
    "TLS_RSA_WITH_AES_128_CBC_SHA256",
    "TLS_RSA_WITH_AES_128_GCM_SHA256",
    "TLS_RSA_WITH_AES_256_CBC_SHA",
    "TLS_RSA_WITH_AES_256_GCM_SHA384",
    "TLS_RSA_WITH_RC4_128_SHA",
};

// P-256, P-384, P-521, X25519 and the three hybrids with ML-KEM.
constexpr int32_t kCurves[] = {23, 24, 25, 29, 4587, 4588, 4589};

// Problems of individual TLS settings, reported as one problem of `tls`.
std::string TlsFaults(const TlsSettings& tls) {
  std::string faults;
  const auto add = [&](const std::string& fault) {
    if (!faults.empty()) faults += "; ";
    faults += fault;
  };
  if (!tls.min_version.empty() && tls.min_version != kTls12 && tls.min_version != kTls13) {
    add("minVersion " + Quoted(tls.min_version) + " must be VersionTLS12 or VersionTLS13");
  }
  for (const std::string& suite : tls.cipher_suites) {
    if (std::ranges::find(kCipherSuites, suite) == std::end(kCipherSuites)) {
      add("cipherSuites has no suite " + Quoted(suite) +
          "; an example is TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256");
    }
  }
  std::set<int32_t> seen;
  for (int32_t curve : tls.curve_preferences) {
    if (std::ranges::find(kCurves, curve) == std::end(kCurves)) {
      add("curvePreferences has no curve " + std::to_string(curve) + "; an example is 29, X25519");
    } else if (!seen.insert(curve).second) {
      add("curvePreferences lists " + std::to_string(curve) + " twice; each must be there once");
    }
  }
  return faults;
}

void ValidateTls(const TlsSettings& tls, ProblemReport& report) {
  if (std::string faults = TlsFaults(tls); !faults.empty()) {
    report.Invalid("tls", std::move(faults));
    return;
  }
  if (tls.min_version != kTls13 || tls.cipher_suites.empty()) return;
  const auto in = report.In("tls");
  report.Invalid("cipherSuites", "cannot be chosen for TLS 1.3",
                 "remove them or set minVersion to VersionTLS12");
}

// --- Certificates, visibility -------------------------------------------------------------------

std::string Joined(const NameProblems& faults) {
  std::string text;
  for (const std::string& fault : faults) text += (text.empty() ? "" : " and ") + fault;
  return text;
}

void ValidateCertificates(const InternalCertManagementSettings& certificates,
                          ProblemReport& report) {
  if (!certificates.enable.value_or(false)) return;
  const auto in = report.In("internalCertManagement");
  const auto check = [&](const std::optional<std::string>& name, auto faults_of,
                         std::string_view field) {
    if (!name) return;
    const NameProblems faults = faults_of(*name);
    if (!faults.empty()) report.Invalid(field, Quoted(*name) + " " + Joined(faults));
  };
  check(certificates.webhook_service_name, Dns1035LabelProblems, "webhookServiceName");
  check(certificates.webhook_secret_name, Dns1123SubdomainProblems, "webhookSecretName");
}

bool IsIpAddress(const std::string& text) {
  if (text.find('\0') != text.npos) return false;
  std::array<unsigned char, sizeof(in6_addr)> address;
  return inet_pton(AF_INET, text.c_str(), address.data()) == 1 ||
         inet_pton(AF_INET6, text.c_str(), address.data()) == 1;
}

void ValidateVisibility(const VisibilityServerSettings& server, ProblemReport& report) {
  const auto in = report.In("visibilityServer");
  if (server.bind_address && !IsIpAddress(*server.bind_address)) {
    report.Invalid("bindAddress", Quoted(*server.bind_address) + " is not an IP address",
                   "write for example 0.0.0.0");
  }
  if (server.bind_port && (*server.bind_port < 1 || *server.bind_port > 65535)) {
    report.Invalid("bindPort", std::to_string(*server.bind_port) + " is not a port",
                   "write 1 to 65535");
  }
}

// --- Labels of metrics --------------------------------------------------------------------------

constexpr size_t kMaxCustomLabels = 20;
constexpr size_t kMaxTrackedValues = 16;
constexpr size_t kMaxTrackedValuesOfWorkloads = 12;

// 0 for kinds without custom metric labels.
size_t MaxLabelsOf(std::string_view kind) {
  if (kind == kLabelSourceWorkload) return 2;
  const bool is_known = kind == kLabelSourceCohort || kind == kLabelSourceLocalQueue ||
                        kind == kLabelSourceClusterQueue;
  return is_known ? 6 : 0;
}

bool IsMetricLabelName(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return !name.empty() && is_letter(name.front()) && std::ranges::all_of(name, [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '_';
  });
}

void ValidateSourceKey(const std::string& key, std::string_view field, ProblemReport& report) {
  const NameProblems faults = QualifiedNameProblems(key);
  if (!faults.empty()) report.Invalid(field, Quoted(key) + " " + Joined(faults));
}

void ValidateSource(const CustomLabelSettings& label, ProblemReport& report) {
  if (!label.source_label_key.empty() && !label.source_annotation_key.empty()) {
    report.Invalid("", "a value comes from a label or from an annotation",
                   "remove sourceLabelKey or sourceAnnotationKey");
  }
  if (!label.source_label_key.empty()) {
    ValidateSourceKey(label.source_label_key, "sourceLabelKey", report);
  } else if (!label.source_annotation_key.empty()) {
    ValidateSourceKey(label.source_annotation_key, "sourceAnnotationKey", report);
  } else {
    ValidateSourceKey(label.name, "name", report);
  }
}

void ValidateTrackedValues(const CustomLabelSettings& label, std::string_view kind,
                           ProblemReport& report) {
  const std::vector<std::string>& values = label.tracked_values;
  if (kind == kLabelSourceWorkload) {
    if (values.empty() || values.size() > kMaxTrackedValuesOfWorkloads) {
      report.Invalid("trackedValues", "labels of Workloads need a closed list of values",
                     "list 1 to " + std::to_string(kMaxTrackedValuesOfWorkloads) + " of them");
    }
  } else if (values.size() > kMaxTrackedValues) {
    report.Add(schema::ProblemType::kTooMany, "trackedValues",
               std::to_string(values.size()) + " values are too many",
               "list at most " + std::to_string(kMaxTrackedValues));
  }
  if (std::set<std::string_view>(values.begin(), values.end()).size() < values.size()) {
    report.Invalid("trackedValues", "a value is listed twice", "remove one of the two");
  }
}

void ValidateLabelCounts(const std::map<std::string_view, size_t>& count_of_kind,
                         ProblemReport& report) {
  for (const auto& [kind, count] : count_of_kind) {
    const size_t most = MaxLabelsOf(kind);
    if (most == 0) {
      report.Invalid("customLabels", "sourceKind " + Quoted(kind) + " has no metrics of its own",
                     "write Cohort, LocalQueue, ClusterQueue or Workload");
    } else if (count > most) {
      report.Invalid("customLabels",
                     std::to_string(count) + " labels from " + std::string(kind) + " are too many",
                     "at most " + std::to_string(most) + " are possible");
    }
  }
}

void ValidateCustomLabels(const std::vector<CustomLabelSettings>& labels, ProblemReport& report) {
  const auto in = report.In("metrics");
  if (labels.size() > kMaxCustomLabels) {
    report.Add(schema::ProblemType::kTooMany, "customLabels",
               std::to_string(labels.size()) + " labels are too many",
               "at most " + std::to_string(kMaxCustomLabels) + " are possible");
  }
  std::set<std::string_view> names;
  std::map<std::string_view, size_t> count_of_kind;
  for (size_t i = 0; i < labels.size(); ++i) {
    const CustomLabelSettings& label = labels[i];
    const auto at = report.In("customLabels", i);
    if (!IsMetricLabelName(label.name)) {
      report.Invalid("name", Quoted(label.name) + " cannot be part of a metric's label",
                     "write a letter, then letters, digits and '_'");
    }
    if (!names.insert(label.name).second) {
      report.Duplicate("name", Quoted(label.name) + " is used already", "choose another name");
    }
    ValidateSource(label, report);
    const std::string_view kind =
        label.source_kind ? std::string_view(*label.source_kind) : kLabelSourceClusterQueue;
    ++count_of_kind[kind];
    ValidateTrackedValues(label, kind, report);
  }
  ValidateLabelCounts(count_of_kind, report);
}

}  // namespace

void ValidateServers(const Configuration& configuration, ProblemReport& report) {
  if (configuration.internal_cert_management) {
    ValidateCertificates(*configuration.internal_cert_management, report);
  }
  if (configuration.tls) ValidateTls(*configuration.tls, report);
  if (configuration.visibility_server) ValidateVisibility(*configuration.visibility_server, report);
  ValidateCustomLabels(configuration.metrics.custom_labels, report);
}

}  // namespace berth::api
