#include "apiserver/table/table.h"

#include <gmock/gmock.h>

namespace berth::apiserver {
namespace {

using ::testing::ElementsAre;

constexpr base::Time kNow = base::Time::FromSeconds(1'800'000'000);

json::value Parse(std::string_view text) { return *json::Parse(text); }

std::vector<std::string> Find(std::string_view path, std::string_view document) {
  const json::value root = Parse(document);
  std::vector<std::string> found;
  for (const json::value* value : TablePath::Parse(path)->Find(root))
    found.push_back(json::Print(*value));
  return found;
}

TEST(TablePaths, SelectFieldsAndElements) {
  constexpr std::string_view kDocument = R"({"a":{"b.c":1},"l":[10,20,30],"m":{"x":1,"y":2}})";
  EXPECT_THAT(Find(".a['b.c']", kDocument), ElementsAre("1"));
  EXPECT_THAT(Find(R"(.a.b\.c)", kDocument), ElementsAre("1"));
  EXPECT_THAT(Find("{.l[0]}", kDocument), ElementsAre("10"));
  EXPECT_THAT(Find("$.l[-1]", kDocument), ElementsAre("30"));
  EXPECT_THAT(Find(".l[*]", kDocument), ElementsAre("10", "20", "30"));
  EXPECT_THAT(Find(".m.*", kDocument), ElementsAre("1", "2"));
  EXPECT_THAT(Find(".l[7]", kDocument), ElementsAre());
  EXPECT_THAT(Find(".a.b.c", kDocument), ElementsAre());
}

TEST(TablePaths, FilterLists) {
  constexpr std::string_view kDocument =
      R"({"c":[{"t":"A","s":"x","n":1},{"t":"B","s":"y","n":5,"on":true}]})";
  EXPECT_THAT(Find(R"(.c[?(@.t=="B")].s)", kDocument), ElementsAre("\"y\""));
  EXPECT_THAT(Find(".c[?(@.t=='A')].s", kDocument), ElementsAre("\"x\""));
  EXPECT_THAT(Find(".c[?(@.t != 'A')].s", kDocument), ElementsAre("\"y\""));
  EXPECT_THAT(Find(".c[?(@.n>=5)].s", kDocument), ElementsAre("\"y\""));
  EXPECT_THAT(Find(".c[?(@.n<5)].s", kDocument), ElementsAre("\"x\""));
  EXPECT_THAT(Find(".c[?(@.on)].s", kDocument), ElementsAre("\"y\""));
  EXPECT_THAT(Find(".c[?(@.on==true)].s", kDocument), ElementsAre("\"y\""));
}

TEST(TablePaths, ThatAreMalformedAreErrors) {
  for (const std::string_view path :
       {".a[", ".a[x]", ".a[?(@.b==)]", ".a..b", ".a[?(@.b=='c)]", "a b", ".a[?(@[?(@.x)])]"})
    EXPECT_FALSE(TablePath::Parse(path)) << path;
}

TEST(Ages, AreFormattedAsByKubectl) {
  const auto age = [](int64_t seconds) { return HumanAge(base::Duration::Seconds(seconds)); };
  EXPECT_EQ(age(0), "0s");
  EXPECT_EQ(age(119), "119s");
  EXPECT_EQ(age(120), "2m");
  EXPECT_EQ(age(200), "3m20s");
  EXPECT_EQ(age(600), "10m");
  EXPECT_EQ(age(3 * 3600), "3h");
  EXPECT_EQ(age(5 * 3600 + 60), "5h1m");
  EXPECT_EQ(age(47 * 3600), "47h");
  EXPECT_EQ(age(51 * 3600), "2d3h");
  EXPECT_EQ(age(9 * 86400), "9d");
  EXPECT_EQ(age(800 * 86400), "2y70d");
  EXPECT_EQ(age(-1), "0s");
  EXPECT_EQ(age(-5), "<invalid>");
}

const ServedKind& KindNamed(const Catalog& catalog, std::string_view group,
                            std::string_view version, std::string_view plural) {
  const ServedKind* kind = catalog.Find(group, version, plural);
  EXPECT_NE(kind, nullptr) << plural;
  return *kind;
}

std::string Cells(std::string_view group, std::string_view version, std::string_view plural,
                  std::string_view text) {
  const Catalog catalog(BuiltInKinds());
  const TableMaker maker(KindNamed(catalog, group, version, plural), RowObject::kNone, "v1");
  const auto object = store::Object::FromJson(std::string(text));
  const json::value table = Parse(maker.Make({&*object, 1}, "{}", kNow));
  return json::Print(table.at("rows").at(0).at("cells"));
}

TEST(Tables, OfKueueKindsHaveTheirPrinterColumns) {
  EXPECT_EQ(Cells("kueue.x-k8s.io", "v1beta2", "workloads", R"({
                    "metadata":{"name":"w","creationTimestamp":"2027-01-15T07:58:20Z"},
                    "spec":{"queueName":"q"},
                    "status":{"admission":{"clusterQueue":"cq"},
                              "conditions":[{"type":"Admitted","status":"True"}]}})"),
            R"(["w","q","cq","True",null,"100s"])");
}

TEST(Tables, OfJobsShowTheirProgress) {
  EXPECT_EQ(Cells("batch", "v1", "jobs", R"({
                    "metadata":{"name":"j","creationTimestamp":"2027-01-15T07:00:00Z"},
                    "spec":{"completions":3,"selector":{"matchLabels":{"a":"b"}},
                            "template":{"spec":{"containers":[{"name":"c","image":"i"}]}}},
                    "status":{"succeeded":1,"startTime":"2027-01-15T07:59:00Z"}})"),
            R"(["j","Running","1/3","60s","60m","c","i","a=b"])");
  EXPECT_EQ(Cells("batch", "v1", "jobs", R"({"metadata":{"name":"j"},"spec":{},
                    "status":{"conditions":[{"type":"Suspended","status":"True"}]}})"),
            R"(["j","Suspended","0/1","",null,"","","<none>"])");
}

