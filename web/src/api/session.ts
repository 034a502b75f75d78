// Who is logged in. Without a valid token the server answers 401, and the page asks for one.

import { Store } from "../model/store";
import { ApiError, getJson } from "./client";
import { token } from "./token";
import type { Session } from "./types";

export type SessionState =
  | { type: "starting" }
  | { type: "loggedOut"; message?: string }
  | { type: "unreachable"; message: string }
  | { type: "loggedIn"; session: Session };

export const session = new Store<SessionState>({ type: "starting" });

export async function startSession(): Promise<void> {
  try {
    session.set({ type: "loggedIn", session: await getJson<Session>("session") });
  } catch (error) {
    session.set(stateOf(error));
  }
}

function stateOf(error: unknown): SessionState {
  const status = error instanceof ApiError ? error.status : 0;
  if (status !== 401) return { type: "unreachable", message: (error as Error).message };
  const message = token.get() ? "The server does not accept this token." : undefined;
  token.set("");
  return { type: "loggedOut", message };
}

export async function logIn(value: string): Promise<void> {
  token.set(value.trim());
  await startSession();
}

export function logOut(): void {
  token.set("");
  session.set({ type: "loggedOut" });
}

// A token can expire while the page is open.
export function expireSession(): void {
  if (session.get().type !== "loggedIn") return;
  token.set("");
  session.set({ type: "loggedOut", message: "The server no longer accepts the token. Log in again." });
}
