import type { ComponentChildren } from "preact";
import type { WorkloadStatus } from "../api/types";

type Shape = "disc" | "ring" | "half" | "square" | "triangle" | "bar";

interface Look {
  shape: Shape;
  tone: "good" | "wait" | "bad" | "quiet";
}

// Shape and tone of a status; its text stands beside it.
const kLooks: Record<WorkloadStatus, Look> = {
  Admitted: { shape: "disc", tone: "good" },
  QuotaReserved: { shape: "half", tone: "good" },
  Pending: { shape: "ring", tone: "wait" },
  Evicted: { shape: "triangle", tone: "bad" },
  Finished: { shape: "square", tone: "quiet" },
  Inactive: { shape: "bar", tone: "quiet" },
};

const kTexts: Partial<Record<WorkloadStatus, string>> = { QuotaReserved: "Quota reserved" };

export function Status({ status }: { status: WorkloadStatus }) {
  const look = kLooks[status] ?? { shape: "ring", tone: "quiet" };
  return <Mark {...look}>{kTexts[status] ?? status}</Mark>;
}

export function Mark({ shape, tone, children }: Look & { children: ComponentChildren }) {
  return (
    <span class={`status ${tone}`}>
      <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
        <Glyph shape={shape} />
      </svg>
      <span>{children}</span>
    </span>
  );
}

function Glyph({ shape }: { shape: Shape }) {
  switch (shape) {
    case "disc":
      return <circle cx="5" cy="5" r="4" fill="currentColor" />;
    case "ring":
      return <circle cx="5" cy="5" r="3.4" fill="none" stroke="currentColor" stroke-width="1.6" />;
    case "half":
      return (
        <g stroke="currentColor" stroke-width="1.4">
          <circle cx="5" cy="5" r="3.5" fill="none" />
          <path d="M5 1.5a3.5 3.5 0 0 0 0 7z" fill="currentColor" />
        </g>
      );
    case "square":
      return <rect x="1.5" y="1.5" width="7" height="7" rx="1" fill="currentColor" />;
    case "triangle":
      return <path d="M5 1 9.4 9H.6z" fill="currentColor" />;
    case "bar":
      return <rect x="1" y="4" width="8" height="2" fill="currentColor" />;
  }
}

// Shown only of what is not in order: inactive or stopped queues.
export function QueueState(props: { active: boolean; inactiveReason?: string; stopPolicy?: string }) {
  if (props.stopPolicy && props.stopPolicy !== "None")
    return <Mark shape="bar" tone="wait">{`Stopped: ${props.stopPolicy}`}</Mark>;
  if (props.active) return null;
  return (
    <Mark
      shape="triangle"
      tone="bad"
    >{`Inactive${props.inactiveReason ? `: ${props.inactiveReason}` : ""}`}</Mark>
  );
}
