import type { Component } from "preact";
import { number } from "../../../shared/format";
import { isolate } from "../../../shared/words";
import { Button, IconButton } from "../../../shared/ui";
import { words } from "./words";

/** How many of a dish: one adds and takes away. */
export const Count: Component<{ name: string; value: number; onChange: (by: number) => void }> = ({ name, value, onChange }) =>
  value === 0
    ? <Button kind="second" icon="plus" label={words.add(isolate(name))} onTap={() => onChange(1)}>{words.addShort}</Button>
    : (
      <span class="line counter">
        <IconButton icon={value === 1 ? "trash" : "minus"} label={words.less(isolate(name))} onTap={() => onChange(-1)} />
        <b class="numbers" aria-live="polite">{number(value)}</b>
        <IconButton icon="plus" label={words.add(isolate(name))} onTap={() => onChange(1)} />
      </span>
    );
