import type { Component } from "preact";
import { useState } from "preact";
import type { Dispatch, Wallet } from "api-types";
import { api } from "../../../shared/api/client";
import { textOf } from "../../../shared/api/problem";
import { CheckField, Form, SelectField, Submit, TextField, useForm } from "../../../shared/forms";
import { dayAndTime, dayKey, dayName, money } from "../../../shared/format";
import { invalidate, useGet } from "../../../shared/resources";
import { to } from "../../../shared/router";
import { ask, Badge, Button, Empty, List, Loaded, Note, Row, Screen, Section, Sheet, toast, uiWords } from "../../../shared/ui";
import { clockOf } from "../../../shared/zone";
import type { ScreenProperties } from "../../features";
import { Support } from "../../support";
import { ruleInWords } from "../care/calendar";
import { words as careWords } from "../care/visit-words";
import { words } from "./words";

type Visit = Dispatch.SeriesVisit;
type Series = Dispatch.Series;

const tone = { planned: "neutral", requested: "good", skipped: "neutral", refused: "danger", missed: "danger" } as const;

const Move: Component<{ series: Series; visit: Visit; onClose: () => void }> = ({ series, visit, onClose }) => {
  const form = useForm({
    initial: { day: dayKey(visit.startsAt), time: clockOf(visit.startsAt, series.timeZone) },
    needed: ["day", "time"],
    send: (values) => api.put("/dispatch/v1/series/{id}/visits/{day}", { id: series.series, day: visit.day }, values),
    done: () => {
      invalidate(`visits:${series.series}`);
      toast(words.movedNow);
      onClose();
    },
  });
  return (
    <Sheet title={words.move} onClose={onClose}>
      <Form form={form}>
        <TextField form={form} name="day" kind="date" label={words.day} min={dayKey(Date.now())} />
        <TextField form={form} name="time" kind="time" label={words.time} />
        <Submit form={form}>{words.save}</Submit>
      </Form>
    </Sheet>
  );
};

/** What can be done with one visit that is not ordered yet. */
const VisitSheet: Component<{ series: Series; visit: Visit; onMove: () => void; onClose: () => void }> = ({ series, visit, onMove, onClose }) => {
  const skip = async (): Promise<void> => {
    onClose();
    if (!(await ask({ title: series.parcel ? words.skipParcelAsk(dayName(visit.day)) : words.skipAsk(dayName(visit.day)), text: words.skipText, yes: series.parcel ? words.skipParcel : words.skip, danger: true }))) return;
    try {
      await api.post("/dispatch/v1/series/{id}/visits/{day}/skip", { id: series.series, day: visit.day }, undefined);
      toast(series.parcel ? words.skippedParcel : words.skippedNow);
    } catch (error) {
      toast(textOf(error));
    }
    invalidate(`visits:${series.series}`);
  };
  return (
    <Sheet title={dayAndTime(visit.startsAt)} onClose={onClose}>
      <List>
        <Row icon="clock" title={words.move} onTap={onMove} />
        {visit.state === "planned" && <Row icon="close" title={series.parcel ? words.skipParcel : words.skip} onTap={() => void skip()} />}
      </List>
    </Sheet>
  );
};

const Visits: Component<{ series: Series }> = ({ series }) => {
  const id = series.series;
  const [limit, setLimit] = useState(20);
  const visits = useGet("/dispatch/v1/series/{id}/visits", { id, limit }, [`visits:${id}`, "orders"]);
  const [open, setOpen] = useState<{ visit: Visit; isMoving: boolean } | undefined>(undefined);
  const canChange = (visit: Visit): boolean => series.state === "active" && (visit.state === "planned" || visit.state === "refused");
  const detail = (visit: Visit): string | undefined =>
    visit.reasonText ?? (visit.paymentState === "unpaid" && visit.payUntil && visit.orderState === "pending" ? words.unpaid(dayAndTime(visit.payUntil))
      : visit.moved ? words.moved : undefined);
  return (
    <Section title={series.parcel ? words.parcelCalendar : words.calendar}>
      <Loaded of={visits}>
        {(found) => found.items.length === 0 ? <Empty icon="calendar" title={series.parcel ? words.noneToCome : words.noVisits} /> : (
          <>
            <List label={series.parcel ? words.parcelCalendar : words.calendar}>
              {found.items.map((visit) => (
                <Row key={visit.day} icon="calendar" title={dayAndTime(visit.startsAt)} detail={<>{detail(visit)}<span class="row-state"><Badge tone={tone[visit.state] ?? "neutral"}>{words[visit.state] ?? visit.stateText}</Badge></span></>}
                  href={visit.order ? to(`o/${visit.order}`) : undefined} onTap={canChange(visit) ? () => setOpen({ visit, isMoving: false }) : undefined} />
              ))}
            </List>
            {found.items.length === limit && limit < 100 && <Button kind="second" onTap={() => setLimit(100)}>{words.more}</Button>}
          </>
        )}
      </Loaded>
      {open && (open.isMoving ? <Move series={series} visit={open.visit} onClose={() => setOpen(undefined)} />
        : <VisitSheet series={series} visit={open.visit} onMove={() => setOpen({ ...open, isMoving: true })} onClose={() => setOpen(undefined)} />)}
    </Section>
  );
};

