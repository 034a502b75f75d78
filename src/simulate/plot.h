#pragma once

// Plots of a simulation as SVG.

#include <string>
#include <string_view>
#include <vector>

#include "simulate/report.h"

namespace berth::simulate {

// "a &lt; b": text for HTML and SVG.
std::string Escaped(std::string_view text);

// How far axes go, so that two worlds can be compared by eye.
struct PlotScale {
  double seconds = 0;
  double waiting = 0;
  double wait_seconds = 0;
  struct Usage {
    std::string flavor;
    std::string resource;
    double most = 0;
  };
  std::vector<Usage> usage;  // a plot each

  // Enough for this world as well.
  void Include(const Report& report);
};

// Usage of one flavor and resource, stacked by ClusterQueue, with the sum of nominal quota as a
// line.
std::string UsagePlot(const Report& report, const PlotScale& scale, const PlotScale::Usage& usage);
// Jobs that wait, stacked by ClusterQueue.
std::string QueuePlot(const Report& report, const PlotScale& scale);
// How many jobs waited how long.
std::string WaitPlot(const Report& report, const PlotScale& scale);
// The jobs with the largest requests: when they waited and when they ran.
std::string GanttPlot(const Report& report, const PlotScale& scale);

}  // namespace berth::simulate
