#include "api/service_account.h"

#include "api/container_shapes.h"
#include "api/list_keys.h"

namespace berth::api {

using schema::Carried;
using schema::kCarriedStructs;
using schema::Member;

const schema::Struct& ServiceAccount::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ServiceAccount::metadata>("metadata", "Name, labels and the like."),
      Member<&ServiceAccount::secrets>("secrets", "Secrets that its pods may mount.")
          .MapBy(kByName)
          .PatchBy("name"),
      Carried("imagePullSecrets", kCarriedStructs<&LocalObjectReferenceShape>,
              "Secrets for pulling images."),
      Member<&ServiceAccount::automount_service_account_token>("automountServiceAccountToken",
                                                               "Whether its pods get a token."),
  };
  static constexpr auto kStruct =
      schema::Describe<ServiceAccount>("ServiceAccount", "An identity that pods act as.", kFields);
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
