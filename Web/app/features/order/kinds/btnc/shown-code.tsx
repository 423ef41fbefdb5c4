import type { Component } from "preact";
import { Card } from "../../../../../shared/ui";

/** A code to say aloud, in digits that can be read from afar. */
export const ShownCode: Component<{ label: string; code: string; hint?: string }> = ({ label, code, hint }) => (
  <Card tone="accent">
    <div class="shown-code">
      <span class="muted">{label}</span>
      <bdi dir="ltr" aria-label={code.split("").join(" ")} role="img">{code.replace(/(\d{4})(?=\d)/, "$1 ")}</bdi>
      {hint && <span class="muted small">{hint}</span>}
    </div>
  </Card>
);
