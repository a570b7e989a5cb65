import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useKeys } from "../keys.js";
import { goTo, withQuery } from "../router.js";
import { count } from "../words.js";

const typingPauseMs = 250;

/** A search that is in the address once the typing pauses. `/` leads to it. */
export function SearchField({ value, label }: { value: string; label: string }) {
  const [text, setText] = useState(value);
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setText(value), [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  useKeys({ "/": () => field.current?.focus() });
  const search = (next: string, delayMs: number) => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => goTo(withQuery({ q: next.trim() }), { isReplaced: true }), delayMs);
  };
  return (
    <label class="field is-wide">
      <span>
        {label} <kbd class="key">/</kbd>
      </span>
      <input
        ref={field}
        class="input"
        type="search"
        value={text}
        spellcheck={false}
        onInput={({ currentTarget }) => search(currentTarget.value, typingPauseMs)}
        onKeyDown={(event) => {
          if (event.key === "Enter") search(event.currentTarget.value, 0);
          if (event.key === "Escape") event.currentTarget.blur();
        }}
      />
    </label>
  );
}

export interface Choice {
  value: string;
  word?: string;
  count?: number | undefined;
}

/** One of several words, in the address by the name of the filter. */
export function ChoiceField({
  name,
  label,
  value,
  choices,
  all = "all",
}: {
  name: string;
  label: string;
  value: string;
  choices: readonly Choice[];
  all?: string;
}) {
  return (
    <label class="field">
      {label}
      <select
        class="input"
        value={value}
        onChange={({ currentTarget }) => goTo(withQuery({ [name]: currentTarget.value }))}
      >
        <option value="">{all}</option>
        {choices.map(({ value: each, word = each, count: amount }) => (
          <option key={each} value={each} selected={each === value}>
            {amount === undefined ? word : `${word} (${count(amount)})`}
          </option>
        ))}
      </select>
    </label>
  );
}

export function CheckField({ name, label, isOn }: { name: string; label: string; isOn: boolean }) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ currentTarget }) => goTo(withQuery({ [name]: currentTarget.checked ? "1" : undefined }))}
      />
      {label}
    </label>
  );
}

export function Filters({ children }: { children: ComponentChildren }) {
  return (
    <search class="filters" aria-label="Filters">
      {children}
    </search>
  );
}