TEST(Tables, OfPodsShowTheirStatus) {
  EXPECT_EQ(Cells("", "v1", "pods", R"({
                    "metadata":{"name":"p"},
                    "spec":{"nodeName":"n","containers":[{"name":"a"},{"name":"b"}]},
                    "status":{"phase":"Running","podIP":"10.0.0.1","containerStatuses":[
                       {"ready":true,"restartCount":2},{"ready":false,"restartCount":1}]}})"),
            R"(["p","1/2","Running","3",null,"10.0.0.1","n"])");
  EXPECT_EQ(Cells("", "v1", "pods", R"({"metadata":{"name":"p"},"spec":{},"status":{
                    "phase":"Pending","conditions":[{"type":"PodScheduled","status":"False",
                    "reason":"SchedulingGated"}]}})"),
            R"(["p","0/0","SchedulingGated","0",null,"<none>","<none>"])");
}

TEST(Tables, OfMalformedObjectsHaveAllCells) {
  EXPECT_EQ(Cells("", "v1", "pods", R"({"metadata":{"name":"p"},"spec":[],"status":7})"),
            R"(["p","0/0","","0",null,"<none>","<none>"])");
}

TEST(Tables, OfEveryKindHaveAsManyCellsAsColumns) {
  const Catalog catalog(BuiltInKinds());
  const auto object = store::Object::FromJson(R"({"metadata":{"name":"o"}})");
  for (const ServedKind& kind : catalog.kinds()) {
    const TableMaker maker(kind, RowObject::kMetadata, "v1");
    const json::value table = Parse(maker.Make({&*object, 1}, "{}", kNow));
    EXPECT_EQ(table.at("columnDefinitions").as_array().size(),
              table.at("rows").at(0).at("cells").as_array().size())
        << kind.resource.kind;
    EXPECT_EQ(json::StringAt(table.at("rows").at(0), {"object", "kind"}), "PartialObjectMetadata");
  }
}

TEST(Tables, AfterTheFirstOfAWatchHaveNoColumns) {
  const Catalog catalog(BuiltInKinds());
  const TableMaker maker(KindNamed(catalog, "", "v1", "pods"), RowObject::kObject, "v1");
  const auto object = store::Object::FromJson(R"({"metadata":{"name":"o"}})");
  const json::value table = Parse(maker.Make({&*object, 1}, "{}", kNow, false));
  EXPECT_TRUE(table.at("columnDefinitions").as_array().empty());
  EXPECT_EQ(json::StringAt(table.at("rows").at(0), {"object", "metadata", "name"}), "o");
}

}  // namespace
}  // namespace berth::apiserver
