import { useEffect, useState } from "preact/hooks";
import { route } from "../api/location";
import { session, startSession } from "../api/session";
import { followShortcuts } from "../api/shortcuts";
import type { Session } from "../api/types";
import { followUpdates } from "../api/updates";
import { useStore } from "../api/use_store";
import { Header } from "../components/header";
import { Help } from "../components/help";
import { Page } from "../components/page";
import type { Route } from "../model/route";
import { ClusterQueue } from "./cluster_queue";
import { Cohort } from "./cohort";
import { FlavorPage, Flavors } from "./flavors";
import { LocalQueue } from "./local_queue";
import { Login } from "./login";
import { Overview } from "./overview";
import { Queues } from "./queues";
import { WhatIf } from "./what_if";
import { Workload } from "./workload";
import { Workloads } from "./workloads";

export function App() {
  const state = useStore(session);
  useEffect(() => void startSession(), []);
  switch (state.type) {
    case "starting":
      return (
        <main class="login">
          <p class="loading" role="status">
            Connecting
          </p>
        </main>
      );
    case "loggedOut":
      return <Login message={state.message} />;
    case "unreachable":
      return (
        <main class="login">
          <h1>Berth</h1>
          <p class="notice bad" role="alert">
            {state.message}
          </p>
          <button type="button" onClick={() => void startSession()}>
            Try again
          </button>
        </main>
      );
    case "loggedIn":
      return <Console session={state.session} />;
  }
}

function Console({ session: current }: { session: Session }) {
  const [isHelpShown, setHelpShown] = useState(false);
  useEffect(() => followUpdates(), []);
  useEffect(() => followShortcuts(() => setHelpShown(true)), []);
  const shown = useStore(route);
  return (
    <>
      <a
        class="skip"
        href="#main"
        onClick={(e) => (e.preventDefault(), document.getElementById("main")?.focus())}
      >
        Skip to the content
      </a>
      <Header session={current} onHelp={() => setHelpShown(true)} />
      <main id="main" tabIndex={-1}>
        <Shown route={shown} session={current} />
      </main>
      {isHelpShown && <Help onClose={() => setHelpShown(false)} />}
    </>
  );
}

function Shown({ route: { path }, session: current }: { route: Route; session: Session }) {
  const [page, a, b] = path;
  if (page === undefined) return <Overview />;
  if (page === "queues") return <Queues />;
  if (page === "cohorts" && a) return <Cohort key={a} name={a} session={current} />;
  if (page === "clusterqueues" && a) return <ClusterQueue key={a} name={a} session={current} />;
  if (page === "localqueues" && a && b) return <LocalQueue key={`${a}/${b}`} namespace={a} name={b} />;
  if (page === "workloads" && a && b)
    return <Workload key={`${a}/${b}`} namespace={a} name={b} session={current} />;
  if (page === "workloads") return <Workloads />;
  if (page === "flavors") return a ? <FlavorPage key={a} name={a} /> : <Flavors />;
  if (page === "what-if") return <WhatIf kind={a} name={b} />;
  return (
    <Page title="No such page">
      <p>The address names no page of the dashboard.</p>
    </Page>
  );
}
