#pragma once

// Number formatting, the same on every machine.

#include <string>

namespace berth::simulate {

// With up to `digits` decimals.
std::string FixedText(double number, int digits);
// The shortest text that parses to the same number, for JSON. Infinity is null.
std::string JsonNumber(double number);
// "450ms", "12.3s", "5m12s", "3h04m", "2d05h".
std::string LengthText(double seconds);
// "84.2%".
std::string PercentText(double part);
// "20", "1.5", "64Gi": an amount in the unit of the resource, rounded to three digits.
std::string AmountText(const std::string& resource, double amount);

}  // namespace berth::simulate
