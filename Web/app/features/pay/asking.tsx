import type { Wallet } from "api-types";
import type { Component } from "preact";
import { useState } from "preact";
import { api } from "../../../shared/api/client";
import { textOf } from "../../../shared/api/problem";
import { Asking } from "../../../shared/pay";
import { put } from "../../../shared/resources";
import { toast } from "../../../shared/ui";
import { words } from "./words";

/** The order's payment while its bank is asked. It can be given up for another way. */
export const AskingForOrder: Component<{ payment: Wallet.Payment; isBack: boolean }> = ({ payment, isBack }) => {
  const [isLeaving, setLeaving] = useState(false);
  const { order } = payment;
  const abandon = async (): Promise<void> => {
    setLeaving(true);
    try {
      put("/wallet/v1/orders/{order}/payment", { order }, await api.delete("/wallet/v1/orders/{order}/payment", { order }));
    } catch (error) {
      toast(textOf(error));
      setLeaving(false);
    }
  };
  return (
    <Asking id={order} action={payment.nextAction} method={payment.method} path={`pay/${order}?back=yes`} isBack={isBack} text={words.askingText}
      isLeaving={isLeaving} onAbandon={() => void abandon()} />
  );
};
