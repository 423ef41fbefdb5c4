import type { Wallet } from "api-types";
import type { Component } from "preact";
import { useState } from "preact";
import { api } from "../../../shared/api/client";
import { textOf } from "../../../shared/api/problem";
import { CheckField, Form, FormState, Submit, TextField, useForm } from "../../../shared/forms";
import { useMarket } from "../../../shared/market";
import { CardFields, CardName, cardPart, cardPointers, CardValues, checkCard, checkExpiry, emptyCard, expiryOf, isExpired, monthAndYear, newCardPointers, payWords, storeCard } from "../../../shared/pay";
import { invalidate, useGet } from "../../../shared/resources";
import { back, go, to } from "../../../shared/router";
import { Badge, Button, Empty, List, Loaded, Note, Row, Screen, Switch, toast, undoable } from "../../../shared/ui";
import type { PartProperties } from "./index";
import { words } from "./words";

const useCards = () => useGet("/wallet/v1/cards", {}, ["cards"]);
/** Cards whose deletion can still be undone. */
const leaving = new Set<string>();

export const Cards: Component<PartProperties> = () => {
  const cards = useCards();
  return (
    <Screen title={words.cards} back="wallet" footer={<Button icon="plus" href={to("wallet/cards/add")}>{words.addCard}</Button>}>
      <Loaded of={cards}>
        {(found) => {
          const items = found.items.filter((card) => !leaving.has(card.card));
          return items.length === 0 ? <Empty icon="card" title={words.noCards} text={words.noCardsText} /> : (
            <List>
              {items.map((card) => (
                <Row key={card.card} icon="card" title={<CardName card={card} />} href={to(`wallet/cards/${card.card}`)}
                  detail={<><bdi>{card.holder}</bdi> · {isExpired(card.expiryMonth, card.expiryYear) ? payWords.hasExpired : payWords.expires(expiryOf(card))}</>}
                  end={card.isDefault ? <Badge tone="accent">{words.defaultCard}</Badge> : undefined} />
              ))}
            </List>
          );
        }}
      </Loaded>
    </Screen>
  );
};

/** A new card. `?to` is where one goes on afterwards. */
export const AddCard: Component<PartProperties> = ({ query }) => {
  const recurs = useMarket().market?.kinds.some((kind) => kind.kind === "homeCare");
  const form: FormState<CardValues & { consent: boolean }> = useForm<CardValues & { consent: boolean }, Wallet.Card>({
    initial: { ...emptyCard, consent: false },
    check: checkCard,
    pointers: newCardPointers,
    send: (values, key) => storeCard(values, key, values.consent),
    done: () => {
      toast(words.cardStored);
      const next = query.get("to");
      if (next) go(next, { replace: true });
      else back("wallet/cards");
    },
  });
  return (
    <Screen title={words.addCard} back="wallet/cards" footer={<Submit form={form}>{words.storeCard}</Submit>}>
      <Form form={form} label={words.addCard}>
        <CardFields form={cardPart(form)} />
        {recurs && <CheckField form={form} name="consent" label={words.consent} hint={words.consentText} />}
        <Note icon="lock">{payWords.cvvAgain}</Note>
      </Form>
    </Screen>
  );
};

const Change: Component<{ card: Wallet.Card }> = ({ card }) => {
  const [isBusy, setBusy] = useState(false);
  const recurs = useMarket().market?.kinds.some((kind) => kind.kind === "homeCare") || card.consentedAt !== undefined;
  const form = useForm({
    initial: { holder: card.holder, expiry: expiryOf(card) },
    needed: ["holder"],
    check: (values) => ({ expiry: checkExpiry(values.expiry) }),
    pointers: cardPointers,
    send: (values) => {
      const { month, year } = monthAndYear(values.expiry) as { month: number; year: number };
      return api.patch("/wallet/v1/cards/{card}", { card: card.card }, { holder: values.holder.trim(), expiryMonth: month, expiryYear: year });
    },
    done: () => {
      invalidate("cards");
      toast(words.saved);
      back("wallet/cards");
    },
  });
  const change = async (body: { isDefault?: true; consent?: boolean }): Promise<void> => {
    setBusy(true);
    try {
      await api.patch("/wallet/v1/cards/{card}", { card: card.card }, body);
      invalidate("cards");
    } catch (error) {
      toast(textOf(error));
    }
    setBusy(false);
  };
  const remove = (): void => {
    leaving.add(card.card);
    const restore = (): void => { leaving.delete(card.card); invalidate("cards"); };
    undoable(words.cardDeleted, () => api.delete("/wallet/v1/cards/{card}", { card: card.card, confirm: true }).then(() => invalidate("cards"), (error) => {
      restore();
      toast(textOf(error));
    }), restore);
    back("wallet/cards");
  };
  return (
    <Screen title={words.cards} back="wallet/cards" footer={<Submit form={form}>{words.saveChanges}</Submit>}>
      <p class="display"><CardName card={card} /></p>
      <Form form={form}>
        <TextField form={form} name="holder" label={payWords.holder} maximum={100} autocomplete="cc-name" />
        <TextField form={form} name="expiry" kind="digits" label={payWords.expiry} hint={payWords.expiryHint} autocomplete="cc-exp" maximum={7} />
      </Form>
      {card.isDefault ? <Note tone="good">{words.isDefault}</Note>
        : <Button kind="second" busy={isBusy} onTap={() => void change({ isDefault: true })}>{words.makeDefault}</Button>}
      {recurs && (
        <div class="card plain"><Switch on={card.consentedAt !== undefined} busy={isBusy} label={words.consent} detail={words.consentText} onChange={(on) => void change({ consent: on })} /></div>
      )}
      <Button kind="quiet" icon="trash" onTap={remove}>{words.deleteCard}</Button>
    </Screen>
  );
};

/** One card: its owner's name, date, whether it comes first, and its end. */
export const CardScreen: Component<PartProperties> = ({ id }) => {
  const cards = useCards();
  const card = cards.value?.items.find((one) => one.card === id);
  if (card) return <Change key={`${card.card} ${card.holder} ${expiryOf(card)}`} card={card} />;
  return (
    <Screen title={words.cards} back="wallet/cards">
      <Loaded of={cards}>{() => <Empty icon="card" title={words.gone}><Button href={to("wallet/cards")}>{words.cards}</Button></Empty>}</Loaded>
    </Screen>
  );
};
