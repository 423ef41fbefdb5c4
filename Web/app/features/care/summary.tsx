import type { Component } from "preact";
import { useEffect, useState } from "preact";
import { api } from "../../../shared/api/client";
import { CheckField, Form, SelectField, Submit, TextField, useForm } from "../../../shared/forms";
import { dayName, duration, list as joined, Money as Price, money } from "../../../shared/format";
import { lazy } from "../../../shared/lazy";
import { useMarket } from "../../../shared/market";
import { invalidate, useGet } from "../../../shared/resources";
import { go, to } from "../../../shared/router";
import { Button, Empty, List, Money, Note, Row, Screen, Section, Skeleton } from "../../../shared/ui";
import type { ScreenProperties } from "../../features";
import { firstDays, momentOfWhen, ruleOf, whenInWords } from "./calendar";
import { change, Draft, sent, useDraft } from "./draft";
import { PlaceRow, usePlaceOfDraft } from "./place-row";
import { Picture } from "./picture";
import { Service, totalOf, useServices } from "./services";
import { words } from "./visit-words";
import { words as common } from "./words";

const Relatives = lazy(() => import("./relatives"), true);
const Partners = lazy(() => import("./partners"), true);

interface Parts {
  draft: Draft;
  chosen: Service[];
  market: NonNullable<ReturnType<typeof useMarket>["market"]>;
}

const seriesOf = (draft: Draft): Extract<Draft["when"], { kind: "series" }> | undefined => (draft.when?.kind === "series" ? draft.when : undefined);

async function send({ draft, market }: Parts, values: { note: string; pay: string; consent: boolean }, total: Price | undefined, key: string): Promise<string> {
  const { place, when } = draft;
  if (!place || !when) throw new Error("nothing to send");
  const description = [place.address ?? place.name, values.note.trim()].filter(Boolean).join(", ").slice(0, 500);
  if (when.kind === "series") {
    const card = values.pay === "wallet" ? undefined : values.pay;
    const made = await api.post("/dispatch/v1/series", {}, {
      market: market.id, services: draft.services, latitude: place.latitude, longitude: place.longitude, description, preferred: draft.preferred?.account,
      recipient: draft.relative?.account, rule: ruleOf(when), firstDay: when.firstDay, time: when.time, exceptions: when.skipped, total: total?.amount,
      payment: card ? "card" : "wallet", card, consent: card ? values.consent : undefined,
    }, { key });
    return `series/${made.series}`;
  }
  const order = await api.post("/dispatch/v1/markets/{market}/visits", { market: market.id }, {
    services: draft.services, place: { latitude: place.latitude, longitude: place.longitude, description }, preferred: draft.preferred?.account, relative: draft.relative?.account,
    total, time: when.kind === "later" ? momentOfWhen(when, market.timeZone).toISOString() : undefined,
  }, { key });
  return `o/${order.order}`;
}

