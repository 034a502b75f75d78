// Runs the tests of the embedded cluster and those of this directory on a real control plane.

#include <gtest/gtest.h>

#include "cluster/control_plane.h"
#include "cluster/real_environment.h"
#include "embedded/testing/environment.h"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (!testing::GTEST_FLAG(list_tests)) berth::cluster::ControlPlane::Get();
  berth::embedded::testing::UseEnvironment(berth::cluster::StartRealEnvironment);
  return RUN_ALL_TESTS();
}
