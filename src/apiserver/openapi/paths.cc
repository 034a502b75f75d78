#include "apiserver/openapi/paths.h"

#include <span>
#include <string>
#include <vector>

#include "apiserver/openapi/schema.h"

namespace berth::apiserver {
namespace {

using schema::JsonWriter;

struct Parameter {
  std::string_view name;
  std::string_view type;
  std::string_view doc;
};
constexpr Parameter kReadParameters[] = {
    {"allowWatchBookmarks", "boolean", "Whether the watch sends bookmarks."},
    {"continue", "string", "Token of the previous page."},
    {"fieldSelector", "string", "Selects objects by their fields."},
    {"labelSelector", "string", "Selects objects by their labels."},
    {"limit", "integer", "Maximum number of items in a page."},
    {"resourceVersion", "string", "Constraint on the version of the data."},
    {"resourceVersionMatch", "string", "How resourceVersion is applied."},
    {"sendInitialEvents", "boolean", "Whether the watch begins with the existing objects."},
    {"timeoutSeconds", "integer", "Duration of the watch."},
    {"watch", "boolean", "Watch for changes instead of listing."},
};
constexpr Parameter kWriteParameters[] = {
    {"dryRun", "string", "All: process the request without storing the result."},
    {"fieldManager", "string", "Manager of the written fields."},
    {"fieldValidation", "string", "Treatment of unknown fields: Ignore, Warn or Strict."},
};
constexpr Parameter kPatchParameters[] = {
    {"dryRun", "string", "All: process the request without storing the result."},
    {"fieldManager", "string", "Manager of the written fields."},
    {"fieldValidation", "string", "Treatment of unknown fields: Ignore, Warn or Strict."},
    {"force", "boolean", "Whether apply takes ownership of conflicting fields."},
};
constexpr Parameter kDeleteParameters[] = {
    {"dryRun", "string", "All: process the request without storing the result."},
    {"gracePeriodSeconds", "integer", "Time until forced termination."},
    {"propagationPolicy", "string", "Treatment of dependents."},
};

struct PathOperation {
  std::string_view method;
  std::string_view action;
  std::span<const Parameter> parameters;
  bool has_body = false;
};
constexpr PathOperation kOnCollection[] = {
    {"get", "list", kReadParameters},
    {"post", "post", kWriteParameters, true},
    {"delete", "deletecollection", kDeleteParameters},
};
constexpr PathOperation kOnObject[] = {
    {"get", "get", {}},
    {"put", "put", kWriteParameters, true},
    {"patch", "patch", kPatchParameters, true},
    {"delete", "delete", kDeleteParameters},
};
constexpr PathOperation kOnSubresource[] = {
    {"get", "get", {}},
    {"put", "put", kWriteParameters, true},
    {"patch", "patch", kPatchParameters, true},
};

class PathWriter {
 public:
  PathWriter(JsonWriter& writer, const ServedKind& kind, ApiForm form)
      : w_(writer), kind_(kind), form_(form) {}

  void WriteAll() {
    const store::Resource& resource = kind_.resource;
    const std::string root = (resource.group.empty() ? "/api/" : "/apis/") + resource.ApiVersion();
    const std::string scope = resource.is_namespaced ? root + "/namespaces/{namespace}" : root;
    const std::string collection = scope + "/" + resource.plural;
    WritePath(collection, kOnCollection);
    WritePath(collection + "/{name}", kOnObject);
    if (kind_.has_status) WritePath(collection + "/{name}/status", kOnSubresource);
    if (kind_.has_scale) WritePath(collection + "/{name}/scale", kOnSubresource);
    if (resource.is_namespaced)
      WritePath(root + "/" + resource.plural, std::span(kOnCollection).first(1));
  }