const SummaryForm: Component<Parts> = (parts) => {
  const { draft, chosen, market } = parts;
  const place = usePlaceOfDraft();
  const series = seriesOf(draft);
  const cards = useGet("/wallet/v1/cards", series ? {} : null, ["cards"]);
  const [open, setOpen] = useState<"whom" | "partner" | undefined>(undefined);
  const close = (): void => setOpen(undefined);
  const [agreed, setAgreed] = useState<Price | undefined>(undefined);
  const total = agreed ?? totalOf(chosen, market.currency);
  const price = total ? money(total) : "";
  const form = useForm({
    initial: { note: draft.note, pay: "wallet", consent: false, place: "" },
    check: (values) => ({ place: !place && words.missing, consent: Boolean(series) && values.pay !== "wallet" && !values.consent && words.missing }),
    send: (values, key) => send(parts, values, total, key),
    done: (path, values) => {
      change({ note: values.note });
      sent();
      invalidate("orders", "series");
      go(path, { replace: true });
    },
    refused: (problem) => {
      const now = problem.slug === "price-changed" ? (problem.body.price as typeof total) : undefined;
      if (!now) return false;
      setAgreed(now);
      return true;
    },
    pointers: { "/place": "place", "/latitude": "place", "/services": "place", "/time": "place", "/card": "pay" },
  });
  form.label("place", common.place);
  const minutes = chosen.reduce((sum, one) => sum + (one.minutes ?? 0), 0);
  return (
    <Screen title={words.summary} back="care/when" footer={<Submit form={form}>{series ? words.orderSeries(price) : words.order(price)}</Submit>}>
    <Form form={form}>
      <Section title={common.services}>
        <List>{chosen.map((one) => <Row key={one.id} start={<Picture image={one.image} />} title={one.name} end={one.price !== undefined && <Money value={{ amount: one.price, currency: market.currency }} />} />)}</List>
      </Section>
      <List>
        <Row icon={series ? "repeat" : "clock"} title={words.whenRow} detail={whenInWords(draft.when)} href={to("care/when")} />
        <PlaceRow />
        <Row icon="person" title={words.forWhom} detail={draft.relative ? <bdi>{draft.relative.name}</bdi> : words.myself} onTap={() => setOpen("whom")} />
        <Row icon="heart" title={words.partner} detail={draft.preferred ? <bdi>{draft.preferred.name}</bdi> : words.anyone} onTap={() => setOpen("partner")} />
      </List>
      {form.faults.place && <Note tone="danger" icon="warning">{form.faults.place}</Note>}
      <TextField form={form} name="note" label={words.findNote} hint={words.findHint} optional maximum={300} />
      {series && (
        <>
          <SelectField form={form} name="pay" label={words.payBy} options={[{ value: "wallet", label: words.wallet }, ...(cards.value?.items ?? []).map((card) => ({ value: card.card, label: words.card(card.brand, card.lastFour) }))]} />
          {cards.value?.items.length === 0 && <Button kind="quiet" icon="plus" href={to("wallet/cards")}>{words.addCard}</Button>}
          {form.values.pay !== "wallet" && <CheckField form={form} name="consent" label={words.consent(price)} />}
        </>
      )}
      <Note icon="shield">{market.freeTextNote ?? words.noMedical}</Note>
      <div class="stack tight">
        <div class="line between"><strong>{series ? words.perVisit : words.total}</strong><strong>{price}</strong></div>
        <p class="muted small">{words.visitOf(chosen.map((one) => one.name).join(" · "), duration(minutes * 60))}</p>
        {series && <p class="muted small">{words.firstVisits(joined(firstDays(series, 3).map(dayName)))}</p>}
        <p class="muted small">{series ? words.paySeries : words.payNext}</p>
      </div>
      {agreed && <Note tone="warning" live>{words.priceChanged(price)}</Note>}
    </Form>
      {open === "whom" && <Relatives market={market.id as string} value={draft.relative} onClose={close} onChoose={(relative) => { change({ relative }); close(); }} />}
      {open === "partner" && (
        <Partners market={market.id as string} services={draft.services} value={draft.preferred} onClose={close} onChoose={(preferred) => { change({ preferred }); close(); }} />
      )}
    </Screen>
  );
};

/** All of the order on one screen, each part to be changed, and what it costs. */
const Summary: Component<ScreenProperties> = () => {
  const draft = useDraft();
  useEffect(() => { if (draft.services.length && !draft.when) go("care/when", { replace: true }); }, [draft.when]);
  const { list, market } = useServices();
  const chosen = (list ?? []).filter((one) => draft.services.includes(one.id));
  if (!draft.services.length) return <Screen title={words.summary} back=""><Empty icon="care" title={common.nothing}><Button href={to("")}>{common.toServices}</Button></Empty></Screen>;
  return market && list && draft.when ? <SummaryForm draft={draft} chosen={chosen} market={market} />
    : <Screen title={words.summary} back="care/when"><Skeleton rows={5} /></Screen>;
};

export default Summary;
