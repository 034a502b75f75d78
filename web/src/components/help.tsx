import { useEffect, useRef } from "preact/hooks";

const kKeys: [string, string][] = [
  ["/", "search"],
  ["?", "this list"],
  ["g o", "overview"],
  ["g q", "queues"],
  ["g w", "workloads"],
  ["g f", "flavors"],
  ["g i", "what-if"],
  ["↑ ↓", "tree: previous and next row"],
  ["→", "tree: open, then go to the first child"],
  ["←", "tree: close, then go to the parent"],
  ["Enter", "tree: show the page of the row"],
  ["Ctrl Enter", "what-if: evaluate"],
];

interface Props {
  onClose: () => void;
}

export function Help({ onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-labelledby="help-title" onClose={onClose}>
      <h2 id="help-title">Keyboard shortcuts</h2>
      <table>
        <tbody>
          {kKeys.map(([keys, meaning]) => (
            <tr key={keys}>
              <th scope="row">
                {keys.split(" ").map((k) => (
                  <kbd key={k}>{k}</kbd>
                ))}
              </th>
              <td>{meaning}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <button type="button" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  );
}
