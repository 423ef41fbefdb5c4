import type { Component } from "preact";
import { useState } from "preact";
import type { Notifications } from "api-types";
import { api } from "../../../shared/api/client";
import { textOf } from "../../../shared/api/problem";
import { number } from "../../../shared/format";
import { useMarket } from "../../../shared/market";
import { useGet } from "../../../shared/resources";
import { usePlace } from "../../../shared/router";
import { Badge, Button, toast, undoable } from "../../../shared/ui";
import { Act, Detail, Facts, Part, readAgain, When, Who, Work } from "../../kit";
import { useMay } from "../../rights";
import { audiences, draftOf, fieldsOf, languages, pointers } from "./draft";
import { words } from "./words";

type Notice = Notifications.GeneralNotice;
const base = "/notifications/v1/markets/{market}/general-notices/{id}";
const tones: Record<string, "good" | "warning" | "neutral" | "accent"> = { waiting: "warning", going: "accent", gone: "good", cancelled: "neutral" };

export const stateNames = (): Record<string, string> => ({ waiting: words.waiting, going: words.going, gone: words.gone, cancelled: words.cancelled });
export const State: Component<{ of: string }> = ({ of }) => <Badge tone={tones[of] ?? "neutral"}>{stateNames()[of] ?? of}</Badge>;

export const Audience: Component<{ of: Notice }> = ({ of }) => (
  <>
    {(audiences() as Record<string, string>)[of.audience] ?? of.audience}
    {of.title && <> · <Work title={of.title} /></>}
    {of.language && <> · {languages()[of.language] ?? of.language}</>}
  </>
);

export function useTitles(): { value: string; label: string }[] {
  return (useMarket().market?.titles ?? []).map((title) => ({ value: title.id ?? "", label: title.name ?? "" }));
}

const Acts: Component<{ of: Notice }> = ({ of }) => {
  const may = useMay();
  const titles = useTitles();
  const zone = useMarket().market?.timeZone ?? "UTC";
  const [isHidden, setHidden] = useState(false);
  const { market, notice: id, version: seen } = of;
  const tags = ["notices", `notice:${id}`];
  const cancel = (): void => {
    setHidden(true);
    undoable(words.isCancelled, () => api.put(`${base}/cancellation`, { market, id }, undefined as never, { seen }).then(() => readAgain(...tags), (error) => {
      toast(textOf(error));
      readAgain(...tags);
    }).finally(() => setHidden(false)), () => setHidden(false));
  };
  if (of.state === "cancelled") {
    return <Act label={words.restore} title={words.restore} text={words.restoreText} tags={tags} send={() => api.delete(`${base}/cancellation`, { market, id })} />;
  }
  if (of.state !== "waiting" || isHidden) return null;
  return (
    <>
      <Act label={words.change} title={words.change} tags={tags} fields={fieldsOf(of, titles, zone)} pointers={pointers}
        send={(values) => api.put(base, { market, id }, draftOf(values, zone), { seen })} />
      {may && <Button kind="danger" onTap={cancel}>{words.cancel}</Button>}
    </>
  );
};

/** A message as a phone shows it, in one of the languages. */
const Preview: Component<{ of: Notice; language: string }> = ({ of, language }) => (
  <div class="phone-preview" lang={language} dir={language === "ar" ? "rtl" : "ltr"}>
    <strong>{of.subject[language]}</strong>
    <p class="words">{of.content[language]}</p>
  </div>
);

const Reach: Component<{ of: Notice }> = ({ of }) => {
  const found = useGet("/notifications/v1/markets/{market}/notice-reach", { market: of.market, audience: of.audience as "all", title: of.title, language: of.language }, [`notice:${of.notice}`]);
  if (!found.value) return <>…</>;
  const count = number(found.value.people);
  return <>{found.value.isMore ? words.morePeople(count) : words.people(count)}</>;
};

/** One notice: its words as they are shown, whom it goes to, and how far it has gone. */
export const OneNotice: Component<{ notice: string }> = ({ notice: id }) => {
  const { market } = usePlace();
  const found = useGet(base, { market, id }, [`notice:${id}`]);
  return (
    <Detail title={found.value ? <bdi>{found.value.subject.en}</bdi> : words.notice} back="notices" of={found} acts={(one) => <Acts key={one.version} of={one} />}>
      {(one) => (
        <>
          <Facts of={[
            [words.state, <State of={one.state} />], [words.audience, <Audience of={one} />],
            [words.reach, one.state === "waiting" && <Reach of={one} />], [words.when, <When at={one.dueAt} exact />],
            [words.recipients, one.state !== "waiting" && one.state !== "cancelled" && words.people(number(one.recipients))],
            [words.ended, one.endedAt && <When at={one.endedAt} exact />],
            [words.by, <Who account={one.createdBy} />], [words.made, <When at={one.createdAt} exact />],
          ]} />
          <Part title={words.preview}>
            {Object.keys(one.content).sort().reverse().map((language) => <Preview key={language} of={one} language={language} />)}
          </Part>
        </>
      )}
    </Detail>
  );
};
