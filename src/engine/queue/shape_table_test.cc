#include "engine/queue/shape_table.h"

#include <gtest/gtest.h>

#include <vector>

namespace berth::engine {
namespace {

Shape SomeShape() {
  return {.pod_sets = {{.count = 2,
                        .full_count = 3,
                        .min_count = 1,
                        .group = 0,
                        .requests = {{.resource = ResourceId(0), .amount = 500}},
                        .mismatches = {{.flavor = FlavorId(1), .why = Mismatch::kNodeAffinity}}}},
          .priority = 7,
          .key = {.high = 1, .low = 2}};
}

TEST(ShapeTable, InternsEqualShapes) {
  ShapeTable shapes;
  const ShapeId id = shapes.Acquire(SomeShape());
  EXPECT_EQ(shapes.Acquire(SomeShape()), id);
  EXPECT_EQ(shapes.size(), 1u);
  EXPECT_EQ(shapes[id], SomeShape());
}

TEST(ShapeTable, DistinguishesShapesByEveryField) {
  std::vector<Shape> variants(12, SomeShape());
  variants[1].pod_sets.clear();
  variants[2].pod_sets.push_back(variants[2].pod_sets[0]);
  variants[3].pod_sets[0].count = 1;
  variants[4].pod_sets[0].full_count = 4;
  variants[5].pod_sets[0].min_count = std::nullopt;
  variants[6].pod_sets[0].group = 1;
  variants[7].pod_sets[0].requests[0].amount = 501;
  variants[8].pod_sets[0].requests[0].resource = ResourceId(1);
  variants[9].pod_sets[0].mismatches[0].why = Mismatch::kUntoleratedTaint;
  variants[10].priority = 8;
  variants[11].key.low = 3;
  ShapeTable shapes;
  for (const Shape& variant : variants) shapes.Acquire(variant);
  EXPECT_EQ(shapes.size(), variants.size());
}

TEST(ShapeTable, KeepsAShapeUntilItsLastReferenceIsReleased) {
  ShapeTable shapes;
  const ShapeId id = shapes.Acquire(SomeShape());
  shapes.Acquire(SomeShape());
  shapes.Release(id);
  EXPECT_EQ(shapes[id], SomeShape());
  EXPECT_EQ(shapes.size(), 1u);
  shapes.Release(id);
  EXPECT_EQ(shapes.size(), 0u);
}

TEST(ShapeTable, ReusesIdsOfReleasedShapes) {
  ShapeTable shapes;
  const ShapeId dead = shapes.Acquire(SomeShape());
  shapes.Release(dead);
  const Shape other = {.pod_sets = {}, .priority = 1, .key = {}};
  EXPECT_EQ(shapes.Acquire(other), dead);
  EXPECT_EQ(shapes[dead], other);
  EXPECT_NE(shapes.Acquire(SomeShape()), dead);
}

}  // namespace
}  // namespace berth::engine
