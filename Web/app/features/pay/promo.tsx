import type { Wallet } from "api-types";
import type { Component } from "preact";
import { useState } from "preact";
import { api } from "../../../shared/api/client";
import { money } from "../../../shared/format";
import { Form, Submit, TextField, useForm } from "../../../shared/forms";
import { isolate } from "../../../shared/words";
import { Button, Note } from "../../../shared/ui";
import { words } from "./words";

const Code: Component<{ order: string; onFound: (promotion: Wallet.Promotion) => void }> = ({ order, onFound }) => {
  const form = useForm({
    initial: { code: "" },
    needed: ["code"],
    send: (values) => api.get("/wallet/v1/orders/{order}/promotion", { order, code: values.code.trim() }),
    done: onFound,
  });
  return (
    <Form form={form} label={words.promo}>
      <TextField form={form} name="code" label={words.promo} maximum={32} autocomplete="off" />
      <Submit form={form} kind="second">{words.usePromo}</Submit>
    </Form>
  );
};

/** A promo code, asked for only of who has one. */
export const PromoCode: Component<{ order: string; found?: Wallet.Promotion; onFound: (promotion: Wallet.Promotion | undefined) => void }> = (
  { order, found, onFound },
) => {
  const [isOpen, setOpen] = useState(false);
  if (found) {
    return (
      <Note tone="good" live>
        <p>{words.promoCounts(isolate(found.code), money(found.discount))}</p>
        <Button kind="quiet" small onTap={() => { onFound(undefined); setOpen(false); }}>{words.promoAway}</Button>
      </Note>
    );
  }
  return isOpen ? <Code order={order} onFound={onFound} /> : <Button kind="quiet" icon="gift" onTap={() => setOpen(true)}>{words.havePromo}</Button>;
};
