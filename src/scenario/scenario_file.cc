#include "scenario/scenario_file.h"

namespace berth::scenario {

using schema::Member;

const schema::Struct& NameFile::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&NameFile::kind>("kind", "Kind of the object."),
      Member<&NameFile::namespace_>("namespace",
                                    "Namespace of the object; empty if cluster-scoped."),
      Member<&NameFile::name>("name", "Name of the object."),
  };
  static constexpr auto kStruct =
      schema::Describe<NameFile>("Name", "Reference to an object.", kFields);
  return kStruct;
}

const schema::Struct& StepFile::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&StepFile::at>("at",
                            "Time of the step, or duration since `now`. Default: immediately."),
      Member<&StepFile::apply>("apply", "Objects to create or replace."),
      Member<&StepFile::remove>("delete", "Objects to delete: `Kind namespace/name`."),
      Member<&StepFile::finish>("finish", "Workloads that finish: `namespace/name`."),
      Member<&StepFile::cycles>("cycles", "Cycles to run. Default: until nothing changes.")
          .Min(0)
          .Max(100'000),
      Member<&StepFile::want>("want", "Expected outcome."),
  };
  static constexpr auto kStruct =
      schema::Describe<StepFile>("Step", "Changes, and the expected outcome.", kFields);
  return kStruct;
}

const schema::Struct& ScenarioFile::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ScenarioFile::name>("name", "Name of the scenario."),
      Member<&ScenarioFile::about>("about", "Description of the scenario, one sentence."),
      Member<&ScenarioFile::configuration>("configuration", "Configuration."),
      Member<&ScenarioFile::now>("now", "Time of the first cycle."),
      Member<&ScenarioFile::objects>("objects", "Initial objects."),
      Member<&ScenarioFile::cycles>("cycles", "Cycles to run. Default: until nothing changes.")
          .Min(0)
          .Max(100'000),
      Member<&ScenarioFile::want>("want", "Expected outcome."),
      Member<&ScenarioFile::upstream_reasons>(
          "upstreamReasons", "Reasons given by another implementation. Not compared."),
      Member<&ScenarioFile::steps>("steps", "Further steps, in order."),
  };
  static constexpr auto kStruct =
      schema::Describe<ScenarioFile>("Scenario", "Policy test.", kFields);
  return kStruct;
}

}  // namespace berth::scenario
