#include "schema/thread_decoder.h"

namespace berth::schema {

Decoder& ThreadDecoder() {
  thread_local Decoder decoder;
  return decoder;
}

}  // namespace berth::schema
