#include "ctl/output_format.h"

#include <map>
#include <utility>

#include "base/suggest.h"
#include "base/text.h"
#include "schema/yaml/writer.h"

namespace berth::ctl {
namespace {

using Kind = OutputFormat::Kind;

constexpr std::string_view kFormats[] = {"json", "yaml", "name", "wide", "jsonpath"};
constexpr std::string_view kJsonPath = "jsonpath=";

// Members in alphabetical order, as kubectl prints them.
json::value Sorted(const json::value& value) {
  if (value.is_array()) {
    json::array out;
    for (const json::value& element : value.get_array()) out.push_back(Sorted(element));
    return out;
  }
  if (!value.is_object()) return value;
  std::map<std::string_view, const json::value*> members;
  for (const auto& member : value.get_object())
    members.emplace(json::View(member.key()), &member.value());
  json::object out;
  for (const auto& [key, member] : members) out.emplace(json::BoostView(key), Sorted(*member));
  return out;
}

// JSON with an indentation of four blanks.
void Indent(const json::value& value, std::string_view margin, std::string& out) {
  const std::string inner = std::string(margin) + "    ";
  bool is_first = true;
  const auto begin_item = [&] {
    out += is_first ? "\n" : ",\n";
    out += inner;
    is_first = false;
  };
  if (value.is_object() && !value.get_object().empty()) {
    out += '{';
    for (const auto& member : value.get_object()) {
      begin_item();
      json::PrintTo(out, json::Text(json::View(member.key())));
      out += ": ";
      Indent(member.value(), inner, out);
    }
    out += "\n" + std::string(margin) + "}";
  } else if (value.is_array() && !value.get_array().empty()) {
    out += '[';
    for (const json::value& element : value.get_array()) {
      begin_item();
      Indent(element, inner, out);
    }
    out += "\n" + std::string(margin) + "]";
  } else {
    json::PrintTo(out, value);
  }
}

// The object with its apiVersion and kind, which items of a list may lack.
json::value TreeOf(const store::Object& object, const store::Resource& resource,
                   const OutputFormat& format) {
  auto tree = json::Parse(object.text());
  if (!tree || !tree->is_object()) return json::object();
  tree->as_object()["apiVersion"] = resource.ApiVersion();
  tree->as_object()["kind"] = resource.kind;
  json::value* metadata = json::Find(*tree, {"metadata"});
  if (!format.shows_managed_fields && metadata != nullptr && metadata->is_object())
    metadata->as_object().erase("managedFields");
  return std::move(*tree);
}

std::string PrintTree(const json::value& tree, const OutputFormat& format) {
  if (format.kind == Kind::kJsonPath) return format.path->Print(tree);
  const json::value sorted = Sorted(tree);
  if (format.kind == Kind::kYaml)
    return schema::JsonToYaml(json::Print(sorted)).value_or(std::string());
  std::string out;
  Indent(sorted, "", out);
  return out += '\n';
}

std::string NameLine(const store::Object& object, const store::Resource& resource) {
  return NamePrefix(resource) + "/" + object.name;
}

std::string_view DryRunNote(DryRun dry_run) {
  if (dry_run == DryRun::kClient) return " (client dry run)";
  return dry_run == DryRun::kServer ? " (server dry run)" : "";
}

base::Error UnknownFormat(std::string_view text) {
  std::string hint = base::DidYouMean(text, kFormats);
  if (text.starts_with("go-template") || text.starts_with("template"))
    hint = "Go templates are not supported; use jsonpath='{.metadata.name}', or json and jq";
  if (hint.empty()) hint = "write one of json, yaml, name, wide, jsonpath=TEMPLATE";
  return {.message = "unable to match a printer suitable for the output format \"" +
                     std::string(text) + "\"",
          .hint = std::move(hint),
          .place = {}};
}

}  // namespace

base::Result<OutputFormat> OutputFormat::Parse(std::string_view text) {
  OutputFormat format;
  if (text.starts_with(kJsonPath)) {
    auto path = JsonPath::Parse(text.substr(kJsonPath.size()));
    if (!path) return std::unexpected(path.error());
    format.kind = Kind::kJsonPath;
    format.path = std::move(*path);
    return format;
  }
  static const std::map<std::string_view, Kind> kKinds = {{"", Kind::kText},
                                                          {"wide", Kind::kWide},
                                                          {"name", Kind::kName},
                                                          {"json", Kind::kJson},
                                                          {"yaml", Kind::kYaml}};
  const auto found = kKinds.find(text);
  if (found == kKinds.end()) return std::unexpected(UnknownFormat(text));
  format.kind = found->second;
  return format;
}

std::string NamePrefix(const store::Resource& resource) {
  const std::string kind = base::LowerCase(resource.kind);
  return resource.group.empty() ? kind : kind + "." + resource.group;
}

std::string PrintObject(const store::Object& object, const store::Resource& resource,
                        const OutputFormat& format, std::string_view operation, DryRun dry_run) {
  if (format.kind == Kind::kName) return NameLine(object, resource) + "\n";
  if (!format.is_table()) return PrintTree(TreeOf(object, resource, format), format);
  std::string line = NameLine(object, resource);
  if (!operation.empty()) line += " " + std::string(operation);
  return line + std::string(DryRunNote(dry_run)) + "\n";
}

std::string PrintList(std::span<const store::Object> objects, const store::Resource& resource,
                      const OutputFormat& format) {
  if (format.kind == Kind::kName) {
    std::string lines;
    for (const store::Object& object : objects) lines += NameLine(object, resource) + "\n";
    return lines;
  }
  json::array items;
  for (const store::Object& object : objects) items.push_back(TreeOf(object, resource, format));
  return PrintTree(json::object{{"apiVersion", resource.ApiVersion()},
                                {"kind", resource.kind + "List"},
                                {"metadata", json::object{{"resourceVersion", ""}}},
                                {"items", std::move(items)}},
                   format);
}

}  // namespace berth::ctl