/** Pays the visits to come in another way. */
const PaySheet: Component<{ series: Series; cards: Wallet.Card[]; onClose: () => void }> = ({ series, cards, onClose }) => {
  const price = series.price ?? series.agreedPrice;
  const form = useForm({
    initial: { pay: series.card ?? "wallet", consent: false },
    check: (values) => ({ consent: values.pay !== "wallet" && !values.consent && uiWords.needed }),
    send: (values) => api.put("/dispatch/v1/series/{id}/payment", { id: series.series }, values.pay === "wallet" ? { payment: "wallet" } : { payment: "card", card: values.pay, consent: true }),
    done: () => {
      invalidate("series", `visits:${series.series}`);
      toast(words.paidNow);
      onClose();
    },
    refused: (problem) => { if (problem.slug === "price-changed") invalidate("series"); },
    pointers: { "/card": "pay" },
  });
  return (
    <Sheet title={words.payOther} onClose={onClose}>
      <Form form={form} label={words.payOther}>
        <SelectField form={form} name="pay" label={words.paidBy}
          options={[{ value: "wallet", label: words.wallet }, ...cards.map((card) => ({ value: card.card, label: careWords.card(card.brand, card.lastFour) }))]} />
        {cards.length === 0 && <Button kind="quiet" icon="plus" href={to(`wallet/cards/add?to=series/${series.series}`)}>{careWords.addCard}</Button>}
        {form.values.pay !== "wallet" && price && <CheckField form={form} name="consent" label={careWords.consent(money(price))} />}
        <Submit form={form}>{words.save}</Submit>
      </Form>
    </Sheet>
  );
};

async function agree(series: Series): Promise<void> {
  if (!series.price) return;
  try {
    await api.put("/dispatch/v1/series/{id}/price", { id: series.series }, { total: series.price.amount, currency: series.price.currency });
  } catch (error) {
    toast(textOf(error));
  }
  invalidate("series", `visits:${series.series}`);
}

async function end(series: Series): Promise<void> {
  if (!(await ask({ title: series.parcel ? words.endParcelsAsk : words.endAsk, text: series.parcel ? words.endParcelsText : words.endText, yes: series.parcel ? words.endParcels : words.end, danger: true }))) return;
  try {
    await api.post("/dispatch/v1/series/{id}/end", { id: series.series }, undefined);
    toast(series.parcel ? words.endedParcels : words.endedNow);
  } catch (error) {
    toast(textOf(error));
  }
  invalidate("series", `visits:${series.series}`);
}

/** One series: its rule, its price, its calendar. */
const OneSeries: Component<ScreenProperties> = ({ params }) => {
  const found = useGet("/dispatch/v1/series/{id}", { id: params.series }, ["series"]);
  const cards = useGet("/wallet/v1/cards", {}, ["cards"]).value?.items;
  const [isPaying, setPaying] = useState(false);
  return (
    <Screen title={found.value?.parcel ? words.parcels : words.title} back="series">
      <Loaded of={found}>
        {(series) => {
          const card = cards?.find((one) => one.card === series.card);
          return (
            <>
              <div class="order-state">
                <p class="display">{ruleInWords(series.rule, series.time)}</p>
                <p class="muted"><bdi>{series.parcel?.name ?? series.services.map((one) => one.name).join(" · ")}</bdi></p>
                {series.warnings?.map((one) => <Note key={one.code} tone="warning">{one.text}</Note>)}
                {series.state === "ended" && <Note>{series.endedReasonText ?? words.ended}</Note>}
              </div>
              {series.needsAgreement && series.price && series.agreedPrice && (
                <Note tone="warning"><div class="stack tight"><span>{words.rose(money(series.agreedPrice), money(series.price))}</span>
                  <Button onTap={() => void agree(series)}>{words.agree(money(series.price))}</Button></div></Note>
              )}
              <dl class="facts card">
                {series.agreedPrice && <><dt>{series.parcel ? words.eachParcel : words.price}</dt><dd>{money(series.agreedPrice)}</dd></>}
                <dt>{words.paidBy}</dt><dd>{series.payment === "wallet" ? words.wallet : card ? <bdi dir="ltr">{card.brand} …{card.lastFour}</bdi> : words.card}</dd>
                {series.description && <><dt>{words.where}</dt><dd><bdi>{series.description}</bdi></dd></>}
                {series.parcel?.destination.description && <><dt>{words.to}</dt><dd><bdi>{series.parcel.destination.description}</bdi></dd></>}
                <dt>{words.first}</dt><dd>{dayName(series.firstDay)}</dd>
              </dl>
              {series.state === "active" && cards && <Button kind="second" icon="card" onTap={() => setPaying(true)}>{words.payOther}</Button>}
              {isPaying && <PaySheet series={series} cards={cards ?? []} onClose={() => setPaying(false)} />}
              <Visits series={series} />
              {series.state === "active" && <Button kind="second" icon="close" onTap={() => void end(series)}>{series.parcel ? words.endParcels : words.end}</Button>}
              <Support />
            </>
          );
        }}
      </Loaded>
    </Screen>
  );
};
export default OneSeries;
