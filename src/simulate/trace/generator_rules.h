#pragma once

#include "schema/problem.h"
#include "simulate/trace/generator_file.h"

namespace berth::simulate {

// Rules across fields of a generator file, and bounds of its size.
schema::Problems CheckGenerator(const GeneratorFile& file);

}  // namespace berth::simulate
