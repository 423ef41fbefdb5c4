import type { Identity } from "api-types";
import type { Component } from "preact";
import { useEffect, useState } from "preact";
import { api } from "../../../shared/api/client";
import { textOf } from "../../../shared/api/problem";
import { dayName } from "../../../shared/format";
import { useGet } from "../../../shared/resources";
import { usePlace } from "../../../shared/router";
import { Badge, Button, Loaded, Note, toast } from "../../../shared/ui";
import { isolate, localized } from "../../../shared/words";
import { Act, Facts, Part, reasonField, save, When } from "../../kit";
import { stateName, words } from "./words";

export const stateTone = (state: string | undefined): "good" | "warning" | "danger" | "neutral" =>
  state === "verified" ? "good" : state === "waiting" ? "warning" : state === "rejected" || state === "lapsed" ? "danger" : "neutral";

type Document = Identity.Papers["documents"][number];

/** A document is asked for when somebody looks at it: each look is in the audit log. */
const Look: Component<{ account: string; document: Document; kind: string }> = ({ account, document: paper, kind }) => {
  const { market } = usePlace();
  const [picture, setPicture] = useState<string | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => () => { if (picture) URL.revokeObjectURL(picture); }, [picture]);
  const look = async (): Promise<void> => {
    setBusy(true);
    try {
      const found = await api.get("/identity/v1/markets/{market}/providers/{account}/documents/{document}", { market, account, document: paper.document });
      if (paper.mediaType.startsWith("image/")) setPicture(URL.createObjectURL(found));
      else save(found, `${paper.kind}.${paper.mediaType.split("/")[1]}`);
    } catch (error) {
      toast(textOf(error));
    } finally {
      setBusy(false);
    }
  };
  if (picture) return <img class="document" src={picture} alt={words.alt(kind)} />;
  return <Button kind="second" small busy={isBusy} onTap={() => void look()}>{paper.mediaType.startsWith("image/") ? words.look : words.file}</Button>;
};

const Paper: Component<{ account: string; paper: Document; name: string; expires: boolean }> = ({ account, paper, name, expires }) => {
  const { market } = usePlace();
  const send = (decision: "verify" | "reject", more: { reason?: string; expiresOn?: string }, key: string): Promise<unknown> =>
    api.post("/identity/v1/markets/{market}/providers/{account}/documents/{document}/decision", { market, account, document: paper.document }, { decision, ...more }, { key });
  const tags = ["papers", `papers:${account}`, `person:${account}`];
  return (
    <article class="card" aria-label={name}>
      <div class="line between"><strong>{name}</strong><Badge tone={stateTone(paper.state)}>{stateName(paper.state)}</Badge></div>
      <Facts of={[
        [words.uploaded, <When at={paper.uploadedAt} />], [words.expires, paper.expiresOn && dayName(paper.expiresOn)],
        [words.decided, paper.decidedAt && <When at={paper.decidedAt} />], [words.reason, paper.reason],
      ]} />
      <div class="act-buttons">
        <Look account={account} document={paper} kind={name} />
        {paper.state !== "verified" && (
          <Act small label={words.verify} title={words.verifyPaper(isolate(name))} tags={tags} look="primary"
            fields={expires ? [{ name: "expiresOn", label: words.expires, kind: "date" }] : []}
            send={(values, key) => send("verify", { expiresOn: expires ? String(values.expiresOn) : undefined }, key)} />
        )}
        {paper.state !== "rejected" && (
          <Act small label={words.reject} title={words.rejectPaper(isolate(name))} text={words.rejectPaperText} tags={tags} fields={[reasonField()]}
            send={(values, key) => send("reject", { reason: String(values.reason) }, key)} />
        )}
      </div>
    </article>
  );
};

/** What a provider has brought, with the decisions about each paper and about the person. */
export const Papers: Component<{ account: string; name: string; title?: string }> = ({ account, name, title }) => {
  const { market } = usePlace();
  const papers = useGet("/identity/v1/markets/{market}/providers/{account}/papers", { market, account, title }, ["papers", `papers:${account}`]);
  return (
    <Loaded of={papers}>
      {(found) => {
        const nameOf = (kind: string): string => { const asked = found.asked.find((one) => one.kind === kind); return asked ? localized(asked.name) : kind; };
        const state = found.provider.state ?? (found.provider.verified ? "verified" : "waiting");
        const tags = ["papers", "people", `papers:${account}`, `person:${account}`];
        const decide = (decision: "verify" | "reject", reason: string | undefined, key: string): Promise<unknown> =>
          api.post("/identity/v1/markets/{market}/providers/{account}/verification", { market, account }, { decision, reason, title: found.provider.title, version: found.version }, { key });
        return (
          <Part title={localized(found.provider.titleNames ?? { en: words.provider })} end={<Badge tone={stateTone(state)}>{stateName(state)}</Badge>}>
            {found.provider.reason && <p class="words">{found.provider.reason}</p>}
            {found.missing.length > 0 && <Note tone="warning"><strong>{words.missing}</strong> {found.missing.map(nameOf).join(", ")}</Note>}
            {found.typed && found.typed.length > 0 && <Facts label={words.details} of={found.typed.map((one) => [localized(one.name), <bdi>{one.valueName ? localized(one.valueName) : one.value}</bdi>])} />}
            {found.documents.length === 0 && found.asked.length > 0 && <p class="muted">{words.noDocuments}</p>}
            {found.documents.map((paper) => (
              <Paper key={paper.document} account={account} paper={paper} name={nameOf(paper.kind)} expires={found.asked.some((one) => one.kind === paper.kind && one.expires)} />
            ))}
            <div class="act-buttons">
              {state !== "rejected" && <Act label={words.reject} title={words.rejectPerson(isolate(name))} text={words.rejectText} look="danger" tags={tags} fields={[reasonField()]} send={(values, key) => decide("reject", String(values.reason), key)} />}
              {state !== "verified" && <Act label={words.verify} title={words.verifyPerson(isolate(name))} text={words.verifyText} look="primary" tags={tags} send={(_, key) => decide("verify", undefined, key)} />}
            </div>
          </Part>
        );
      }}
    </Loaded>
  );
};
