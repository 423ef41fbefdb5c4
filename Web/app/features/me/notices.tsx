import type { Component } from "preact";
import type { Notifications } from "api-types";
import { useState } from "preact";
import { api } from "../../../shared/api/client";
import { textOf } from "../../../shared/api/problem";
import { useCell } from "../../../shared/cell";
import { pushState, turnPushOff, turnPushOn } from "../../../shared/device/push";
import { invalidate, useGet } from "../../../shared/resources";
import { session } from "../../../shared/session";
import { List, Loaded, Note, Screen, Section, Skeleton, Switch, toast } from "../../../shared/ui";
import { isolate } from "../../../shared/words";
import type { PartProperties } from "./index";
import { words } from "./notice-words";
import { words as ownWords } from "./words";

type Choices = Notifications.Choices;
type Kind = Choices["kinds"][number];

const kindNames: Record<string, () => string> = {
  offers: () => words.offers, orders: () => words.orders, series: () => words.series, money: () => words.money, dues: () => words.dues,
  ratings: () => words.ratings, account: () => words.account, general: () => words.general,
};
const wayNames: Record<string, () => string> = { app: () => words.byApp, push: () => words.byPush, mail: () => words.byMail, sms: () => words.bySMS };

/** Whether this browser shows what is new while the page is closed. */
const ThisDevice: Component = () => {
  const state = useCell(pushState);
  const [isBusy, setBusy] = useState(false);
  if (state === "denied") return <Note tone="warning">{words.hereDenied}</Note>;
  if (state === "none") return <Note>{words.hereNone}</Note>;
  const change = (on: boolean): void => {
    setBusy(true);
    (on ? turnPushOn() : turnPushOff()).catch((error) => toast(textOf(error))).finally(() => setBusy(false));
  };
  const isOn = state === "on";
  return <List><li><Switch on={isOn} busy={isBusy || state === "unknown"} label={words.here} detail={isOn ? words.hereOn : words.hereOff} onChange={change} /></li></List>;
};

type Way = "mail" | "sms" | "push";

/** A way as a whole, for all that is optional. */
const Ways: Component<PartProperties> = ({ me }) => {
  const [chosen, setChosen] = useState<Partial<Record<Way, boolean>>>({});
  const notices = { ...me.value?.notices, ...chosen };
  const change = (way: Way, on: boolean): void => {
    setChosen({ ...chosen, [way]: on });
    api.patch("/identity/v1/accounts/me", {}, { notices: { [way]: on } }).then(() => invalidate("me"), (error) => {
      setChosen({ ...chosen, [way]: !on });
      toast(textOf(error));
    });
  };
  const ways: [Way, string][] = [["mail", words.byMail], ["sms", words.bySMS], ["push", words.byPush]];
  return (
    <Section title={words.all}>
      <List>{ways.map(([way, label]) => <li key={way}><Switch on={notices[way] ?? false} label={label} onChange={(on) => change(way, on)} /></li>)}</List>
    </Section>
  );
};

/** The ways of one kind of notice. */
const KindWays: Component<{ kind: Kind; onChoose: (way: string, on: boolean) => void }> = ({ kind, onChoose }) => (
  <fieldset class="field">
    <legend>{kindNames[kind.kind]?.() ?? kind.kind}</legend>
    {kind.locked ? <p class="muted">{words.always}</p> : (
      <div class="choices in-row">
        {kind.ways.map(({ way, on }) => (
          <label key={way} class="choice">
            <input type="checkbox" checked={on} onChange={(event) => onChoose(way, (event.target as HTMLInputElement).checked)} />
            <span class="row-text">{wayNames[way]?.() ?? way}</span>
          </label>
        ))}
      </div>
    )}
  </fieldset>
);

const Quiet: Component<{ quiet: Choices["quiet"]; onAnswer: () => void }> = ({ quiet, onAnswer }) => {
  const [typed, setTyped] = useState<{ from: string; to: string } | undefined>(undefined);
  const { from, to } = typed ?? quiet ?? { from: "22:00", to: "07:00" };
  const zone = quiet?.zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const answered = (): void => {
    setTyped(undefined);
    onAnswer();
  };
  const save = (next: { from: string; to: string }): void => {
    api.put("/notifications/v1/quiet-hours", {}, { ...next, zone }).then(answered, (error) => toast(textOf(error)));
  };
  const change = (on: boolean): void => {
    if (on) save({ from, to });
    else api.delete("/notifications/v1/quiet-hours", {}).then(answered, (error) => toast(textOf(error)));
  };
  // A time that is half typed is none.
  const type = (part: "from" | "to", value: string): void => {
    const next = { from, to, [part]: value };
    setTyped(next);
    if (/^\d\d:\d\d$/.test(value) && next.from !== next.to) save(next);
  };
  return (
    <Section title={words.quiet}>
      <List><li><Switch on={Boolean(quiet)} label={words.quiet} detail={words.quietText} onChange={change} /></li></List>
      {quiet && (
        <>
          <div class="pair">
            <label class="field"><span>{words.from}</span><input type="time" value={from} onChange={(event) => type("from", (event.target as HTMLInputElement).value)} /></label>
            <label class="field"><span>{words.until}</span><input type="time" value={to} onChange={(event) => type("to", (event.target as HTMLInputElement).value)} /></label>
          </div>
          <p class="hint">{words.zone(isolate(zone))}</p>
        </>
      )}
    </Section>
  );
};

/** By which ways the owner wants to hear of what, and when not. */
export const Notices: Component<PartProperties> = ({ me }) => {
  const { roles } = useCell(session);
  const found = useGet("/notifications/v1/choices", {}, ["choices"]);
  const [chosen, setChosen] = useState<Record<string, boolean>>({});
  const works = roles.some((role) => role.role === "provider");
  const choose = (kind: string, way: string, on: boolean): void => {
    setChosen({ ...chosen, [`${kind} ${way}`]: on });
    api.put("/notifications/v1/choices/{kind}", { kind: kind as "orders" }, { [way]: on }).then(() => invalidate("choices"), (error) => {
      setChosen({ ...chosen, [`${kind} ${way}`]: !on });
      toast(textOf(error));
    });
  };
  const shown = (kind: Kind): Kind => ({ ...kind, ways: kind.ways.map(({ way, on }) => ({ way, on: chosen[`${kind.kind} ${way}`] ?? on })) });
  return (
    <Screen title={ownWords.notices} back="me">
      <ThisDevice />
      <Ways me={me} />
      <Loaded of={found} skeleton={<Skeleton rows={6} />}>
        {(choices) => (
          <>
            <Quiet quiet={choices.quiet} onAnswer={() => invalidate("choices")} />
            <Section title={words.about}>
              <div class="form">
                {choices.kinds.filter((kind) => works || kind.kind !== "offers").map((kind) => (
                  <KindWays key={kind.kind} kind={shown(kind)} onChoose={(way, on) => choose(kind.kind, way, on)} />
                ))}
              </div>
            </Section>
          </>
        )}
      </Loaded>
      <Note>{words.locked}</Note>
    </Screen>
  );
};
