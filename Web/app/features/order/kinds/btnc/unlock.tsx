import type { Dispatch } from "api-types";
import type { Component } from "preact";
import { useState } from "preact";
import { api } from "../../../../../shared/api/client";
import { textOf } from "../../../../../shared/api/problem";
import { time } from "../../../../../shared/format";
import { Button, Note, useSecondsLeft } from "../../../../../shared/ui";
import type { View } from "../../view";
import { words } from "./bike-words";
import { ShownCode } from "./shown-code";

/** The code that opens the rack, once and for ten minutes: asked for by whoever stands there. */
export const Unlock: Component<{ view: View }> = ({ view }) => {
  const id = view.order.order;
  const [code, setCode] = useState<Dispatch.UnlockCode | undefined>(undefined);
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false });
  const left = useSecondsLeft(code?.expiresAt);
  const fetchIt = async (): Promise<void> => {
    setState({ isBusy: true });
    try {
      setCode(await (view.side === "provider"
        ? api.post("/dispatch/v1/drop-offs/{id}/code", { id }, undefined) : api.post("/dispatch/v1/hires/{id}/code", { id }, undefined)));
      setState({ isBusy: false });
    } catch (error) {
      setState({ isBusy: false, error });
    }
  };
  return (
    <div class="stack tight">
      {state.error ? <Note tone="warning" live>{textOf(state.error)}</Note> : null}
      {code && left > 0 && <ShownCode label={words.typeCode} code={code.code} hint={words.codeUntil(time(code.expiresAt))} />}
      {code && left <= 0 && <Note tone="warning" live>{words.codeOver}</Note>}
      <Button kind={code ? "second" : "primary"} icon="key" busy={state.isBusy} onTap={() => void fetchIt()}>{code ? words.newCode : words.getCode}</Button>
    </div>
  );
};
