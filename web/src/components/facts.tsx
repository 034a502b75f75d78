import type { ComponentChildren } from "preact";

export type Fact = [name: string, value: ComponentChildren];

// Names and values, such as the settings of an object. Absent values are left out.
export function Facts({ facts }: { facts: readonly (Fact | undefined | false)[] }) {
  const shown = facts.filter((f): f is Fact => Boolean(f) && (f as Fact)[1] !== undefined);
  return (
    <dl class="facts">
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface Figure {
  name: string;
  value: string;
  href?: string;
}

export function Figures({ figures, label }: { figures: readonly Figure[]; label: string }) {
  return (
    <ul class="figures" aria-label={label}>
      {figures.map((f) => (
        <li key={f.name}>
          {f.href ? (
            <a href={f.href}>
              <b>{f.value}</b> <span>{f.name}</span>
            </a>
          ) : (
            <div>
              <b>{f.value}</b> <span>{f.name}</span>
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}
