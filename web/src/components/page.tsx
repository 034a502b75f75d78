import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { pages } from "../model/route";

export interface Crumb {
  text: string;
  href?: string;
}

interface PageProps {
  title: string;
  kind?: string; // of the object that the page is about
  crumbs?: Crumb[];
  tools?: ComponentChildren;
  children: ComponentChildren;
}

// The frame of a page: breadcrumbs, heading, tools. A new page takes the focus to its heading.
export function Page({ title, kind, crumbs, tools, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = [title, kind, "Berth"].filter(Boolean).join(" – ");
    heading.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [title, kind]);
  return (
    <>
      {crumbs && <Breadcrumbs crumbs={crumbs} />}
      <div class="page-head">
        <h1 tabIndex={-1} ref={heading}>
          {kind && <span class="kind">{kind}</span>} {title}
        </h1>
        {tools && <div class="tools">{tools}</div>}
      </div>
      {children}
    </>
  );
}

function Breadcrumbs({ crumbs }: { crumbs: Crumb[] }) {
  return (
    <nav class="crumbs" aria-label="Breadcrumbs">
      <ol>
        {crumbs.map((crumb) => (
          <li key={crumb.href ?? crumb.text}>
            {crumb.href ? <a href={crumb.href}>{crumb.text}</a> : crumb.text}
          </li>
        ))}
      </ol>
    </nav>
  );
}

export function cohortCrumbs(path: readonly string[]): Crumb[] {
  return [
    { text: "Queues", href: pages.queues() },
    ...path.map((name) => ({ text: name, href: pages.node("Cohort", name) })),
  ];
}

interface SectionProps {
  title: string;
  note?: ComponentChildren;
  tools?: ComponentChildren;
  id?: string;
  children: ComponentChildren;
}

export function Section({ title, note, tools, id, children }: SectionProps) {
  return (
    <section class="section" id={id} aria-label={title}>
      <div class="section-head">
        <h2>{title}</h2>
        {note !== undefined && <span class="note">{note}</span>}
        {tools && <div class="tools">{tools}</div>}
      </div>
      {children}
    </section>
  );
}
