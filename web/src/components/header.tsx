import type { Session } from "../api/types";
import { route } from "../api/location";
import { logOut } from "../api/session";
import { nextTheme, theme } from "../api/theme";
import { useStore } from "../api/use_store";
import { pages } from "../model/route";
import { Connection } from "./connection";
import { SearchBox } from "./search_box";

interface Link {
  text: string;
  href: string;
  paths: (string | undefined)[]; // first segments of the pages below it
}

function links(session: Session): Link[] {
  const all: (Link | false)[] = [
    { text: "Overview", href: pages.overview(), paths: [undefined] },
    { text: "Queues", href: pages.queues(), paths: ["queues", "cohorts", "clusterqueues", "localqueues"] },
    { text: "Workloads", href: pages.workloads(), paths: ["workloads"] },
    { text: "Flavors", href: pages.flavors(), paths: ["flavors"] },
    session.features.plan && { text: "What-if", href: pages.whatIf(), paths: ["what-if"] },
  ];
  return all.filter((l): l is Link => l !== false);
}

interface Props {
  session: Session;
  onHelp: () => void;
}

export function Header({ session, onHelp }: Props) {
  const { path } = useStore(route);
  return (
    <header class="top">
      <a class="brand" href={pages.overview()}>
        Berth
      </a>
      <nav class="main-nav" aria-label="Pages">
        <ul>
          {links(session).map((link) => (
            <li key={link.text}>
              <a href={link.href} aria-current={link.paths.includes(path[0]) ? "page" : undefined}>
                {link.text}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <SearchBox />
      <div class="top-tools">
        <Connection />
        <ThemeButton />
        <button
          type="button"
          class="plain"
          onClick={onHelp}
          aria-label="Keyboard shortcuts"
          title="Keyboard shortcuts (?)"
        >
          ?
        </button>
        <span class="user" title={`Berth ${session.version}`}>
          {session.user}
        </span>
        <button type="button" class="plain" onClick={logOut}>
          Log out
        </button>
      </div>
    </header>
  );
}

function ThemeButton() {
  const value = useStore(theme);
  const text = { system: "Auto", light: "Light", dark: "Dark" }[value];
  return (
    <button
      type="button"
      class="plain theme"
      onClick={nextTheme}
      aria-label={`Color scheme: ${text}. Change.`}
      title={`Color scheme: ${text}`}
    >
      <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
        <circle cx="7" cy="7" r="5.5" fill="none" stroke="currentColor" stroke-width="1.4" />
        <path d="M7 1.5a5.5 5.5 0 0 1 0 11z" fill="currentColor" />
      </svg>
      <span class="theme-text">{text}</span>
    </button>
  );
}
