interface Props {
  label: string;
  value: string;
  options: readonly (readonly [value: string, text: string])[];
  onValue: (value: string) => void;
}

export function Select({ label, value, options, onValue }: Props) {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={(e) => onValue(e.currentTarget.value)}>
        {options.map(([v, text]) => (
          <option key={v} value={v} selected={v === value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
