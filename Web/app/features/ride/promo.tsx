import type { Dispatch } from "api-types";
import type { Component } from "preact";
import { useState } from "preact";
import { Button, Note } from "../../../shared/ui";
import { words } from "./words";

/** A promo code: typed, applied, and what it does or why it does not. */
export const Promo: Component<{ value: string; promotion?: Dispatch.Quote["promotion"]; onApply: (code: string) => void }> = (
  { value, promotion, onApply },
) => {
  const [isOpen, setOpen] = useState(value !== "");
  const [text, setText] = useState(value);
  if (!isOpen) return <Button kind="quiet" icon="gift" onTap={() => setOpen(true)}>{words.addPromo}</Button>;
  return (
    <form class="stack tight" onSubmit={(event) => { event.preventDefault(); onApply(text.trim()); }}>
      <label class="stack tight"><b>{words.promo}</b>
        <input type="text" dir="ltr" autocomplete="off" autocapitalize="characters" spellcheck={false} maxLength={40} value={text}
          onInput={(event) => setText((event.target as HTMLInputElement).value)} />
      </label>
      {value && promotion && <Note tone={promotion.counts ? "good" : "warning"} live>{promotion.explanation}</Note>}
      <div class="actions in-row">
        <Button kind="second" submit disabled={!text.trim() || text.trim() === value}>{words.apply}</Button>
        {value && <Button kind="quiet" onTap={() => { setText(""); onApply(""); setOpen(false); }}>{words.removePromo}</Button>}
      </div>
    </form>
  );
};
