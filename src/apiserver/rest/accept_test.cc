#include "apiserver/rest/accept.h"

#include <gtest/gtest.h>

namespace berth::apiserver {
namespace {

using Form = Presentation::Form;

struct Case {
  std::string_view accept;
  std::optional<Form> form;
  Encoding encoding = Encoding::kJson;
};

class Presentations : public ::testing::TestWithParam<Case> {};

TEST_P(Presentations, AreTheMostPreferredSupportedOnes) {
  const auto got = ChoosePresentation(GetParam().accept);
  ASSERT_EQ(got.has_value(), GetParam().form.has_value());
  if (!got) return;
  EXPECT_EQ(got->form, *GetParam().form);
  EXPECT_EQ(got->encoding, GetParam().encoding);
}

INSTANTIATE_TEST_SUITE_P(
    Headers, Presentations,
    ::testing::Values(
        Case{"", Form::kObject}, Case{"*/*", Form::kObject},
        Case{"application/json", Form::kObject}, Case{"application/json, */*", Form::kObject},
        // kubectl get.
        Case{"application/json;as=Table;v=v1;g=meta.k8s.io,"
             "application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json",
             Form::kTable},
        // Go's typed and metadata clients.
        Case{"application/vnd.kubernetes.protobuf, */*", Form::kObject},
        Case{"application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,"
             "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json",
             Form::kMetadata},
        Case{"application/yaml", Form::kObject, Encoding::kYaml},
        Case{"application/yaml;q=0.5, application/json", Form::kObject},
        Case{"application/json;q=0, application/yaml", Form::kObject, Encoding::kYaml},
        Case{"application/json;as=Chart;v=v1;g=meta.k8s.io, application/json", Form::kObject},
        Case{"application/vnd.kubernetes.protobuf", std::nullopt},
        Case{"text/html", std::nullopt}));

TEST(DiscoveryForms, AreTheFirstSupportedOnes) {
  EXPECT_EQ(ChooseDiscovery("application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
                            "application/json"),
            "v2");
  EXPECT_EQ(ChooseDiscovery("application/json;g=apidiscovery.k8s.io;v=v9;as=APIGroupDiscoveryList,"
                            "application/json;g=apidiscovery.k8s.io;v=v2beta1;"
                            "as=APIGroupDiscoveryList"),
            "v2beta1");
  EXPECT_EQ(ChooseDiscovery("application/json"), "");
  EXPECT_EQ(ChooseDiscovery(""), "");
  EXPECT_EQ(ChooseDiscovery("text/html"), std::nullopt);
}

}  // namespace
}  // namespace berth::apiserver
