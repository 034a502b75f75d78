#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace berth::simulate {

// A plot with axes, as SVG.
class SvgPlot {
 public:
  struct Axes {
    double x_most = 1;
    double y_most = 1;
    std::string title;
    bool has_time_x = true;  // ticks are durations
    bool has_y_ticks = true;
  };

  explicit SvgPlot(Axes axes, double height = 220);

  void Bar(double x0, double x1, double y0, double y1, std::string_view style,
           std::string_view hint);
  // Text beside the y axis.
  void YLabel(double y, std::string_view text);
  // Text below the x axis.
  void XLabel(double x, std::string_view text);

  std::string Take() &&;

 private:
  double X(double x) const;
  double Y(double y) const;
  void Frame();

  Axes axes_;
  double height_;
  double left_ = 56;
  std::string out_;
};

// Round tick values from 0 up to the maximum.
std::vector<double> TicksFor(double most, bool is_time);

}  // namespace berth::simulate
