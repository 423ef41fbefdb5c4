import { useState } from "preact";
import { api, GetParameters, GetPath } from "../../shared/api/client";
import { textOf } from "../../shared/api/problem";
import { Icon, toast } from "../../shared/ui";
import { words } from "./words";

/** Gives a file to whoever asked for it. */
export function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** What a list shows, by the same filters, as a file. It is asked for with the admin's token, so a plain link would not do. */
export function Csv<P extends GetPath>({ path, parameters, name }: { path: P; parameters: GetParameters<P>; name: string }): JSX.Element {
  const [isBusy, setBusy] = useState(false);
  const ask = async (): Promise<void> => {
    setBusy(true);
    try {
      const file = await (api.get as (path: P, parameters: GetParameters<P>) => Promise<unknown>)(path, parameters);
      save(file as Blob, `${name}.csv`);
    } catch (error) {
      toast(textOf(error));
    } finally {
      setBusy(false);
    }
  };
  return <button type="button" class="btn btn-sm btn-light" disabled={isBusy} onClick={() => void ask()}><Icon name="download" size={16} /> {words.download}</button>;
}

