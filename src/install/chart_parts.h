#pragma once

// What the Helm chart is made of, so that it installs what `berth install` does. The chart's
// templates read these files, put in what values say, and print them.

#include <string>
#include <vector>

namespace berth::install {

struct ChartPart {
  std::string file_name;
  std::string text;  // YAML
};

// objects.yaml    every object but the definitions and the namespace, for a Configuration that
//                 lists no jobs. Placeholders stand for what the Configuration decides: see the
//                 file's first lines
// job-kinds.yaml  for each kind of job that a Configuration may list, the rules and webhooks that
//                 are added for it
std::vector<ChartPart> ChartParts();

}  // namespace berth::install
