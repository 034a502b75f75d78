import { useEffect, useState } from "preact/hooks";

interface Props {
  label: string;
  value: string;
  placeholder?: string;
  onValue: (value: string) => void;
}

const kPauseMs = 250;

// Reports its text when typing pauses.
export function TextField({ label, value, placeholder, onValue }: Props) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return undefined;
    const timer = setTimeout(() => onValue(text), kPauseMs);
    return () => clearTimeout(timer);
  }, [text, value, onValue]);
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="search"
        value={text}
        placeholder={placeholder}
        autocomplete="off"
        spellcheck={false}
        onInput={(e) => setText(e.currentTarget.value)}
      />
    </label>
  );
}
