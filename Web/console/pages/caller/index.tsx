import type { Dispatch } from "api-types";
import type { Component } from "preact";
import { useState } from "preact";
import { ruleOf, weekdayOf } from "../../../app/features/care/calendar";
import { api } from "../../../shared/api/client";
import type { Coordinates } from "../../../shared/device/position";
import { ChoiceField, Form, LongTextField, SelectField, Submit, TextField, useForm } from "../../../shared/forms";
import { dayKey, Money, money } from "../../../shared/format";
import { MapView } from "../../../shared/map";
import { middle } from "../../../shared/map/place-picker";
import { useMarket } from "../../../shared/market";
import { useGet } from "../../../shared/resources";
import { go, to, usePlace } from "../../../shared/router";
import { useSettled } from "../../../shared/settled";
import { Button, Note, Skeleton, toast } from "../../../shared/ui";
import { momentOf } from "../../../shared/zone";
import { kitWords, optionsOf, Page, Part, readAgain, Who } from "../../kit";
import { useMay } from "../../rights";
import { words } from "./words";

interface Customer {
  account: string;
  name: string;
}

const FindCustomer: Component<{ onChoose: (customer: Customer) => void }> = ({ onChoose }) => {
  const { market } = usePlace();
  const [text, setText] = useState("");
  const name = useSettled(text.trim());
  const found = useGet("/identity/v1/markets/{market}/people", name.length > 1 ? { market, role: "customer", banned: false, name, limit: 10 } : null, ["people"]);
  return (
    <Part title={words.customer}>
      <label for="caller-name">{words.search}</label>
      <input id="caller-name" type="search" dir="auto" value={text} maxLength={100} onInput={(event) => setText((event.target as HTMLInputElement).value)} />
      {found.value && found.value.items.length === 0 && <p>{words.nobody}. <a href={to("people")}>{words.create}</a></p>}
      <ul class="choose-list">{found.value?.items.map((one) => <li key={one.account}><Button kind="second" onTap={() => onChoose(one)}>{`${one.name} · ${one.mobile ?? one.email ?? ""}`}</Button></li>)}</ul>
    </Part>
  );
};

/** A pin on the map; what is found by text moves the map there. */
const Where: Component<{ at: Coordinates; onMove: (at: Coordinates) => void }> = ({ at, onMove }) => {
  const { market } = usePlace();
  const [text, setText] = useState("");
  const [target, setTarget] = useState<Coordinates | undefined>(undefined);
  const asked = useSettled(text.trim());
  const found = useGet("/dispatch/v1/markets/{market}/places", asked.length > 1 ? { market, text: asked } : null);
  return (
    <>
      <label for="caller-place">{words.address}</label>
      <input id="caller-place" type="search" dir="auto" value={text} maxLength={100} onInput={(event) => setText((event.target as HTMLInputElement).value)} />
      <ul class="choose-list">{found.value?.items.filter((one) => one.served).map((one) => (
        <li key={one.name}><Button kind="second" onTap={() => { setTarget({ latitude: one.latitude, longitude: one.longitude }); onMove(one); setText(""); }}>{one.name}</Button></li>
      ))}</ul>
      <p class="muted">{words.pin}</p>
      <MapView centre={at} follow={target} pinsCentre zoom={13} onMove={onMove} />
    </>
  );
};

