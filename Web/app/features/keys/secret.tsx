import type { Component } from "preact";
import { Button, Sheet, toast } from "../../../shared/ui";
import { words } from "./words";

/** A secret that is shown once. */
export const Secret: Component<{ title: string; secret: string; onClose: () => void }> = ({ title, secret, onClose }) => {
  const copy = (): void => void navigator.clipboard?.writeText(secret).then(() => toast(words.copied), () => undefined);
  return (
    <Sheet title={title} onClose={onClose} locked>
      <p>{words.secret}</p>
      <pre class="card secret" dir="ltr" tabIndex={0}>{secret}</pre>
      <div class="actions">
        <Button kind="second" icon="document" onTap={copy}>{words.copy}</Button>
        <Button onTap={onClose}>{words.done}</Button>
      </div>
    </Sheet>
  );
};
