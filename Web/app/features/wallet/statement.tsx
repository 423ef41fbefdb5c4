import type { Wallet } from "api-types";
import type { Component } from "preact";
import { useState } from "preact";
import { api } from "../../../shared/api/client";
import { textOf } from "../../../shared/api/problem";
import { More, usePages } from "../../../shared/pages";
import { go, place } from "../../../shared/router";
import { Badge, Button, Empty, IconButton, List, Loaded, Screen, Sheet, toast } from "../../../shared/ui";
import { ChoiceField, Form, SelectField, Submit, useForm } from "../../../shared/forms";
import type { PartProperties } from "./index";
import { Line } from "./line";
import { words } from "./words";

type Filter = { kind: string; state: string; sort: string };
const kinds = ["payment", "share", "commission", "topUp", "fine", "refund", "deposit", "tip", "cashOut", "subscription", "transfer", "hold"] as const;
const states = ["waiting", "accepted", "rejected"] as const;

const FilterSheet: Component<{ now: Filter; onClose: () => void }> = ({ now, onClose }) => {
  const form = useForm({
    initial: now,
    send: async (values) => values,
    done: (values) => {
      const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value)).toString();
      onClose();
      go(`wallet/statement${query ? `?${query}` : ""}`, { replace: true });
    },
  });
  return (
    <Sheet title={words.filter} onClose={onClose}>
      <Form form={form}>
        <SelectField form={form} name="kind" label={words.kind} placeholder={words.all} options={kinds.map((kind) => ({ value: kind, label: words[`kind-${kind}`] }))} />
        <SelectField form={form} name="state" label={words.state} placeholder={words.all} options={states.map((state) => ({ value: state, label: words[`state-${state}`] }))} />
        <ChoiceField form={form} name="sort" label={words.order} inRow options={[{ value: "desc", label: words.newest }, { value: "asc", label: words.oldest }]} />
        <Submit form={form}>{words.show}</Submit>
      </Form>
    </Sheet>
  );
};

async function download(filter: Filter): Promise<void> {
  try {
    const file = (await api.get("/wallet/v1/statement.csv", parametersOf(filter))) as unknown as Blob;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    link.download = "statement.csv";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  } catch (error) {
    toast(textOf(error));
  }
}

const parametersOf = (filter: Filter) => ({
  kind: (filter.kind || undefined) as Wallet.StatementLine["kind"] | undefined, state: (filter.state || undefined) as Wallet.StatementLine["state"] | undefined,
  sort: filter.sort as "asc" | "desc",
});

/** All lines, in pages. The filter stands in the address. */
export const Statement: Component<PartProperties> = ({ query }) => {
  const [isChoosing, setChoosing] = useState(false);
  // Assef's people read their statement from its beginning.
  const filter: Filter = { kind: query.get("kind") ?? "", state: query.get("state") ?? "", sort: query.get("sort") ?? (place.get().market === "assef" ? "asc" : "desc") };
  const pages = usePages("/wallet/v1/statement", { ...parametersOf(filter), limit: 20 }, ["wallet"], (line) => line.id);
  const isFiltered = filter.kind !== "" || filter.state !== "";
  return (
    <Screen title={words.statement} back="wallet" end={(
      <>
        <IconButton icon="download" label={words.download} onTap={() => void download(filter)} />
        <IconButton icon="filter" label={words.filter} onTap={() => setChoosing(true)} />
      </>
    )}>
      {isFiltered && (
        <div class="line">
          {filter.kind && <Badge tone="accent">{words[`kind-${filter.kind as (typeof kinds)[number]}`]}</Badge>}
          {filter.state && <Badge tone="accent">{words[`state-${filter.state as (typeof states)[number]}`]}</Badge>}
          <Button kind="quiet" small onTap={() => go("wallet/statement", { replace: true })}>{words.all}</Button>
        </div>
      )}
      <Loaded of={pages.first}>
        {() => (pages.items?.length ? (
          <>
            <List label={words.statement}>{pages.items.map((line) => <Line key={line.id} line={line} />)}</List>
            <More of={pages} />
          </>
        ) : <Empty icon="wallet" title={isFiltered ? words.noLinesFilter : words.noLines} text={isFiltered ? undefined : words.noLinesText} />)}
      </Loaded>
      {isChoosing && <FilterSheet now={filter} onClose={() => setChoosing(false)} />}
    </Screen>
  );
};
