#include "ctl/quota_flags.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "api/meta/names.h"
#include "ctl/flag_values.h"

namespace berth::ctl {
namespace {

using Setter = void (*)(api::ResourceQuota& quota, quantity::Quantity amount);

// One value of a flag.
struct ReadQuotas {
  std::string flavor;
  std::vector<std::pair<std::string, quantity::Quantity>> amounts;  // by resource
};

base::Error BadSpec(std::string_view flag, const std::string& text, const std::string& why) {
  return {.message = "invalid resources specification: --" + std::string(flag) + " \"" + text +
                     "\": " + why,
          .hint = "write it like --" + std::string(flag) + " \"alpha:cpu=9;memory=36Gi\"",
          .place = {}};
}

base::Result<ReadQuotas> ReadOne(std::string_view flag, const std::string& text) {
  const size_t colon = text.find(':');
  if (colon == std::string::npos) return std::unexpected(BadSpec(flag, text, "it names no flavor"));
  ReadQuotas read{.flavor = text.substr(0, colon), .amounts = {}};
  if (!api::IsDns1123Subdomain(read.flavor))
    return std::unexpected(BadSpec(flag, text, "\"" + read.flavor + "\" is no flavor's name"));
  for (const std::string& pair : SplitAt(std::string_view(text).substr(colon + 1), ';')) {
    if (pair.empty()) continue;
    const size_t equals = pair.find('=');
    const std::string resource = pair.substr(0, equals);
    if (equals == std::string::npos || !api::IsLabelKey(resource))
      return std::unexpected(BadSpec(flag, text, "\"" + pair + "\" is not RESOURCE=QUANTITY"));
    const auto amount = quantity::Quantity::Parse(std::string_view(pair).substr(equals + 1));
    if (!amount)
      return std::unexpected(BadSpec(flag, text, "\"" + pair + "\" has no valid quantity"));
    read.amounts.emplace_back(resource, *amount);
  }
  if (read.amounts.empty()) return std::unexpected(BadSpec(flag, text, "it names no resource"));
  return read;
}

class QuotaFlagReader {
 public:
  base::Result<void> Add(std::string_view flag, const std::vector<std::string>& given, Setter set) {
    for (const std::string& text : AllValues(given)) {
      const auto read = ReadOne(flag, text);
      if (!read) return std::unexpected(read.error());
      if (auto merged = Merge(*read, set); !merged) return merged;
    }
    return {};
  }

  base::Result<std::vector<api::ResourceGroup>> Groups() {
    std::vector<api::ResourceGroup> groups;
    for (api::FlavorQuotas& flavor : flavors_)
      if (auto added = AddTo(groups, flavor); !added) return std::unexpected(added.error());
    return groups;
  }

 private:
  static api::ResourceQuota* Find(api::FlavorQuotas& flavor, std::string_view resource) {
    const auto found = std::ranges::find(flavor.resources, resource, &api::ResourceQuota::name);
    return found == flavor.resources.end() ? nullptr : &*found;
  }

  base::Result<void> Merge(const ReadQuotas& read, Setter set) {
    auto flavor = std::ranges::find(flavors_, read.flavor, &api::FlavorQuotas::name);
    const bool is_new = flavor == flavors_.end();
    if (is_new) flavor = flavors_.insert(flavors_.end(), {.name = read.flavor});
    for (const auto& [resource, amount] : read.amounts) {
      if (is_new) flavor->resources.push_back({.name = resource});
      api::ResourceQuota* quota = Find(*flavor, resource);
      if (quota == nullptr) return Differs(read.flavor);
      set(*quota, amount);
    }
    return read.amounts.size() == flavor->resources.size() ? base::Result<void>()
                                                           : Differs(read.flavor);
  }

  static base::Result<void> Differs(const std::string& flavor) {
    return base::Fail("invalid flavor: the flags name different resources for \"" + flavor + "\"",
                      "give each flag of a flavor the same resources");
  }

  static std::set<std::string> NamesOf(const api::FlavorQuotas& flavor) {
    std::set<std::string> names;
    for (const api::ResourceQuota& quota : flavor.resources) names.insert(quota.name);
    return names;
  }

  // The flavor lists its resources in the order of its group.
  static base::Result<void> AddTo(std::vector<api::ResourceGroup>& groups,
                                  api::FlavorQuotas& flavor) {
    const std::set<std::string> names = NamesOf(flavor);
    for (api::ResourceGroup& group : groups) {
      const std::vector<std::string>& covered = group.covered_resources;
      if (std::set<std::string>(covered.begin(), covered.end()) == names) {
        std::ranges::sort(flavor.resources, {}, [&](const api::ResourceQuota& quota) {
          return std::ranges::find(covered, quota.name) - covered.begin();
        });
        group.flavors.push_back(std::move(flavor));
        return {};
      }
      for (const std::string& name : covered)
        if (names.contains(name))
          return base::Fail("invalid resource group: flavors share \"" + name +
                                "\", but not all of their resources",
                            "give all flavors with \"" + name + "\" the same resources");
    }
    api::ResourceGroup& group = groups.emplace_back();
    for (const api::ResourceQuota& quota : flavor.resources)
      group.covered_resources.push_back(quota.name);
    group.flavors.push_back(std::move(flavor));
    return {};
  }

  std::vector<api::FlavorQuotas> flavors_;
};

}  // namespace

base::Result<std::vector<api::ResourceGroup>> ReadQuotaFlags(const QuotaFlags& flags) {
  QuotaFlagReader reader;
  const auto set_nominal = [](api::ResourceQuota& quota, quantity::Quantity amount) {
    quota.nominal_quota = std::move(amount);
  };
  const auto set_borrowing = [](api::ResourceQuota& quota, quantity::Quantity amount) {
    quota.borrowing_limit = std::move(amount);
  };
  const auto set_lending = [](api::ResourceQuota& quota, quantity::Quantity amount) {
    quota.lending_limit = std::move(amount);
  };
  if (auto added = reader.Add("nominal-quota", flags.nominal_quota, set_nominal); !added)
    return std::unexpected(added.error());
  if (auto added = reader.Add("borrowing-limit", flags.borrowing_limit, set_borrowing); !added)
    return std::unexpected(added.error());
  if (auto added = reader.Add("lending-limit", flags.lending_limit, set_lending); !added)
    return std::unexpected(added.error());
  return reader.Groups();
}

}  // namespace berth::ctl
