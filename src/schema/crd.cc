#include "schema/crd.h"

#include <algorithm>

#include "base/text.h"
#include "schema/json/writer.h"

namespace berth::schema {
namespace {

constexpr std::string_view kQuantityPattern =
    R"(^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$)";

enum class Purpose { kDefinition, kOpenApi };

class SchemaWriter {
 public:
  SchemaWriter(JsonWriter& writer, Purpose purpose, bool is_previous)
      : w_(writer), purpose_(purpose), is_previous_(is_previous) {}

  void WriteOpenApi(const Struct& type) {
    w_.BeginObject().Member("description", type.doc);
    WriteStruct(type);
    w_.EndObject();
  }

  // The schema of a kind's root.
  void WriteRoot(const Struct& type) {
    w_.BeginObject().Member("description", type.doc).Member("type", "object");
    w_.Key("properties").BeginObject();
    WriteText("apiVersion", "Group and version of this object's schema.");
    WriteText("kind", "The kind of this object.");
    w_.Key("metadata").BeginObject().Member("type", "object").EndObject();
    for (const Field& field : type.fields) {
      if (field.name != "metadata") WriteProperty(field);
    }
    w_.EndObject();
    WriteRequired(type);
    WriteRules(type.rules, {});
    w_.EndObject();
  }

 private:
  void WriteText(std::string_view name, std::string_view doc) {
    w_.Key(name).BeginObject().Member("description", doc).Member("type", "string").EndObject();
  }

  bool is_previous() const { return is_previous_; }
  // Whether the version being written has the field, and its name there.
  bool Has(const Field& field) const { return !(is_previous() ? field.is_new : field.is_previous); }
  std::string_view NameOf(const Field& field) const {
    return is_previous() && !field.previous_name.empty() ? field.previous_name : field.name;
  }

  void WriteProperty(const Field& field) {
    if (!Has(field)) return;
    w_.Key(NameOf(field)).BeginObject();
    if (!field.doc.empty()) w_.Member("description", field.doc);
    if (!field.default_json.empty()) w_.Key("default").Raw(field.default_json);
    WriteType(*field.type, field.bounds, &field);
    const bool is_struct = field.type->shape == Shape::kStruct;
    WriteRules(is_struct ? field.type->structure().rules : std::span<const Rule>(), field.rules);
    if (field.preserves_unknown) w_.Member("x-kubernetes-preserve-unknown-fields", true);
    w_.EndObject();
  }

  // `field` is null for elements of lists and maps.
  void WriteType(const Type& type, const Bounds& bounds, const Field* field) {
    switch (type.shape) {
      case Shape::kBool:
        w_.Member("type", "boolean");
        break;
      case Shape::kInt32:
        WriteInteger("int32", bounds);
        break;
      case Shape::kInt64:
        WriteInteger("int64", bounds);
        break;
      case Shape::kDouble:
        w_.Member("type", "number");
        break;
      case Shape::kString:
        WriteString(bounds, field);
        break;
      case Shape::kQuantity:
        WriteQuantity();
        break;
      case Shape::kIntOrString:
        WriteIntOrString({});
        break;
      case Shape::kTime:
        w_.Member("type", "string").Member("format", "date-time");
        break;
      case Shape::kDuration:
        w_.Member("type", "string");
        break;
      case Shape::kJson:
        w_.Member("x-kubernetes-preserve-unknown-fields", true);
        break;
      case Shape::kStruct:
        WriteStruct(type.structure());
        break;
      case Shape::kList:
        WriteList(type, bounds, field);
        break;
      case Shape::kMap:
        WriteMap(type, bounds, field);
        break;
    }
  }

  void WriteInteger(std::string_view format, const Bounds& bounds) {
    w_.Member("type", "integer").Member("format", format);
    if (bounds.minimum) w_.Member("minimum", *bounds.minimum);
    if (bounds.maximum) w_.Member("maximum", *bounds.maximum);
  }

  void WriteString(const Bounds& bounds, const Field* field) {
    w_.Member("type", "string");
    if (bounds.min_length) w_.Member("minLength", *bounds.min_length);
    if (bounds.max_length) w_.Member("maxLength", *bounds.max_length);
    if (bounds.pattern != nullptr) w_.Member("pattern", bounds.pattern->regex);
    if (bounds.one_of.empty()) return;
    w_.Key("enum").BeginArray();
    for (std::string_view value : bounds.one_of) w_.Value(value);
    if (field != nullptr && is_previous()) {
      for (std::string_view value : field->previous_one_of) w_.Value(value);
    }
    w_.EndArray();
  }

  void WriteQuantity() {
    if (purpose_ == Purpose::kOpenApi) {
      w_.Member("type", "string");
    } else {
      WriteIntOrString(kQuantityPattern);
    }
  }

