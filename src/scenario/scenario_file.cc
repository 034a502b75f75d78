#include "scenario/scenario_file.h"

namespace berth::scenario {

using schema::Member;

const schema::Struct& NameFile::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&NameFile::kind>("kind", "Kind of the object."),
      Member<&NameFile::namespace_>("namespace", "Its namespace, if it has one."),
      Member<&NameFile::name>("name", "Its name."),
  };
  static constexpr auto kStruct = schema::Describe<NameFile>("Name", "An object.", kFields);
  return kStruct;
}

const schema::Struct& StepFile::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&StepFile::at>("at", "When: a time, or how long after `now`. Absent: at once."),
      Member<&StepFile::apply>("apply", "Objects to create or replace."),
      Member<&StepFile::remove>("delete", "Objects to delete: `Kind namespace/name`."),
      Member<&StepFile::finish>("finish", "Workloads that end: `namespace/name`."),
      Member<&StepFile::cycles>("cycles",
                                "Cycles to run then. Absent: until nothing changes any more.")
          .Min(0)
          .Max(100'000),
      Member<&StepFile::want>("want", "What must have come of it."),
  };
  static constexpr auto kStruct =
      schema::Describe<StepFile>("Step", "Changes, and what must come of them.", kFields);
  return kStruct;
}

const schema::Struct& ScenarioFile::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ScenarioFile::name>("name", "Name of the scenario."),
      Member<&ScenarioFile::about>("about", "What it is about, in a sentence."),
      Member<&ScenarioFile::configuration>("configuration", "The Configuration in force."),
      Member<&ScenarioFile::now>("now", "Time of the first cycle."),
      Member<&ScenarioFile::objects>("objects", "Objects that are there at the beginning."),
      Member<&ScenarioFile::cycles>("cycles",
                                    "Cycles to run. Absent: until nothing changes any more.")
          .Min(0)
          .Max(100'000),
      Member<&ScenarioFile::want>("want", "What must have come of it."),
      Member<&ScenarioFile::upstream_reasons>(
          "upstreamReasons", "Reasons that another implementation gave. Not compared."),
      Member<&ScenarioFile::steps>("steps", "What happens then, one after the other."),
  };
  static constexpr auto kStruct =
      schema::Describe<ScenarioFile>("Scenario", "A policy test.", kFields);
  return kStruct;
}

}  // namespace berth::scenario
