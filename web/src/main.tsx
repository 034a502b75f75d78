import { render } from "preact";
import { readLocation } from "./api/location";
import { startTheme } from "./api/theme";
import { takeTokenFromAddress } from "./api/token";
import { App } from "./pages/app";
import "./style/main.css";

takeTokenFromAddress();
readLocation();
// Another address with a token, opened in this tab.
addEventListener("hashchange", () => {
  if (location.hash.startsWith("#token=")) location.reload();
});
startTheme();
render(<App />, document.getElementById("app")!);
