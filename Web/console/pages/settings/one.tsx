import type { Admin } from "api-types";
import type { Component } from "preact";
import { api } from "../../../shared/api/client";
import { useCell } from "../../../shared/cell";
import { More, usePages } from "../../../shared/pages";
import type { Resource } from "../../../shared/resources";
import { usePlace } from "../../../shared/router";
import { session } from "../../../shared/session";
import { Empty, Note, Skeleton } from "../../../shared/ui";
import { Act, ActField, ActValues, Detail, Facts, Failed, kitWords, optionsOf, Part, Table, When, Who } from "../../kit";
import { read, shown, typed, unitText } from "./units";
import { settingName, words } from "./words";

const amountKeys = ["finePerKilometre", "cancellationFee", "tariffs", "servicePrices", "dailyTopUpLimit", "dailyCashOutLimit", "secondApprovalAmount", "parcelRates"] as const;
type Amounts = Record<(typeof amountKeys)[number], string>;

const bounds = (setting: Admin.Setting, currency: string, text: (least: string, most: string) => string): string =>
  setting.minimum === undefined || setting.maximum === undefined ? setting.allowed : text(shown(setting, String(setting.minimum), currency), shown(setting, String(setting.maximum), currency));

function fieldOf(setting: Admin.Setting, currency: string): ActField {
  const common = { name: "value", label: `${settingName(setting.key)} ${unitText(setting, currency)}`.trim(), initial: typed(setting, currency), hint: <bdi>{bounds(setting, currency, words.bounds)}</bdi> };
  if (setting.kind === "trueOrFalse") return { ...common, label: settingName(setting.key), kind: "choice", hint: undefined, options: optionsOf({ true: words.on, false: words.off }) };
  const isLong = setting.value.length > 60 || setting.kind === "serviceArea" || setting.kind === "tariffs" || setting.kind === "servicePrices";
  return { ...common, kind: setting.kind === "wholeNumber" ? "amount" : isLong ? "long" : "text" };
}

/** Sends a value with the version that was on the screen: who comes second is told. */
function useSend(setting: Admin.Setting): (value: string, amounts?: Amounts) => Promise<Admin.Setting> {
  const { market } = usePlace();
  return (value, amounts) => api.put("/admin/v1/markets/{market}/settings/{key}", { market, key: setting.key }, { value, version: setting.version, amounts });
}
const told = (answer: Admin.Setting): string | undefined => (answer.proposed ? kitWords.waitsForSecond : undefined);
const tags = ["settings", "market"];

const Change: Component<{ setting: Admin.Setting; all: Admin.Setting[]; currency: string }> = ({ setting, all, currency }) => {
  const send = useSend(setting);
  const isCurrency = setting.key === "currency";
  const fields: ActField[] = [fieldOf(setting, currency), ...(isCurrency ? amountKeys.map((key): ActField => ({ name: key, label: settingName(key), initial: all.find((one) => one.key === key)?.value ?? "" })) : [])];
  const check = (values: ActValues) => {
    const value = read(setting, String(values.value), currency);
    const isOutside = setting.kind === "wholeNumber" && value !== undefined && (Number(value) < (setting.minimum ?? -Infinity) || Number(value) > (setting.maximum ?? Infinity));
    return { value: value === undefined ? words.badNumber : isOutside && bounds(setting, currency, words.outside) };
  };
  return (
    <Act label={words.change} title={words.changeTitle(settingName(setting.key))} look="primary" tags={tags} fields={fields} check={check} told={told}
      text={[words.now(shown(setting, setting.value, currency)), isCurrency && words.amountsText].filter(Boolean).join(". ")}
      send={(values) => send(read(setting, String(values.value), currency) ?? "", isCurrency ? Object.fromEntries(amountKeys.map((key) => [key, String(values[key])])) as Amounts : undefined)} />
  );
};

/** What one admin has proposed: another one agrees, and anybody takes it back. */
const Proposed: Component<{ setting: Admin.Setting; currency: string }> = ({ setting, currency }) => {
  const send = useSend(setting);
  const { account } = useCell(session);
  if (!setting.proposed) return null;
  const value = shown(setting, setting.proposed.value, currency);
  const proposal = setting.proposed;
  return (
    <Note tone="warning">
      <strong>{words.proposed}</strong> <Who {...proposal.by} /> · <When at={proposal.at} />
      <p>{words.proposedText(value)}</p>
      <div class="act-buttons">
        <Act small label={words.takeBack} title={words.takeBack} tags={tags} send={() => send(setting.value)} />
        {proposal.by.account !== account && setting.key !== "currency" && <Act small label={words.confirm} title={`${words.confirm}: ${value}`} look="primary" tags={tags} send={() => send(proposal.value)} told={told} />}
      </div>
    </Note>
  );
};

const nameOf = (event: string): string => ({ changed: words.eventChanged, proposed: words.eventProposed, withdrawn: words.eventWithdrawn } as Record<string, string>)[event] ?? event;
const path = "/admin/v1/markets/{market}/settings/{key}/history";

/** Who changed it, and from what to what; who asked first, where it took two. */
const History: Component<{ setting: Admin.Setting; currency: string }> = ({ setting, currency }) => {
  const { market } = usePlace();
  const pages = usePages(path, { market, key: setting.key, limit: 10 }, ["settings"], (one) => `${one.at} ${one.event}`);
  const value = (text: string | undefined): JSX.Element => (text === undefined ? <>–</> : <bdi>{shown(setting, text, currency)}</bdi>);
  return (
    <Part title={words.history}>
      {!pages.items
        ? pages.first.error ? <Failed of={pages.first} /> : <Skeleton rows={3} kind="text" />
        : pages.items.length === 0 ? <p class="muted">{words.never}</p> : (
          <>
            <Table label={words.history} items={pages.items} idOf={(one) => `${one.at} ${one.event}`} columns={[
              { id: "at", label: words.changed, cell: (one) => <When at={one.at} /> },
              { id: "event", label: words.event, cell: (one) => <>{nameOf(one.event)}{one.key !== setting.key && <span class="muted"> ({words.withCurrency})</span>}</> },
              { id: "by", label: words.by, cell: (one) => <>{one.by && <Who {...one.by} />}{one.proposedBy && <> · {words.afterProposal} <Who {...one.proposedBy} /></>}</> },
              { id: "before", label: words.before, cell: (one) => value(one.before) }, { id: "after", label: words.after, cell: (one) => value(one.after) },
            ]} />
            <More of={pages} />
          </>
        )}
    </Part>
  );
};

export const Setting: Component<{ of: Resource<Admin.Settings> & { reload: () => Promise<void> }; name: string; currency: string }> = ({ of, name, currency }) => {
  const setting = of.value?.items.find((one) => one.key === name);
  return (
    <Detail title={settingName(name)} back="settings" of={of} acts={(all) => setting && <Change setting={setting} all={all.items} currency={currency} />}>
      {() => !setting ? <Empty icon="search" title={words.none} /> : (
        <>
          <Proposed setting={setting} currency={currency} />
          <Facts of={[
            [words.value, <bdi>{shown(setting, setting.value, currency)}</bdi>], [words.standard, <bdi>{shown(setting, setting.default, currency)}</bdi>],
            [words.allowed, <bdi>{bounds(setting, currency, words.bounds)}</bdi>],
            [words.changed, setting.changedAt ? <When at={setting.changedAt} exact /> : words.never], [words.by, setting.changedBy && <Who {...setting.changedBy} />], [words.version, setting.version > 0 && String(setting.version)],
          ]} />
          <History setting={setting} currency={currency} />
        </>
      )}
    </Detail>
  );
};
