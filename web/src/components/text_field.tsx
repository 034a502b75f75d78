import { useEffect, useRef, useState } from "preact/hooks";

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
  const reported = useRef(value);
  useEffect(() => {
    // A value of others, such as the address; an own one may be older than the text.
    if (value !== reported.current) setText(value);
    reported.current = value;
  }, [value]);
  useEffect(() => {
    if (text === value) return undefined;
    const timer = setTimeout(() => {
      reported.current = text;
      onValue(text);
    }, kPauseMs);
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