const CallForm: Component<{ customer: Customer; terms: NonNullable<ReturnType<typeof useMarket>["market"]> }> = ({ customer, terms }) => {
  const { market } = usePlace();
  const services = useGet("/dispatch/v1/markets/{market}/services", { market }, ["market"]).value?.items.flatMap((type) => type.services ?? []) ?? [];
  const partners = useGet("/identity/v1/markets/{market}/people", { market, role: "provider", banned: false, limit: 100 }, ["people"]).value?.items ?? [];
  const [chosen, setChosen] = useState<string[]>([]);
  const [at, setAt] = useState<Coordinates>(middle(terms.settings.serviceArea));
  const [agreed, setAgreed] = useState<Money | undefined>(undefined);
  const total: Money = agreed ?? { amount: services.filter((one) => chosen.includes(one.id ?? "")).reduce((sum, one) => sum + (one.price ?? 0), 0), currency: terms.currency };
  const form = useForm({
    initial: { description: "", when: "later", time: `${dayKey(Date.now() + 86_400_000)}T10:00`, every: "weekly", until: "", partner: "", payment: "later", services: "" },
    needed: ["description"],
    check: (values) => ({ services: chosen.length === 0 && words.needed, time: values.when !== "now" && !values.time && words.needed }),
    send: (values, key): Promise<Dispatch.Order | Dispatch.Series> => {
      const [day, clock] = values.time.split("T");
      const common = { services: chosen, preferred: values.partner || undefined, customer: customer.account };
      if (values.when === "series") {
        const rule = ruleOf({ kind: "series", every: values.every as "weekly", days: [weekdayOf(day)], monthDay: Number(day.slice(8)), firstDay: day, time: clock, until: values.until, skipped: [] });
        return api.post("/dispatch/v1/series", {}, { ...common, market, payment: values.payment === "card" ? "card" as const : "wallet" as const, latitude: at.latitude, longitude: at.longitude, description: values.description, rule, firstDay: day, time: clock, total: total.amount }, { key });
      }
      return api.post("/dispatch/v1/markets/{market}/visits", { market }, {
        ...common, place: { ...at, description: values.description }, total, payment: values.payment as "later", time: values.when === "later" ? momentOf(day, clock, terms.timeZone).toISOString() : undefined,
      }, { key });
    },
    done: (answer) => {
      const isSeries = "series" in answer;
      readAgain("orders", "desk", "series", `order:${isSeries ? answer.series : answer.order}`);
      toast(isSeries ? words.seriesBegun : words.ordered, { href: to("audit"), text: kitWords.inAudit });
      go(isSeries ? `series/${answer.series}` : `orders/${answer.order}`);
    },
    refused: (problem) => {
      if (problem.slug !== "price-changed") return false;
      setAgreed(problem.body.price as Money);
      return true;
    },
    pointers: { "/place": "description", "/time": "time", "/customer": "services", "/rule": "every", "/card": "payment" },
  });
  form.label("services", words.services);
  const isSeries = form.values.when === "series";
  return (
    <Form form={form} label={words.title}>
      <fieldset class="field" id={`${form.id}-services`} tabIndex={-1}>
        <legend>{words.services}</legend>
        {services.map((one) => (
          <label key={one.id} class="check">
            <input type="checkbox" checked={chosen.includes(one.id ?? "")} onChange={(event) => { setAgreed(undefined); form.set("services", ""); setChosen((event.target as HTMLInputElement).checked ? [...chosen, one.id ?? ""] : chosen.filter((id) => id !== one.id)); }} />
            <span>{one.name} · {money({ amount: one.price ?? 0, currency: terms.currency })}</span>
          </label>
        ))}
        {form.faults.services && <p class="fault">{form.faults.services}</p>}
      </fieldset>
      <Part title={words.where}><Where at={at} onMove={({ latitude, longitude }) => setAt({ latitude, longitude })} /></Part>
      <LongTextField form={form} name="description" label={words.description} maximum={500} hint={terms.freeTextNote} />
      <ChoiceField form={form} name="when" label={words.when} inRow options={optionsOf({ later: words.later, now: words.now, series: words.series })} />
      {form.values.when !== "now" && <TextField form={form} name="time" label={words.time} kind="datetime-local" />}
      {isSeries && <><SelectField form={form} name="every" label={words.every} options={optionsOf({ daily: words.daily, weekly: words.weekly, monthly: words.monthly })} /><TextField form={form} name="until" label={words.until} kind="date" optional /></>}
      <SelectField form={form} name="partner" label={words.partner} placeholder={words.anyone} options={partners.map((one) => ({ value: one.account, label: one.name }))} />
      <ChoiceField form={form} name="payment" label={words.payment} options={optionsOf(isSeries ? { wallet: words.wallet, card: words.card } : { later: words.payLater, wallet: words.wallet, card: words.card })} />
      {form.values.payment === "card" && <p class="muted">{words.cardText}</p>}
      {agreed && <Note tone="warning" live>{words.priceNow(money(agreed))}</Note>}
      <Submit form={form}>{total.amount > 0 ? words.sendFor(money(total)) : words.send}</Submit>
    </Form>
  );
};

/** A visit, or visits that come again, for somebody who calls. */
const Caller: Component = () => {
  const { market: terms } = useMarket();
  const may = useMay();
  const [customer, setCustomer] = useState<Customer | undefined>(undefined);
  if (!may) return <Page title={words.title}><Note>{kitWords.readsOnly}</Note></Page>;
  return (
    <Page title={words.title}>
      <div class="narrow">
        {!terms ? <Skeleton /> : !customer ? <FindCustomer onChoose={setCustomer} /> : (
          <>
            <Part title={words.customer} end={<Button kind="quiet" small onTap={() => setCustomer(undefined)}>{words.other}</Button>}><p><Who {...customer} /></p></Part>
            <CallForm customer={customer} terms={terms} />
          </>
        )}
      </div>
    </Page>
  );
};

export default Caller;
