// Nothing but what is precompiled for it; see BerthModule.cmake.
