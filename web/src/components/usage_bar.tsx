import { describeAmount, formatAmount, formatPercent } from "../model/amount";
import { layoutBar, type QuotaSum } from "../model/quota";

interface Props {
  resource: string;
  sum: QuotaSum;
}

const width = (percent: number) => ({ width: `${percent}%` });
const span = (from: number, percent: number) => ({ left: `${from}%`, width: `${percent}%` });

// Usage against nominal quota. The numbers of the bar are in its label, so that it reads without
// colors.
export function UsageBar({ resource, sum }: Props) {
  const bar = layoutBar(sum);
  return (
    <div class="bar" role="img" aria-label={barLabel(resource, sum)} title={barLabel(resource, sum)}>
      <div class="bar-track">
        <div class="bar-own" style={width(bar.own)} />
        {bar.borrowed > 0 && <div class="bar-borrowed" style={span(bar.own, bar.borrowed)} />}
        {bar.lent.width > 0 && <div class="bar-lent" style={span(bar.lent.from, bar.lent.width)} />}
        {bar.nominal !== undefined && bar.nominal < 99.9 && (
          <div class="bar-nominal" style={{ left: `${bar.nominal}%` }} />
        )}
      </div>
      <div class="bar-demand">
        {bar.pending.width > 0 && <div class="bar-pending" style={width(bar.pending.width)} />}
        {bar.pending.isClipped && <div class="bar-clipped" />}
      </div>
    </div>
  );
}

export function barLabel(resource: string, sum: QuotaSum): string {
  const amount = (value: number) => formatAmount(resource, value);
  const parts = [
    `${amount(sum.used)} used of ${describeAmount(resource, sum.nominal)} nominal`,
    sum.borrowed > 0 ? `${amount(sum.borrowed)} borrowed` : "",
    sum.lent > 0 ? `${amount(sum.lent)} lent` : "",
    sum.pending > 0 ? `${amount(sum.pending)} pending` : "",
  ];
  return parts.filter(Boolean).join(", ");
}

// "14 / 20" with the share in the title.
export function UsedOfNominal({ resource, sum }: Props) {
  const nominal = sum.nominal;
  const title = nominal === null ? undefined : formatPercent(sum.used, nominal);
  return (
    <span title={title}>
      {formatAmount(resource, sum.used)}
      <span class="of"> / {formatAmount(resource, nominal)}</span>
    </span>
  );
}

export function BarLegend() {
  return (
    <ul class="legend" aria-label="Parts of a usage bar">
      <li>
        <i class="key bar-own" /> used
      </li>
      <li>
        <i class="key bar-borrowed" /> borrowed
      </li>
      <li>
        <i class="key bar-lent" /> lent
      </li>
      <li>
        <i class="key key-free" /> free
      </li>
      <li>
        <i class="key key-nominal" /> nominal quota
      </li>
      <li>
        <i class="key key-pending" /> pending requests
      </li>
    </ul>
  );
}
