#include "quantity/parse_error.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "quantity/quantity.h"

namespace berth::quantity {
namespace {

using ::testing::HasSubstr;

// The message for `text`.
std::string Message(std::string_view text) {
  const auto quantity = Quantity::Parse(text);
  if (quantity) return "no error";
  return base::ToString(Explain(quantity.error(), text));
}

TEST(QuantityErrors, SuggestACorrection) {
  EXPECT_EQ(Message("4GB"),
            "\"4GB\" is not a quantity (write 4G for powers of 1000 or 4Gi for powers of 1024)");
  EXPECT_THAT(Message("4K"), HasSubstr("write 4k for powers of 1000 or 4Ki"));
  EXPECT_THAT(Message("2.5mi"), HasSubstr("write 2.5Mi"));
  EXPECT_THAT(Message("16GiB"), HasSubstr("write 16Gi)"));
  EXPECT_THAT(Message("100B"), HasSubstr("write 100)"));
  EXPECT_THAT(Message("7\u00b5"), HasSubstr("write 7u)"));
}

TEST(QuantityErrors, PointAtBlanksAndSeparators) {
  EXPECT_THAT(Message("4 Gi"), HasSubstr("without blanks: 4Gi"));
  EXPECT_THAT(Message("1,000"), HasSubstr("without separators between digits: 1000"));
  EXPECT_THAT(Message("1_000"), HasSubstr("1000"));
  EXPECT_THAT(Message("50%"), HasSubstr("not a share"));
}

TEST(QuantityErrors, ListTheSuffixesWithoutANearMatch) {
  EXPECT_THAT(Message(""), HasSubstr("may not be empty"));
  EXPECT_THAT(Message("four"), HasSubstr("500m"));
  EXPECT_THAT(Message("4e"), HasSubstr("4e3"));
  EXPECT_THAT(Message("Ei"), HasSubstr("1Ei"));
}

TEST(QuantityErrors, StayShortForLongTexts) {
  EXPECT_LT(Message(std::string(100'000, '7')).size(), 300u);
  EXPECT_LT(Message(std::string(100'000, 'x')).size(), 400u);
  EXPECT_THAT(Message(std::string(100'000, '7')), HasSubstr("1024 digits"));
}

}  // namespace
}  // namespace berth::quantity
