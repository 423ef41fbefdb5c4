import type { Component } from "preact";
import { useState } from "preact";
import { textOf } from "../shared/api/problem";
import { useCell } from "../shared/cell";
import { pushState, turnPushOn } from "../shared/device/push";
import { session } from "../shared/session";
import { Button, Card, Note } from "../shared/ui";
import { catalogue } from "../shared/words";

const words = catalogue({
  order: { en: "Hear how it goes while this page is closed", ar: "تابع طلبك والصفحة مغلقة" },
  orderText: { en: "This device can tell you when somebody accepts, is near, or needs your word", ar: "يمكن لهذا الجهاز تنبيهك عند القبول أو الاقتراب أو الحاجة إلى ردك" },
  work: { en: "Hear of requests while this page is closed", ar: "اعرف بالطلبات والصفحة مغلقة" },
  workText: { en: "This device can ring when a request comes, as long as you are available", ar: "يمكن لهذا الجهاز تنبيهك عند وصول طلب ما دمت متاحًا" },
  on: { en: "Notify me", ar: "تفعيل التنبيهات" },
  later: { en: "Not now", ar: "ليس الآن" },
});

const days30 = 30 * 86_400_000;
const kept = (account: string): string => `serai-push-later-${account}`;

/** Offers messages on this device, where their reason is on the screen: an order that was made, work that is awaited. Whoever does not
 * want them is left alone for a month. */
export const PushAsk: Component<{ about: "order" | "work" }> = ({ about }) => {
  const state = useCell(pushState);
  const { account } = useCell(session);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const [isOver, setOver] = useState(false);
  if (!account || isOver || (state !== "off" && !fault)) return null;
  if (Date.now() - Number(localStorage.getItem(kept(account)) ?? 0) < days30) return null;
  const turnOn = (): void => {
    setBusy(true);
    setFault(undefined);
    turnPushOn().then(() => setOver(true), (error) => setFault(textOf(error))).finally(() => setBusy(false));
  };
  const later = (): void => {
    localStorage.setItem(kept(account), String(Date.now()));
    setOver(true);
  };
  return (
    <Card>
      <strong>{about === "order" ? words.order : words.work}</strong>
      <p class="muted">{about === "order" ? words.orderText : words.workText}</p>
      {fault && <Note tone="warning" live>{fault}</Note>}
      <div class="pair">
        <Button kind="second" onTap={later}>{words.later}</Button>
        <Button busy={isBusy} onTap={turnOn}>{words.on}</Button>
      </div>
    </Card>
  );
};
