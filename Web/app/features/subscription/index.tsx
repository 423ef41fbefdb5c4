import type { Wallet } from "api-types";
import type { Component } from "preact";
import { useState } from "preact";
import { api } from "../../../shared/api/client";
import { textOf } from "../../../shared/api/problem";
import { date, money } from "../../../shared/format";
import { CheckField, Form, FormState, Submit, useForm } from "../../../shared/forms";
import { useMarket } from "../../../shared/market";
import { Asking, begun, newCardPointers, checkWay, firstValues, instrument, PayValues, payPart, useWays, WayFields, wayIsShort, Ways } from "../../../shared/pay";
import { invalidate, put, useGet } from "../../../shared/resources";
import { go, to } from "../../../shared/router";
import { Badge, Button, Card, Empty, List, Loaded, Money, Note, Row, Screen, Section, Skeleton, Switch, toast } from "../../../shared/ui";
import type { ScreenProperties } from "../../features";
import { words } from "./words";

type BuyValues = PayValues & { renews: boolean };

/** `a month`, `for 10 days` */
const each = (plan: { period: string; periodText: string }): string =>
  plan.period === "monthly" ? words.monthly : plan.period === "yearly" ? words.yearly : words.lasts(plan.periodText);

const Buy: Component<{ market: string; plan: Wallet.Plan; ways: Ways }> = ({ market, plan, ways }) => {
  const form: FormState<BuyValues> = useForm<BuyValues, Wallet.Subscription>({
    initial: { ...firstValues(ways, plan.price), renews: true },
    check: checkWay,
    pointers: newCardPointers,
    send: async (values, key) => {
      const { method, card, cvvToken } = await instrument(payPart(form), values, key, plan.price);
      return api.post("/wallet/v1/markets/{market}/subscription", { market },
        { plan: plan.plan, price: plan.price.amount, period: plan.period, method: method as "wallet" | "card", card, cvvToken, renews: values.renews }, { key });
    },
    done: (answer) => {
      put("/wallet/v1/markets/{market}/subscription", { market }, answer);
      if (answer.isBeingPaid) begun.add(`subscription ${market}`);
      else toast(words.done);
      invalidate("wallet", "subscription");
      go("subscription", { replace: true });
    },
    refused: (problem) => { if (problem.slug === "plan-price-changed" || problem.slug === "plan-period-changed") invalidate("subscription"); },
  });
  const isShort = wayIsShort(form.values, ways, plan.price);
  const missing = { amount: plan.price.amount - (ways.wallet?.available ?? 0), currency: plan.price.currency };
  const next = isShort
    ? <Button href={to(`wallet/top-up?amount=${missing.amount}&to=${encodeURIComponent(`subscription?plan=${plan.plan}`)}`)}>{words.fill}</Button>
    : <Submit form={form}>{words.buy(money(plan.price))}</Submit>;
  return (
    <Screen title={words.title} back="subscription" footer={next}>
      <Card>
        <span class="row-title"><bdi>{plan.name}</bdi></span>
        <p class="amount"><Money value={plan.price} /> <span class="small muted">{each(plan)}</span></p>
        <p class="muted"><bdi>{plan.brief}</bdi></p>
      </Card>
      <Form form={form} label={words.title}>
        <WayFields form={payPart(form)} ways={ways} price={plan.price} />
        <CheckField form={form} name="renews" label={words.renewOption} />
        {isShort ? <Note tone="warning">{words.short(money(missing))}</Note> : <p class="hint">{words.chargedNow}</p>}
      </Form>
    </Screen>
  );
};

const State: Component<{ market: string; found: Wallet.Subscription }> = ({ market, found }) => {
  const [isBusy, setBusy] = useState(false);
  const renew = async (renews: boolean): Promise<void> => {
    setBusy(true);
    try {
      put("/wallet/v1/markets/{market}/subscription", { market },
        await api.put("/wallet/v1/markets/{market}/subscription/renewal", { market }, { renews, method: found.method, card: found.card }));
    } catch (error) {
      toast(textOf(error));
    }
    setBusy(false);
  };
  return (
    <>
      <div>
        <p class="display">{found.state === "none" ? words.none : found.state === "active" ? words.active(date(found.endsAt as string)) : words.expired(date(found.endsAt as string))}</p>
        {found.plan && <p class="muted"><bdi>{found.plan.name}</bdi> · <Money value={found.plan.price} /> {each(found.plan)}</p>}
      </div>
      {found.isRequired && found.state !== "active" && <Note tone="warning">{words.isRequired}</Note>}
      {found.state === "active" && found.plan && found.method && (
        <div class="list"><Switch on={found.renews} busy={isBusy} label={words.renews} onChange={(on) => void renew(on)}
          detail={!found.renews ? words.renewsOff : found.method === "card" ? words.renewsCard(money(found.plan.price)) : words.renewsWallet(money(found.plan.price))} /></div>
      )}
    </>
  );
};

/** The subscription of a provider: how it stands, its renewal, and the plans. `?plan=` is the one being bought. */
const Subscription: Component<ScreenProperties> = ({ query }) => {
  const { id: market, market: terms } = useMarket();
  const subscription = useGet("/wallet/v1/markets/{market}/subscription", { market }, ["subscription", "wallet"]);
  const plans = useGet("/wallet/v1/markets/{market}/subscription-plans", { market }, ["subscription"]);
  const methods = terms?.settings.paymentMethods?.filter((method) => method === "card" || method === "wallet");
  const chosen = plans.value?.items.find((plan) => plan.plan === query.get("plan"));
  const ways = useWays(methods, terms && { amount: chosen?.price.amount ?? 0, currency: terms.currency });
  if (chosen && !ways.isLoading) return <Buy key={chosen.plan} market={market} plan={chosen} ways={ways} />;
  return (
    <Screen title={words.title} back="me">
      {chosen ? <Skeleton kind="card" rows={3} /> : (
        <>
          <Loaded of={subscription} skeleton={<Skeleton kind="card" />}>
            {(found) => (found.isBeingPaid && (found.nextAction || found.state !== "active")
              ? <Asking id={`subscription ${market}`} action={found.nextAction} method="card" path="subscription?back=yes" isBack={query.has("back")} />
              : <State market={market} found={found} />)}
          </Loaded>
          <Section title={words.plans}>
            <Loaded of={plans}>
              {(found) => (found.items.length === 0 ? <Empty icon="calendar" title={words.noPlans} /> : (
                <List>
                  {found.items.filter((plan) => !plan.endedAt).map((plan) => (
                    <Row key={plan.plan} title={<bdi>{plan.name}</bdi>} detail={<bdi>{plan.brief}</bdi>} href={to(`subscription?plan=${plan.plan}`)}
                      end={<span class="stack tight"><span><strong><Money value={plan.price} /></strong> <span class="small muted">{each(plan)}</span></span>
                        {subscription.value?.plan?.plan === plan.plan && subscription.value.state === "active" && <Badge tone="accent">{words.current}</Badge>}</span>} />
                  ))}
                </List>
              ))}
            </Loaded>
          </Section>
        </>
      )}
    </Screen>
  );
};

export default Subscription;
