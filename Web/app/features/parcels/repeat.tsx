import type { Children, Component } from "preact";
import { CheckField, FormState, SelectField } from "../../../shared/forms";
import { useGet } from "../../../shared/resources";
import { to } from "../../../shared/router";
import { Button } from "../../../shared/ui";
import { words } from "./repeat-words";
import type { When } from "./rule";

const Field = ({ label, children }: { label: string; children?: Children }): JSX.Element => <label class="field"><span>{label}</span>{children}</label>;
export type Paying = { pay: string; consent: boolean };

/** How often a parcel goes, from when on, and what pays each. */
const Repeat: Component<{ when: When; onChange: (when: When) => void; form: FormState<Paying>; price: string }> = ({ when, onChange, form, price }) => {
  const cards = useGet("/wallet/v1/cards", {}, ["cards"]).value?.items;
  const input = (name: "firstDay" | "time" | "until", type: string): JSX.Element => (
    <span class="input"><input type={type} value={when[name]} onInput={(event) => onChange({ ...when, [name]: (event.target as HTMLInputElement).value })} /></span>
  );
  return (
    <div class="stack">
      <fieldset class="field">
        <legend>{words.howOften}</legend>
        <div class="choices in-row">
          {(["daily", "weekly", "monthly"] as const).map((every) => (
            <label key={every} class="choice">
              <input type="radio" name="parcel-every" checked={when.every === every} onChange={() => onChange({ ...when, every })} />
              <span class="row-text">{words[every]}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <div class="pair"><Field label={words.firstDay}>{input("firstDay", "date")}</Field><Field label={words.atTime}>{input("time", "time")}</Field></div>
      <Field label={words.untilDay}>{input("until", "date")}</Field>
      <SelectField form={form} name="pay" label={words.payBy}
        options={[{ value: "wallet", label: words.byWallet }, ...(cards ?? []).map((card) => ({ value: card.card, label: words.byCard(card.brand, card.lastFour) }))]} />
      {cards?.length === 0 && <Button kind="quiet" icon="plus" href={to(`wallet/cards/add?to=${encodeURIComponent("send?step=price")}`)}>{words.addCard}</Button>}
      {form.values.pay !== "wallet" && <CheckField form={form} name="consent" label={words.consent(price)} />}
    </div>
  );
};

export default Repeat;
