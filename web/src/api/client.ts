// Requests to the query API. Answers are kept with their ETag, so that an unchanged one is neither
// sent nor parsed again.

import type { Problem } from "./types";
import { token } from "./token";

export const kBase = "api/v1/";
const kKeptAnswers = 40;

export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly problems: Problem[] = [],
  ) {
    super(message);
  }
}

interface Answer {
  etag: string;
  value: unknown;
}

const answers = new Map<string, Answer>();

// Answers of one user must not be shown to the next.
token.subscribe(() => answers.clear());

export function authorization(): Record<string, string> {
  return token.get() ? { Authorization: `Bearer ${token.get()}` } : {};
}

function keep(path: string, answer: Answer): void {
  answers.delete(path);
  answers.set(path, answer);
  const oldest = answers.keys().next().value;
  if (answers.size > kKeptAnswers && oldest !== undefined) answers.delete(oldest);
}

export async function getJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  const kept = answers.get(path);
  const headers = { ...authorization(), ...(kept ? { "If-None-Match": kept.etag } : {}) };
  const response = await send(path, { headers, signal });
  if (response.status === 304 && kept) return kept.value as T;
  if (!response.ok) throw await errorOf(response);
  const value = (await response.json()) as T;
  const etag = response.headers.get("ETag");
  if (etag) keep(path, { etag, value });
  return value;
}

export async function getText(path: string, signal?: AbortSignal): Promise<string> {
  const response = await send(path, { headers: authorization(), signal });
  if (!response.ok) throw await errorOf(response);
  return response.text();
}

export async function postYaml<T>(path: string, body: string): Promise<T> {
  const headers = { ...authorization(), "Content-Type": "application/yaml" };
  const response = await send(path, { method: "POST", headers, body });
  if (!response.ok) throw await errorOf(response);
  return (await response.json()) as T;
}

async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(kBase + path, { ...init, cache: "no-store", credentials: "omit" });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiError(0, "The server does not answer.");
  }
}

async function errorOf(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => ({}))) as {
    message?: string;
    problems?: Problem[];
  };
  const problems = Array.isArray(body) ? (body as Problem[]) : body.problems;
  const message = body.message ?? `The server answers ${response.status} ${response.statusText}.`;
  return new ApiError(response.status, message, problems ?? []);
}
