#pragma once

// Plots of a simulation: as SVG, or as data that the script of the page draws.

#include <string>
#include <string_view>
#include <vector>

#include "simulate/report/report.h"

namespace berth::simulate {

// "a &lt; b": text for HTML and SVG.
std::string Escaped(std::string_view text);

// Ranges of the axes, shared by two worlds.
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

  // Extends the ranges to those of this world.
  void Include(const Report& report);
};

// Usage of one flavor and resource, stacked by ClusterQueue, with the sum of nominal quota as a
// line.
std::string UsagePlot(const Report& report, const PlotScale::Usage& usage);
// Pending jobs, stacked by ClusterQueue.
std::string QueuePlot(const Report& report, const PlotScale& scale);
// Histogram of waiting times.
std::string WaitPlot(const Report& report, const PlotScale& scale);
// Waiting and running times of the jobs with the largest requests.
std::string GanttPlot(const Report& report, const PlotScale& scale);

}  // namespace berth::simulate
