// The plots of the page that `berth simulate --html` writes. Each is an element with its data.

import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { StackedPlot, type StackedData } from "./stacked_plot";
import "./report.css";

const system = matchMedia("(prefers-color-scheme: dark)");

function applyTheme(): void {
  document.documentElement.dataset.theme = system.matches ? "dark" : "light";
}

function Mounted({ data }: { data: StackedData }) {
  const [isDark, setDark] = useState(system.matches);
  useEffect(() => {
    const listener = () => (applyTheme(), setDark(system.matches));
    system.addEventListener("change", listener);
    return () => system.removeEventListener("change", listener);
  }, []);
  return <StackedPlot data={data} isDark={isDark} />;
}

applyTheme();
for (const element of document.querySelectorAll<HTMLElement>(".stacked-plot")) {
  const data = JSON.parse(element.querySelector("script")!.textContent ?? "{}") as StackedData;
  element.textContent = "";
  render(<Mounted data={data} />, element);
}