 private:
  void WritePath(const std::string& path, std::span<const PathOperation> operations) {
    w_.Key(path).BeginObject();
    for (const PathOperation& operation : operations) WriteOperation(path, operation);
    w_.Key("parameters").BeginArray();
    for (const std::string_view name : {"namespace", "name"}) {
      if (path.find("{" + std::string(name) + "}") != std::string::npos)
        WriteParameter({name, "string", "As in the object's metadata."}, "path");
    }
    w_.EndArray().EndObject();
  }

  void WriteOperation(const std::string& path, const PathOperation& operation) {
    w_.Key(operation.method).BeginObject();
    w_.Member("operationId", std::string(operation.action) + path);
    w_.Key("parameters").BeginArray();
    for (const Parameter& parameter : operation.parameters) WriteParameter(parameter, "query");
    if (operation.has_body && form_ == ApiForm::kVersion2)
      w_.BeginObject().Member("name", "body").Member("in", "body").Member("required", true);
    if (operation.has_body && form_ == ApiForm::kVersion2)
      w_.Key("schema").BeginObject().EndObject().EndObject();
    w_.EndArray();
    if (operation.has_body) WriteBody(operation);
    WriteResponse(operation);
    w_.Member("x-kubernetes-action", operation.action);
    w_.Key("x-kubernetes-group-version-kind");
    WriteGroupVersionKind(w_, kind_.resource);
    w_.EndObject();
  }

  void WriteParameter(const Parameter& parameter, std::string_view in) {
    w_.BeginObject().Member("name", parameter.name).Member("in", in);
    w_.Member("description", parameter.doc);
    if (in == "path") w_.Member("required", true);
    if (form_ == ApiForm::kVersion3) {
      w_.Key("schema").BeginObject().Member("type", parameter.type).EndObject();
    } else {
      w_.Member("type", parameter.type);
    }
    w_.EndObject();
  }

  std::vector<std::string_view> BodyTypes(const PathOperation& operation) const {
    if (operation.method != "patch") return {"application/json", "application/yaml"};
    std::vector<std::string_view> types = {"application/apply-patch+yaml",
                                           "application/json-patch+json",
                                           "application/merge-patch+json"};
    if (kind_.takes_strategic_patches) types.push_back("application/strategic-merge-patch+json");
    return types;
  }

  void WriteBody(const PathOperation& operation) {
    if (form_ == ApiForm::kVersion2) {
      w_.Key("consumes").BeginArray();
      for (const std::string_view type : BodyTypes(operation)) w_.Value(type);
      w_.EndArray();
      return;
    }
    w_.Key("requestBody").BeginObject().Key("content").BeginObject();
    for (const std::string_view type : BodyTypes(operation)) {
      w_.Key(type).BeginObject().Key("schema");
      if (operation.method == "patch") {
        w_.BeginObject().Member("type", "object").EndObject();
      } else {
        WriteReference();
      }
      w_.EndObject();
    }
    w_.EndObject().EndObject();
  }

  void WriteReference() {
    const std::string_view root =
        form_ == ApiForm::kVersion3 ? "#/components/schemas/" : "#/definitions/";
    w_.BeginObject().Member("$ref", std::string(root) + SchemaName(kind_)).EndObject();
  }

  void WriteResponse(const PathOperation& operation) {
    w_.Key("responses").BeginObject().Key("200").BeginObject().Member("description", "OK");
    const bool is_object = operation.action == "get" || operation.has_body;
    if (is_object && form_ == ApiForm::kVersion3) {
      w_.Key("content").BeginObject().Key("application/json").BeginObject().Key("schema");
      WriteReference();
      w_.EndObject().EndObject();
    } else if (is_object) {
      w_.Key("schema");
      WriteReference();
    }
    w_.EndObject().EndObject();
  }

  JsonWriter& w_;
  const ServedKind& kind_;
  ApiForm form_;
};

}  // namespace

void WritePaths(JsonWriter& w, const ServedKind& kind, ApiForm form) {
  PathWriter(w, kind, form).WriteAll();
}

}  // namespace berth::apiserver
