#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace berth::simulate {

// A plot with axes, as SVG.
class SvgPlot {
 public:
  struct Axes {
    double x_most = 1;
    double y_most = 1;
    std::string title;
    std::string y_name;
    bool has_time_x = true;  // ticks are durations
    bool has_y_ticks = true;
  };
  using Point = std::pair<double, double>;

  explicit SvgPlot(Axes axes, double height = 220);

  // The area between two lines of equal x.
  void Area(const std::vector<Point>& lower, const std::vector<Point>& upper, size_t color,
            std::string_view hint);
  void Line(const std::vector<Point>& points, std::string_view style);
  void Bar(double x0, double x1, double y0, double y1, std::string_view style,
           std::string_view hint);
  // Text beside the y axis.
  void YLabel(double y, std::string_view text);
  // Text below the x axis.
  void XLabel(double x, std::string_view text);
  void Legend(const std::vector<std::string>& names);

  std::string Take() &&;

  static std::string ColorOf(size_t index);

 private:
  double X(double x) const;
  double Y(double y) const;
  void Frame();
  void Polyline(const std::vector<Point>& points);

  Axes axes_;
  double height_;
  double left_ = 56;
  std::string out_;
  std::string legend_;
};

// Round tick values from 0 up to the maximum.
std::vector<double> TicksFor(double most, bool is_time);

}  // namespace berth::simulate
