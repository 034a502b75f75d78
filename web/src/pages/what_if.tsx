import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ApiError, getText, postYaml } from "../api/client";
import { route, visit } from "../api/location";
import type { Plan, Problem, Tree } from "../api/types";
import { useQuery } from "../api/use_query";
import { useStore } from "../api/use_store";
import { Editor } from "../components/editor";
import { Page, Section } from "../components/page";
import { PlanResult } from "../components/plan_result";
import { ProblemList } from "../components/problem_list";
import { Empty, ErrorNotice } from "../components/query_state";
import { editableManifest, editQuota, newCohort } from "../model/manifest_edit";
import { apiPath, pages } from "../model/route";
import { allNodes } from "../model/tree";

interface Props {
  kind?: string; // clusterqueues or cohorts
  name?: string;
}

export function WhatIf({ kind, name }: Props) {
  const isChosen = kind !== undefined && name !== undefined;
  return (
    <Page title="What-if">
      <p class="intro">
        Choose a ClusterQueue or Cohort, edit its manifest, and see what the change would do at once. Nothing
        is applied.
      </p>
      <Chooser kind={kind} name={name} />
      {isChosen ? <Draft key={`${kind}/${name}`} kind={kind} name={name} /> : <Empty>No queue chosen.</Empty>}
    </Page>
  );
}

function Chooser({ kind, name }: Props) {
  const tree = useQuery<Tree>("tree").data;
  const nodes = useMemo(() => allNodes(tree?.roots ?? []), [tree]);
  const group = (title: string, path: string, of: string) => (
    <optgroup label={title}>
      {nodes
        .filter((n) => n.kind === of)
        .map((n) => n.name)
        .sort()
        .map((n) => (
          <option key={n} value={`${path}/${n}`} selected={kind === path && name === n}>
            {n}
          </option>
        ))}
    </optgroup>
  );
  const onChange = (value: string) => {
    const slash = value.indexOf("/");
    visit(slash < 0 ? pages.whatIf() : pages.whatIf(value.slice(0, slash), value.slice(slash + 1)));
  };
  return (
    <div class="filters">
      <label class="field">
        <span>Queue</span>
        <select id="what-if-queue" onChange={(e) => onChange(e.currentTarget.value)}>
          <option value="" selected={name === undefined}>
            choose
          </option>
          {group("ClusterQueues", "clusterqueues", "ClusterQueue")}
          {group("Cohorts", "cohorts", "Cohort")}
        </select>
      </label>
    </div>
  );
}

// `set=FLAVOR,RESOURCE,FIELD,VALUE;…` of the address, applied to the manifest.
function withEdits(manifest: string, edits: string | undefined): string {
  return (edits ?? "")
    .split(";")
    .filter((edit) => edit !== "")
    .reduce((text, edit) => {
      const [flavor = "", resource = "", field = "", value = ""] = edit.split(",");
      return editQuota(text, { flavor, resource, field, value }) ?? text;
    }, manifest);
}

async function loadManifest(kind: string, name: string, signal: AbortSignal): Promise<string> {
  try {
    return editableManifest(await getText(apiPath(["manifests", kind, name]), signal));
  } catch (error) {
    const isMissing = error instanceof ApiError && error.status === 404;
    if (isMissing && kind === "cohorts") return newCohort(name);
    throw error;
  }
}

interface Outcome {
  plan?: Plan;
  problems: readonly Problem[];
  error?: ApiError;
}

function Draft({ kind, name }: Required<Props>) {
  const { set } = useStore(route).query;
  const [original, setOriginal] = useState<string>();
  const [text, setText] = useState("");
  const [outcome, setOutcome] = useState<Outcome>({ problems: [] });
  const [isBusy, setBusy] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const stop = new AbortController();
    loadManifest(kind, name, stop.signal).then(
      (manifest) => {
        setOriginal(manifest);
        setText(withEdits(manifest, set));
      },
      (error: ApiError) => stop.signal.aborted || setOutcome({ problems: [], error }),
    );
    return () => stop.abort();
  }, [kind, name, set]);

  const evaluate = async () => {
    setBusy(true);
    setOutcome(await evaluated(text));
    setBusy(false);
  };
  if (original === undefined)
    return outcome.error ? (
      <ErrorNotice error={outcome.error} subject="Manifest" />
    ) : (
      <p class="loading">Loading manifest</p>
    );
  const isChanged = text !== original;
  const buttons = (
    <div class="buttons">
      <button
        type="button"
        disabled={!isChanged}
        onClick={() => (setText(original), setOutcome({ problems: [] }))}
      >
        Reset
      </button>
      <button type="button" class="primary" disabled={isBusy} onClick={() => void evaluate()}>
        {isBusy ? "Evaluating" : "Evaluate"}
      </button>
    </div>
  );
  return (
    <div class="columns what-if">
      <Section title="Manifest" note={isChanged ? "changed" : "unchanged"} tools={buttons}>
        <Editor
          label={`Manifest of ${name}`}
          text={text}
          problems={outcome.problems}
          area={area}
          onText={setText}
          onSubmit={() => void evaluate()}
        />
      </Section>
      <Section title="Effect">
        {outcome.problems.length > 0 && <ProblemList problems={outcome.problems} text={text} area={area} />}
        <div role="status">
          {outcome.error && <ErrorNotice error={outcome.error} subject="Plan" />}
          {outcome.plan && <PlanResult plan={outcome.plan} />}
          {!outcome.plan && !outcome.error && outcome.problems.length === 0 && (
            <Empty>Change a quota and evaluate.</Empty>
          )}
        </div>
      </Section>
    </div>
  );
}

async function evaluated(text: string): Promise<Outcome> {
  try {
    return { plan: await postYaml<Plan>("plan", text), problems: [] };
  } catch (error) {
    const known = error instanceof ApiError ? error : new ApiError(0, (error as Error).message);
    if (known.problems.length > 0) return { problems: known.problems };
    return { problems: [], error: known };
  }
}