  void WriteIntOrString(std::string_view pattern) {
    w_.Key("anyOf").BeginArray();
    w_.BeginObject().Member("type", "integer").EndObject();
    w_.BeginObject().Member("type", "string").EndObject();
    w_.EndArray();
    if (!pattern.empty()) w_.Member("pattern", pattern);
    w_.Member("x-kubernetes-int-or-string", true);
  }

  void WriteStruct(const Struct& type) {
    w_.Member("type", "object");
    // The metadata of a template belongs to the objects created from it and allows all fields.
    const bool is_free = type.name == "ObjectMeta" && purpose_ != Purpose::kOpenApi;
    if (type.is_open || is_free) w_.Member("x-kubernetes-preserve-unknown-fields", true);
    if (is_free) return;
    if (type.is_atomic) w_.Member("x-kubernetes-map-type", "atomic");
    w_.Key("properties").BeginObject();
    for (const Field& field : type.fields) WriteProperty(field);
    w_.EndObject();
    WriteRequired(type);
  }

  void WriteRequired(const Struct& type) {
    const auto is_required = [this](const Field& f) { return f.is_required && Has(f); };
    if (std::ranges::none_of(type.fields, is_required)) return;
    w_.Key("required").BeginArray();
    for (const Field& field : type.fields) {
      if (is_required(field)) w_.Value(NameOf(field));
    }
    w_.EndArray();
  }

  void WriteElement(const Type& element, const Field* field) {
    w_.BeginObject();
    WriteType(element, field != nullptr ? field->item_bounds : Bounds{}, nullptr);
    if (element.shape == Shape::kStruct) WriteRules(element.structure().rules, {});
    w_.EndObject();
  }

  void WriteList(const Type& type, const Bounds& bounds, const Field* field) {
    w_.Member("type", "array");
    if (bounds.min_items) w_.Member("minItems", *bounds.min_items);
    if (bounds.max_items) w_.Member("maxItems", *bounds.max_items);
    w_.Key("items");
    WriteElement(*type.element, field);
    const ListKind kind = field != nullptr ? field->list_kind : ListKind::kAtomic;
    if (kind == ListKind::kMap) {
      w_.Key("x-kubernetes-list-map-keys");
      WriteStrings(field->keys);
    }
    w_.Member("x-kubernetes-list-type", kind == ListKind::kMap   ? "map"
                                        : kind == ListKind::kSet ? "set"
                                                                 : "atomic");
    if (purpose_ == Purpose::kOpenApi && field != nullptr) WritePatchKey(*field);
  }

  void WritePatchKey(const Field& field) {
    const bool merges = !field.patch_key.empty() || field.list_kind == ListKind::kSet;
    if (merges) w_.Member("x-kubernetes-patch-strategy", "merge");
    if (!field.patch_key.empty()) w_.Member("x-kubernetes-patch-merge-key", field.patch_key);
  }

  void WriteMap(const Type& type, const Bounds& bounds, const Field* field) {
    w_.Member("type", "object");
    if (bounds.min_items) w_.Member("minProperties", *bounds.min_items);
    if (bounds.max_items) w_.Member("maxProperties", *bounds.max_items);
    w_.Key("additionalProperties");
    WriteElement(*type.element, field);
    if (field != nullptr && field->is_atomic) w_.Member("x-kubernetes-map-type", "atomic");
  }

  void WriteRules(std::span<const Rule> of_struct, std::span<const Rule> of_field) {
    const auto applies = [this](const Rule& rule) { return !(is_previous() && rule.is_new); };
    if (std::ranges::none_of(of_struct, applies) && std::ranges::none_of(of_field, applies)) return;
    w_.Key("x-kubernetes-validations").BeginArray();
    for (const std::span<const Rule> rules : {of_struct, of_field}) {
      for (const Rule& rule : rules) {
        if (applies(rule)) WriteRule(rule);
      }
    }
    w_.EndArray();
  }

  void WriteRule(const Rule& rule) {
    const bool has_own_text = is_previous() && !rule.previous_cel.empty();
    w_.BeginObject().Member("rule", has_own_text ? rule.previous_cel : rule.cel);
    w_.Member("message", rule.message).EndObject();
  }

  void WriteStrings(std::span<const std::string_view> words) {
    w_.BeginArray();
    for (std::string_view word : words) w_.Value(word);
    w_.EndArray();
  }

