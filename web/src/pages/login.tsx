import { useState } from "preact/hooks";
import { logIn } from "../api/session";

export function Login({ message }: { message?: string }) {
  const [value, setValue] = useState("");
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    await logIn(value);
    setBusy(false);
  };
  return (
    <main class="login">
      <h1>Berth</h1>
      <form onSubmit={(e) => void submit(e)}>
        <label for="token">Token</label>
        <input
          id="token"
          type="password"
          autocomplete="off"
          required
          value={value}
          aria-describedby="token-help"
          onInput={(e) => setValue(e.currentTarget.value)}
        />
        {message && (
          <p class="notice bad" role="alert">
            {message}
          </p>
        )}
        <button type="submit" class="primary" disabled={isBusy}>
          Log in
        </button>
        <div id="token-help">
          <p>On a cluster, a token of your account:</p>
          <pre tabIndex={0}>kubectl create token NAME -n NAMESPACE</pre>
          <p>
            With <code>berth up</code>, open the address that it prints. The token stays in this tab.
          </p>
        </div>
      </form>
    </main>
  );
}
