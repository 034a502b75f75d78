#include "kube/base64_encode.h"

#include <openssl/evp.h>

namespace berth::kube {

std::string EncodedBase64(std::string_view bytes) {
  // Room for the terminating NUL that OpenSSL writes.
  std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');
  const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                                   reinterpret_cast<const unsigned char*>(bytes.data()),
                                   static_cast<int>(bytes.size()));
  text.resize(static_cast<size_t>(size));
  return text;
}

}  // namespace berth::kube
