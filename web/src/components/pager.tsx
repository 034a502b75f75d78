import { formatCount } from "../model/amount";

interface Props {
  label: string;
  offset: number;
  limit: number;
  total: number;
  onOffset: (offset: number) => void;
}

export function Pager({ label, offset, limit, total, onOffset }: Props) {
  if (total <= limit && offset === 0) return null;
  const end = Math.min(total, offset + limit);
  const last = Math.max(0, Math.floor((total - 1) / limit) * limit);
  const button = (text: string, to: number, isOff: boolean) => (
    <button type="button" class="plain" disabled={isOff} onClick={() => onOffset(to)}>
      {text}
    </button>
  );
  return (
    <nav class="pager" aria-label={label}>
      {button("First", 0, offset === 0)}
      {button("Previous", Math.max(0, offset - limit), offset === 0)}
      <span role="status">
        {formatCount(Math.min(offset + 1, end))}–{formatCount(end)} of {formatCount(total)}
      </span>
      {button("Next", offset + limit, end >= total)}
      {button("Last", last, end >= total)}
    </nav>
  );
}
