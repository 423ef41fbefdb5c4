import type { Component } from "preact";
import { useEffect, useState } from "preact";
import type { Notifications } from "api-types";
import { api } from "../../../shared/api/client";
import { textOf } from "../../../shared/api/problem";
import { ago, dayAndTime } from "../../../shared/format";
import { More, usePages } from "../../../shared/pages";
import { invalidate } from "../../../shared/resources";
import { to } from "../../../shared/router";
import { catalogue } from "../../../shared/words";
import { Button, Empty, IconButton, List, Loaded, Row, Screen, Sheet, Skeleton, toast, undoable } from "../../../shared/ui";
import type { ScreenProperties } from "../../features";

const words = catalogue({
  title: { en: "Inbox", ar: "الإشعارات" },
  empty: { en: "Nothing new", ar: "لا جديد" },
  emptyText: { en: "News of your orders and of your money come here", ar: "هنا تصلك أخبار طلباتك وأموالك" },
  clear: { en: "Delete all", ar: "حذف الكل" },
  cleared: { en: "The inbox is empty", ar: "تم حذف الإشعارات" },
  more: { en: "Show older ones", ar: "عرض الأقدم" },
  close: { en: "Close", ar: "إغلاق" },
  unread: { en: "Unread", ar: "غير مقروء" },
});

function iconOf(topic: string): string {
  if (/^(payment|wallet|fine|deposit)/.test(topic)) return "wallet";
  if (/^(provider|account|title|link|group)/.test(topic)) return "person";
  if (topic.startsWith("general")) return "info";
  if (topic.startsWith("webhook")) return "key";
  if (topic.startsWith("call")) return "phone";
  if (/^(talk|inquiry)/.test(topic)) return "chat";
  if (/cancel|refused|expired|missed|undecided|reported/.test(topic)) return "warning";
  if (topic.startsWith("series")) return "repeat";
  return /^hire|drop-off/.test(topic) ? "bike" : /meal/.test(topic) ? "food" : "orders";
}

/** What an item opens: its order, or what it is about. */
function hrefOf({ order, inquiry, topic }: Notifications.InboxItem): string | undefined {
  if (inquiry) return to(`talk/${inquiry}`);
  if (order) return to(`o/${order}`);
  const pages: [RegExp, string][] = [
    [/^wallet\.card-/, "wallet/cards"], [/^wallet\.cash-out/, "wallet/cash-outs"], [/^(wallet\.subscription|provider\.not-subscribed)/, "subscription"],
    [/^(fine\.(charged|reminder)|account\.(un)?blocked)/, "wallet/fines"], [/^(wallet|payment|deposit|fine)\./, "wallet"],
    [/^account\.deletion/, "me/data"], [/^webhook\./, "keys"], [/^provider\./, "papers/"], [/^title\./, "me"], [/^(order|hire)\./, "orders"],
  ];
  if (topic.startsWith("series.")) return to("series", /parcel/.test(topic) ? "carrepsa" : "edencare");
  if (/^(link\..*friend|group)/.test(topic)) return to("friends", "hajji");
  if (/^link\.(agreed|.*family)/.test(topic)) return to("family", "edencare");
  const page = pages.find(([pattern]) => pattern.test(topic));
  return page && to(page[1]);
}

/** A notice to all may be long: the list has its first words, and the whole of it opens. */
const beginning = (text: string): string => {
  const line = text.split("\n")[0];
  return line === text && text.length <= 140 ? text : `${line.slice(0, 140).trimEnd()}…`;
};

const Whole: Component<{ item: Notifications.InboxItem; onClose: () => void }> = ({ item, onClose }) => (
  <Sheet title={item.subject} onClose={onClose}>
    <p class="whole-text" dir="auto">{item.content}</p>
    <p class="muted small"><time dateTime={item.at}>{dayAndTime(item.at)}</time></p>
    <Button kind="second" onTap={onClose}>{words.close}</Button>
  </Sheet>
);

const Item: Component<{ item: Notifications.InboxItem; onOpen: () => void }> = ({ item, onOpen }) => {
  const isGeneral = item.topic.startsWith("general.");
  const text = <>{isGeneral ? beginning(item.content) : item.content}<br /><time dateTime={item.at} title={dayAndTime(item.at)}>{ago(item.at)}</time></>;
  return (
    <Row icon={iconOf(item.topic)} title={item.subject} detail={text} href={hrefOf(item)} onTap={isGeneral ? onOpen : undefined}
      end={item.read ? undefined : <span class="unread" role="img" aria-label={words.unread} />} />
  );
};

/** What has happened, the newest first. What is seen here is read. */
const Inbox: Component<ScreenProperties> = () => {
  const pages = usePages("/notifications/v1/inbox", { limit: 30 }, ["inbox"], (item) => item.id);
  const { first } = pages;
  const [isGone, setGone] = useState(false);
  const [opened, setOpened] = useState<Notifications.InboxItem | undefined>(undefined);
  const hasUnread = first.value?.items.some((item) => !item.read) ?? false;

  // Read when the screen is left, or after a while: the marks stay to be seen until then.
  useEffect(() => {
    if (!hasUnread || first.isOld) return undefined;
    let isMarked = false;
    const mark = (): void => {
      if (isMarked) return;
      isMarked = true;
      api.post("/notifications/v1/inbox/read", {}, undefined).then(() => invalidate("inbox"), () => undefined);
    };
    const timer = setTimeout(mark, 4000);
    return () => {
      clearTimeout(timer);
      mark();
    };
  }, [hasUnread, first.isOld]);

  const clear = (): void => {
    setGone(true);
    undoable(words.cleared, () => api.delete("/notifications/v1/inbox").then(() => {
      invalidate("inbox");
    }, (error) => {
      setGone(false);
      toast(textOf(error));
    }), () => setGone(false));
  };

  const items = isGone ? [] : pages.items ?? [];
  return (
    <Screen title={words.title} end={items.length > 0 && <IconButton icon="trash" label={words.clear} onTap={clear} />}>
      <Loaded of={first} skeleton={<Skeleton rows={6} />}>
        {() => items.length === 0 ? <Empty icon="inbox" title={words.empty} text={words.emptyText} /> : (
          <>
            <List label={words.title}>{items.map((item) => <Item key={item.id} item={item} onOpen={() => setOpened(item)} />)}</List>
            <More of={pages}>{words.more}</More>
          </>
        )}
      </Loaded>
      {opened && <Whole item={opened} onClose={() => setOpened(undefined)} />}
    </Screen>
  );
};

export default Inbox;
