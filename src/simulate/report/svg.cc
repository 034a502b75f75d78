#include "simulate/report/svg.h"

#include <algorithm>
#include <cmath>

#include "simulate/report/format.h"
#include "simulate/report/plot.h"

namespace berth::simulate {
namespace {

constexpr double kWidth = 640;
constexpr double kTop = 8;
constexpr double kBottom = 24;
constexpr double kRight = 12;

std::string N(double number) { return FixedText(number, 1); }

}  // namespace

std::vector<double> TicksFor(double most, bool is_time) {
  static constexpr double kTimeSteps[] = {
      0.001, 0.01, 0.1,  1,    2,     5,     10,    30,     60,     120,     300,
      600,   1800, 3600, 7200, 14400, 28800, 86400, 172800, 604800, 2592000, 31536000};
  double step = 1;
  constexpr double kMaxTicks = 6;
  if (is_time) {
    const auto fits = [&](double s) { return most / s <= kMaxTicks; };
    const auto* found = std::ranges::find_if(kTimeSteps, fits);
    step = found == std::end(kTimeSteps) ? most / kMaxTicks : *found;
  } else {
    const double power = std::pow(10, std::floor(std::log10(std::max(most, 1e-9) / 5)));
    for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
      step = power * factor;
      if (most / step <= kMaxTicks) break;
    }
  }
  std::vector<double> ticks;
  for (double tick = 0; tick <= most * 1.0001 && ticks.size() < 20; tick += step)
    ticks.push_back(tick);
  return ticks;
}

SvgPlot::SvgPlot(Axes axes, double height) : axes_(std::move(axes)), height_(height) {
  if (!(axes_.x_most > 0)) axes_.x_most = 1;
  if (!(axes_.y_most > 0)) axes_.y_most = 1;
  if (!axes_.has_y_ticks) left_ = 190;
}

double SvgPlot::X(double x) const {
  return left_ + std::clamp(x / axes_.x_most, 0.0, 1.0) * (kWidth - left_ - kRight);
}

double SvgPlot::Y(double y) const {
  return height_ - kBottom - std::clamp(y / axes_.y_most, 0.0, 1.0) * (height_ - kTop - kBottom);
}

void SvgPlot::Bar(double x0, double x1, double y0, double y1, std::string_view style,
                  std::string_view hint) {
  const double width = std::max(0.5, X(x1) - X(x0));
  out_ += "<rect " + std::string(style) + " x=\"" + N(X(x0)) + "\" y=\"" + N(Y(y1)) +
          "\" width=\"" + N(width) + "\" height=\"" + N(Y(y0) - Y(y1)) + "\"><title>" +
          Escaped(hint) + "</title></rect>\n";
}

void SvgPlot::YLabel(double y, std::string_view text) {
  out_ += "<text class=\"tick\" text-anchor=\"end\" x=\"" + N(left_ - 6) + "\" y=\"" + N(Y(y) + 4) +
          "\">" + Escaped(text) + "</text>\n";
}

void SvgPlot::XLabel(double x, std::string_view text) {
  out_ += "<text class=\"tick\" text-anchor=\"middle\" x=\"" + N(X(x)) + "\" y=\"" +
          N(height_ - 8) + "\">" + Escaped(text) + "</text>\n";
}

void SvgPlot::Frame() {
  std::string frame;
  const auto line = [&](double x0, double y0, double x1, double y1, std::string_view style) {
    frame += "<line class=\"" + std::string(style) + "\" x1=\"" + N(x0) + "\" y1=\"" + N(y0) +
             "\" x2=\"" + N(x1) + "\" y2=\"" + N(y1) + "\"/>\n";
  };
  if (axes_.has_y_ticks) {
    for (const double tick : TicksFor(axes_.y_most, false)) {
      line(left_, Y(tick), kWidth - kRight, Y(tick), "grid");
      YLabel(tick, FixedText(tick, 2));
    }
  }
  if (axes_.has_time_x) {
    for (const double tick : TicksFor(axes_.x_most, true)) {
      line(X(tick), Y(0), X(tick), Y(0) + 4, "axis");
      XLabel(tick, tick == 0 ? "0" : LengthText(tick));
    }
  }
  line(left_, Y(0), kWidth - kRight, Y(0), "axis");
  out_ = frame + out_;
}

std::string SvgPlot::Take() && {
  Frame();
  return "<figure class=\"plot\"><h3>" + Escaped(axes_.title) + "</h3>\n<svg viewBox=\"0 0 " +
         N(kWidth) + " " + N(height_) + "\" role=\"img\" aria-label=\"" + Escaped(axes_.title) +
         "\">\n" + out_ + "</svg></figure>\n";
}

}  // namespace berth::simulate
