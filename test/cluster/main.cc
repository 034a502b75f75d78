// All tests of the embedded cluster and more, on a real control plane.

#include <gtest/gtest.h>

#include "cluster/control_plane.h"
#include "cluster/real_ground.h"
#include "embedded/testing/ground.h"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (!testing::GTEST_FLAG(list_tests)) berth::cluster::ControlPlane::Get();
  berth::embedded::testing::StandOn(berth::cluster::StartRealGround);
  return RUN_ALL_TESTS();
}
