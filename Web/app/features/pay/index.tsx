import type { Dispatch, Wallet } from "api-types";
import type { Component } from "preact";
import { useEffect } from "preact";
import { textOf, Problem } from "../../../shared/api/problem";
import { useMarket } from "../../../shared/market";
import { useWays } from "../../../shared/pay";
import { useGet } from "../../../shared/resources";
import { go, to } from "../../../shared/router";
import { Button, Empty, Screen, Skeleton, uiWords } from "../../../shared/ui";
import type { ScreenProperties } from "../../features";
import { PayForm } from "./form";
import { AskingForOrder } from "./asking";
import { words } from "./words";

/** The payment of the order. The wallet hears of an order a moment later than its customer: until then it is asked again. */
function usePayment(order: string) {
  const payment = useGet("/wallet/v1/orders/{order}/payment", { order }, [`payment:${order}`, `order:${order}`]);
  const isUnknown = payment.value ? payment.value.state === "requested" : payment.error instanceof Problem && payment.error.status === 404;
  useEffect(() => {
    if (!isUnknown) return undefined;
    let count = 0;
    const timer = setInterval(() => {
      if (++count > 12) clearInterval(timer);
      else void payment.reload();
    }, 1000);
    return () => clearInterval(timer);
  }, [isUnknown]);
  return { ...payment, isUnknown };
}

const Frame: Component<{ order: string }> = ({ order, children }) => <Screen title={words.title} back={`o/${order}`}>{children}</Screen>;

const Over: Component<{ title: string; text?: string; order: string }> = ({ title, text, order }) => (
  <Frame order={order}><Empty icon="wallet" title={title} text={text}><Button href={to(`o/${order}`)}>{words.toOrder}</Button></Empty></Frame>
);

const Failed: Component<{ order: string; error: unknown; onRetry: () => void }> = ({ order, error, onRetry }) => (
  <Frame order={order}><Empty icon="offline" title={textOf(error)}><Button kind="second" onTap={onRetry}>{uiWords.retry}</Button></Empty></Frame>
);

const Wait: Component<{ order: string }> = ({ order, children }) => <Frame order={order}>{children}<Skeleton kind="card" rows={3} /></Frame>;

const Body: Component<{ order: Dispatch.Order; payment: Wallet.Payment; methods: string[] | undefined; isBack: boolean }> = ({ order, payment, methods, isBack }) => {
  const ways = useWays(methods, payment.amount);
  const id = order.order;
  if (payment.amount.amount === 0) return <Over title={words.free} text={words.freeText} order={id} />;
  if (payment.state === "released" || payment.state === "closed") return <Over title={words.over} text={words.overText} order={id} />;
  if (payment.state === "authorising") return <Frame order={id}><AskingForOrder payment={payment} isBack={isBack} /></Frame>;
  if (ways.isLoading) return ways.error ? <Failed order={id} error={ways.error} onRetry={() => void ways.reload()} /> : <Wait order={id} />;
  return <PayForm order={order} payment={payment} ways={ways} />;
};

/** The payment of one order: how, what is held, and what came of it. Whoever has paid is led on to the order. */
const Pay: Component<ScreenProperties> = ({ params, query }) => {
  const id = params.order;
  const { market } = useMarket();
  const order = useGet("/dispatch/v1/orders/{id}", { id }, [`order:${id}`]);
  const payment = usePayment(id);
  const isPaid = payment.value && !payment.isOld && (payment.value.state === "held" || payment.value.state === "captured");
  useEffect(() => {
    if (isPaid) go(`o/${id}`, { replace: true });
  }, [isPaid]);
  if (order.value && (order.value.role !== "customer" || order.value.isOnlySeen)) return <Over title={words.notYours} order={id} />;
  if (order.error && !order.value) return <Failed order={id} error={order.error} onRetry={() => void order.reload()} />;
  if (isPaid || !order.value) return <Wait order={id} />;
  if (payment.value && !payment.isUnknown) return <Body order={order.value} payment={payment.value} methods={market?.settings.paymentMethods} isBack={query.has("back")} />;
  if (payment.error && !payment.isUnknown) return <Failed order={id} error={payment.error} onRetry={() => void payment.reload()} />;
  return <Wait order={id}><p class="muted" role="status">{words.preparing}</p></Wait>;
};

export default Pay;
