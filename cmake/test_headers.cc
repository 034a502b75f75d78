// Only carries the precompiled header of BerthModule.cmake.
