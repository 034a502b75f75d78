import type { ComponentChildren } from "preact";
import type { ApiError } from "../api/client";
import type { Query } from "../api/use_query";

interface Props<T> {
  query: Query<T>;
  subject: string; // "ClusterQueue research"
  children: (data: T) => ComponentChildren;
}

// Loading, an error, or the data. Data stays visible when a later request fails.
export function QueryState<T>({ query, subject, children }: Props<T>) {
  const { data, error, isLoading } = query;
  if (error && (data === undefined || error.status === 404))
    return <ErrorNotice error={error} subject={subject} />;
  if (data === undefined)
    return (
      <p class="loading" role="status">
        Loading {subject}
      </p>
    );
  return (
    <div class={isLoading ? "busy" : undefined} aria-busy={isLoading}>
      {error && <ErrorNotice error={error} subject={subject} />}
      {children(data)}
    </div>
  );
}

export function ErrorNotice({ error, subject }: { error: ApiError; subject: string }) {
  return (
    <div class="notice bad" role="alert">
      <strong>{headline(error, subject)}</strong>
      <p>{error.message}</p>
    </div>
  );
}

function headline(error: ApiError, subject: string): string {
  if (error.status === 404) return `${subject}: not found`;
  if (error.status === 403) return `${subject}: not allowed`;
  if (error.status === 429) return `${subject}: too many requests`;
  return `${subject}: not loaded`;
}

export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}
