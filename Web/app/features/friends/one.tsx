import type { Component } from "preact";
import { useState } from "preact";
import { api } from "../../../shared/api/client";
import { textOf } from "../../../shared/api/problem";
import { useHere } from "../../../shared/device/here";
import { metresBetween } from "../../../shared/device/position";
import { ago, distance, time } from "../../../shared/format";
import { MapMarker, MapView } from "../../../shared/map";
import { invalidate, useGet } from "../../../shared/resources";
import { back, to } from "../../../shared/router";
import { ask, Avatar, Badge, Button, Card, Empty, IconButton, List, Loaded, Note, Row, Screen, toast } from "../../../shared/ui";
import { friendsOf, isolated, Link, nameOf, SharedPlace, useFriends, usePlaces } from "./links";
import { words } from "./words";

/** What the two say to each other. */
const TalkRow: Component<{ link: Link }> = ({ link }) => {
  const talk = useGet("/notifications/v1/conversations", { link: link.link }, ["talks", "links"]).value?.items[0];
  return talk ? (
    <List label={words.talk}>
      <Row icon="chat" title={words.talk} href={to(`talk/${talk.conversation}`)} end={talk.unread > 0 ? <Badge tone="accent">{words.unread(talk.unread)}</Badge> : undefined} />
    </List>
  ) : null;
};

const Place: Component<{ link: Link; at: SharedPlace | undefined }> = ({ link, at }) => {
  const here = useHere().at;
  if (!at) return <Note icon="pin">{words.notShared}</Note>;
  const markers: MapMarker[] = [{ id: "friend", at, label: nameOf(link), look: "pin", icon: "person" }];
  if (here) markers.push({ id: "here", at: here, label: words.you, look: "here" });
  return (
    <>
      <MapView key={link.link} centre={at} follow={at} markers={markers} fits={here !== undefined} tall />
      <p class="muted" role="status">{[words.seen(ago(at.sharedAt)), here && words.away(distance(metresBetween(here, at))), words.until(time(at.expiresAt))].filter(Boolean).join(" · ")}</p>
    </>
  );
};

/** One friend: the number, the place as long as it is shared, the way there, and the end of it. */
const Friend: Component<{ id: string }> = ({ id }) => {
  const links = useFriends();
  const [isBusy, setBusy] = useState(false);
  const link = friendsOf(links.value?.items ?? []).find((one) => one.link === id);
  const block = async (found: Link): Promise<void> => {
    if (!(await ask({ title: words.blockAsk(isolated(found)), text: words.blockText, yes: words.block, danger: true }))) return;
    setBusy(true);
    try {
      await api.post("/identity/v1/accounts/me/links/{link}/block", { link: found.link }, {} as never);
      invalidate("links");
      toast(words.blocked);
      back("friends");
    } catch (error) {
      toast(textOf(error));
      setBusy(false);
    }
  };
  const remove = async (found: Link): Promise<void> => {
    const isAsked = found.state !== "confirmed";
    if (!isAsked && !(await ask({ title: words.removeAsk(isolated(found)), text: words.removeText, yes: words.remove, danger: true }))) return;
    setBusy(true);
    try {
      await api.delete("/identity/v1/accounts/me/links/{link}", { link: found.link });
      invalidate("links");
      toast(words.removed);
      back("friends");
    } catch (error) {
      toast(textOf(error));
      setBusy(false);
    }
  };
  const placeOf = usePlaces();
  const at = link && placeOf(link);
  const mobile = link?.other.mobile;
  return (
    <Screen title={link ? nameOf(link) : words.title} back="friends"
      end={<IconButton icon="refresh" label={words.refresh} onTap={() => void links.reload()} />}
      footer={at && link && <Button icon="walk" href={to(`find?to=${at.latitude},${at.longitude}&name=${encodeURIComponent(nameOf(link))}`)}>{words.route}</Button>}>
      <Loaded of={links}>
        {() => (!link ? <Empty icon="people" title={words.gone}><Button href={to("friends")}>{words.title}</Button></Empty> : (
          <>
            <Card>
              <div class="person">
                <Avatar name={nameOf(link)} size={56} />
                <span class="row-text"><span class="row-title"><bdi>{nameOf(link)}</bdi></span>
                  <span class="row-detail">{link.state === "blocked" ? words.isBlocked : link.state !== "confirmed" ? words.asked : mobile && <bdi dir="ltr">{mobile}</bdi>}</span></span>
                {mobile && <IconButton icon="phone" label={words.call} href={`tel:${mobile}`} />}
              </div>
            </Card>
            {link.state === "confirmed" && <TalkRow link={link} />}
            {link.state === "confirmed" && <Place link={link} at={at} />}
            <Button kind="quiet" icon="trash" busy={isBusy} onTap={() => void remove(link)}>{link.state === "confirmed" ? words.remove : link.state === "blocked" ? words.unblock : words.takeBack}</Button>
            {link.state === "confirmed" && <Button kind="quiet" icon="close" busy={isBusy} onTap={() => void block(link)}>{words.block}</Button>}
          </>
        ))}
      </Loaded>
    </Screen>
  );
};

export default Friend;
