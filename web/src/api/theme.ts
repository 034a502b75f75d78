// Light or dark: the choice of the user, else that of the system.

import { Store } from "../model/store";

export type Theme = "system" | "light" | "dark";

const kKey = "berth-theme";
const kNext: Record<Theme, Theme> = { system: "light", light: "dark", dark: "system" };
const system = matchMedia("(prefers-color-scheme: dark)");

function stored(): Theme {
  const value = localStorage.getItem(kKey);
  return value === "light" || value === "dark" ? value : "system";
}

export const theme = new Store<Theme>(stored());

export function isDark(): boolean {
  return theme.get() === "dark" || (theme.get() === "system" && system.matches);
}

// What plots and styles depend on.
export const appearance = new Store<"light" | "dark">(isDark() ? "dark" : "light");

function apply(): void {
  document.documentElement.dataset.theme = isDark() ? "dark" : "light";
  appearance.set(isDark() ? "dark" : "light");
}

export function startTheme(): void {
  apply();
  system.addEventListener("change", apply);
}

export function nextTheme(): void {
  const value = kNext[theme.get()];
  localStorage.setItem(kKey, value);
  theme.set(value);
  apply();
}
