#include "api/core/service_account.h"

#include "api/core/container_shapes.h"
#include "api/meta/list_keys.h"

namespace berth::api {

using schema::Carried;
using schema::kCarriedStructs;
using schema::Member;

const schema::Struct& ServiceAccount::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ServiceAccount::metadata>("metadata", "Standard object metadata."),
      Member<&ServiceAccount::secrets>("secrets", "Secrets that pods of the account may mount.")
          .MapBy(kByName)
          .PatchBy("name"),
      Carried("imagePullSecrets", kCarriedStructs<&LocalObjectReferenceShape>,
              "Secrets for pulling images."),
      Member<&ServiceAccount::automount_service_account_token>(
          "automountServiceAccountToken", "Whether a token is mounted into the pods."),
  };
  static constexpr auto kStruct = schema::Describe<ServiceAccount>(
      "ServiceAccount", "ServiceAccount is an identity of pods.", kFields);
  return kStruct;
}

const schema::Kind& ServiceAccount::KindInfo() {
  static constexpr std::string_view kShortNames[] = {"sa"};
  static constexpr schema::Kind kKind{
      .group = "",
      .version = "v1",
      .kind = "ServiceAccount",
      .plural = "serviceaccounts",
      .is_namespaced = true,
      .structure = &ServiceAccount::Description,
      .short_names = kShortNames,
  };
  return kKind;
}

}  // namespace berth::api
