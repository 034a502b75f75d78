#pragma once

// The generated files of the Helm chart, so that it installs the same objects as `berth install`.
// The templates of the chart read these files and fill in the values.

#include <string>
#include <vector>

namespace berth::install {

struct ChartPart {
  std::string file_name;
  std::string text;  // YAML
};

// objects.yaml    all objects but the CRDs and the namespace, for a Configuration without job
//                 integrations. Placeholders stand for values of the Configuration: see the head
//                 of the file
// job-kinds.yaml  the RBAC rules and webhooks of each job integration that a Configuration may
//                 list
std::vector<ChartPart> ChartParts();

}  // namespace berth::install