  JsonWriter& w_;
  Purpose purpose_;
  bool is_previous_;
};

void WriteNames(JsonWriter& w, const Kind& kind) {
  const auto write_list = [&](std::string_view key, std::span<const std::string_view> words) {
    if (words.empty()) return;
    w.Key(key).BeginArray();
    for (std::string_view word : words) w.Value(word);
    w.EndArray();
  };
  w.Key("names").BeginObject();
  w.Member("kind", kind.kind).Member("listKind", std::string(kind.kind) + "List");
  w.Member("plural", kind.plural);
  w.Member("singular",
           kind.singular.empty() ? base::LowerCase(kind.kind) : std::string(kind.singular));
  write_list("shortNames", kind.short_names);
  write_list("categories", kind.categories);
  w.EndObject();
}

void WriteColumns(JsonWriter& w, const Kind& kind, bool is_previous) {
  if (kind.columns.empty()) return;
  w.Key("additionalPrinterColumns").BeginArray();
  for (const Column& column : kind.columns) {
    w.BeginObject().Member("name", column.name).Member("type", column.type);
    if (!column.doc.empty()) w.Member("description", column.doc);
    if (column.is_wide) w.Member("priority", 1);
    const bool has_own_path = is_previous && !column.previous_json_path.empty();
    w.Member("jsonPath", has_own_path ? column.previous_json_path : column.json_path).EndObject();
  }
  w.EndArray();
}

void WriteSchema(JsonWriter& w, const Kind& kind, bool is_previous) {
  w.Key("schema").BeginObject().Key("openAPIV3Schema");
  SchemaWriter(w, Purpose::kDefinition, is_previous).WriteRoot(kind.structure());
  w.EndObject();
}

void WriteSubresources(JsonWriter& w, const Kind& kind) {
  if (!kind.has_status) return;
  w.Key("subresources").BeginObject().Key("status").BeginObject().EndObject().EndObject();
}

void WriteVersion(JsonWriter& w, const Kind& kind) {
  w.BeginObject().Member("name", kind.version).Member("served", true).Member("storage", true);
  WriteColumns(w, kind, false);
  WriteSchema(w, kind, false);
  if (!kind.selectable_fields.empty()) {
    w.Key("selectableFields").BeginArray();
    for (std::string_view path : kind.selectable_fields)
      w.BeginObject().Member("jsonPath", path).EndObject();
    w.EndArray();
  }
  WriteSubresources(w, kind);
  w.EndObject();
}

void WritePreviousVersion(JsonWriter& w, const Kind& kind, std::string_view version,
                          bool is_served) {
  w.BeginObject().Member("name", version).Member("served", is_served).Member("storage", false);
  w.Member("deprecated", true);
  w.Member("deprecationWarning", DeprecationWarning(kind, version));
  WriteColumns(w, kind, true);
  WriteSchema(w, kind, true);
  WriteSubresources(w, kind);
  w.EndObject();
}

// The conversion webhook, with the names of Kueue's installation.
void WriteConversion(JsonWriter& w) {
  w.Key("conversion").BeginObject().Member("strategy", "Webhook");
  w.Key("webhook").BeginObject();
  w.Key("clientConfig").BeginObject().Key("service").BeginObject();
  w.Member("namespace", "kueue-system").Member("name", "kueue-webhook-service");
  w.Member("path", "/convert").EndObject().EndObject();
  w.Key("conversionReviewVersions").BeginArray().Value("v1").EndArray();
  w.EndObject().EndObject();
}

}  // namespace

std::string OpenApiSchema(const Struct& type, bool is_previous) {
  JsonWriter w;
  SchemaWriter(w, Purpose::kOpenApi, is_previous).WriteOpenApi(type);
  return w.Take();
}

std::string DeprecationWarning(const Kind& kind, std::string_view version) {
  return std::string(kind.group) + "/" + std::string(version) + " is deprecated for " +
         std::string(kind.kind) + ": write apiVersion: " + kind.ApiVersion();
}

std::string CustomResourceDefinition(const Kind& kind, Conversion conversion) {
  const bool is_converted = kind.is_converted && !kind.previous_versions.empty();
  const bool has_webhook = conversion == Conversion::kWebhook;
  JsonWriter w;
  w.BeginObject();
  w.Member("apiVersion", "apiextensions.k8s.io/v1").Member("kind", "CustomResourceDefinition");
  w.Key("metadata").BeginObject();
  w.Member("name", std::string(kind.plural) + "." + std::string(kind.group)).EndObject();
  w.Key("spec").BeginObject().Member("group", kind.group);
  WriteNames(w, kind);
  w.Member("scope", kind.is_namespaced ? "Namespaced" : "Cluster");
  if (is_converted && has_webhook) WriteConversion(w);
  w.Key("versions").BeginArray();
  for (std::string_view version : kind.previous_versions)
    WritePreviousVersion(w, kind, version, has_webhook || !is_converted);
  WriteVersion(w, kind);
  w.EndArray().EndObject().EndObject();
  return w.Take();
}

}  // namespace berth::schema
