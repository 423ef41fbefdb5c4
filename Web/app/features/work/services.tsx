import type { Component } from "preact";
import { useState } from "preact";
import type { Dispatch } from "api-types";
import { api } from "../../../shared/api/client";
import { fieldId, Form, Submit, useForm } from "../../../shared/forms";
import { minorUnits, typedAmount } from "../../../shared/format";
import { useMarket } from "../../../shared/market";
import { invalidate, useGet } from "../../../shared/resources";
import { go } from "../../../shared/router";
import { Icon, Note, Screen, Section, Skeleton, toast } from "../../../shared/ui";
import { textOf } from "../../../shared/api/problem";
import type { ScreenProperties } from "../../features";
import { Picture } from "../care/picture";
import { words } from "./words";

type Values = Record<string, string | boolean | number | undefined>;
type Offering = Dispatch.OfferingList["offerings"][number];

const ServicesForm: Component<{ market: string; offered: Dispatch.OfferingList }> = ({ market, offered }) => {
  const { currency, offerings } = offered;
  const [faults, setFaults] = useState<Record<string, string>>({});
  const initial: Record<string, string | boolean> = {};
  for (const one of offerings) {
    initial[`on ${one.service}`] = one.chosen;
    initial[`price ${one.service}`] = one.price === undefined ? "" : typedAmount({ amount: one.price, currency });
  }
  const amount = (values: Values, one: Offering): number | undefined => minorUnits(String(values[`price ${one.service}`] ?? ""), currency);
  const chosen = (values: Values): Offering[] => offerings.filter((one) => values[`on ${one.service}`]);
  const form = useForm<Values, Dispatch.OfferingList>({
    initial,
    check: (values) => {
      const wrong = Object.fromEntries(chosen(values).filter((one) => !((amount(values, one) ?? 0) >= 1)).map((one) => [`price ${one.service}`, words.badPrice]));
      setFaults(wrong);
      return wrong;
    },
    send: (values) => api.put("/dispatch/v1/markets/{market}/offerings", { market }, {
      currency, offerings: chosen(values).map((one) => ({ service: one.service, price: amount(values, one) as number })),
    }),
    done: () => {
      invalidate("offerings", "availability");
      toast(words.saved);
      go("work");
    },
  });
  const field = (one: Offering): JSX.Element => {
    const name = `price ${one.service}`;
    const id = fieldId(form, name);
    form.label(name, words.price(one.name));
    return (
      <div key={one.service} class={faults[name] && form.faults[name] ? "card field wrong" : "card field"}>
        <label class="check">
          <input type="checkbox" checked={Boolean(form.values[`on ${one.service}`])} onChange={(event) => form.set(`on ${one.service}`, (event.target as HTMLInputElement).checked)} />
          <Picture image={one.image} />
          <span class="row-text"><span class="row-title">{one.name}</span>{one.brief && <span class="row-detail">{one.brief}</span>}</span>
        </label>
        {form.values[`on ${one.service}`] && (
          <>
            <label for={id} class="small">{words.price(one.name)}</label>
            <div class="input priced"><input id={id} inputMode="decimal" dir="ltr" autocomplete="off" value={String(form.values[name] ?? "")} aria-invalid={form.faults[name] ? "true" : undefined} aria-describedby={form.faults[name] ? `${id}-fault` : undefined}
              onInput={(event) => form.set(name, (event.target as HTMLInputElement).value)} /><span class="currency">{currency}</span></div>
            {form.faults[name] && <p class="fault" id={`${id}-fault`}><Icon name="warning" size={16} />{form.faults[name]}</p>}
          </>
        )}
      </div>
    );
  };
  const types = [...new Set(offerings.map((one) => one.typeName ?? ""))];
  return (
    <Screen title={words.services} back="work" footer={<Submit form={form}>{words.save}</Submit>}>
      <Form form={form}>
        {types.map((type) => (
          <Section key={type} title={type || undefined}>{offerings.filter((one) => (one.typeName ?? "") === type).map(field)}</Section>
        ))}
        {chosen(form.values).length === 0 && <Note>{words.noneChosen}</Note>}
      </Form>
    </Screen>
  );
};

/** What the provider does, and for how much. */
const MyServices: Component<ScreenProperties> = () => {
  const { id } = useMarket();
  const offered = useGet("/dispatch/v1/markets/{market}/offerings", { market: id }, ["offerings"]);
  if (offered.value && !offered.isOld) return <ServicesForm market={id} offered={offered.value} />;
  return <Screen title={words.services} back="work">{offered.error ? <Note tone="warning">{textOf(offered.error)}</Note> : <Skeleton kind="card" rows={3} />}</Screen>;
};
export default MyServices;
