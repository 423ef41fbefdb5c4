import type { Component } from "preact";
import { useState } from "preact";
import { useCell } from "../../../shared/cell";
import { api } from "../../../shared/api/client";
import { textOf } from "../../../shared/api/problem";
import { ago, latinDigits } from "../../../shared/format";
import { Form, Submit, TextField, useForm } from "../../../shared/forms";
import { MapView } from "../../../shared/map";
import { invalidate } from "../../../shared/resources";
import { go, to } from "../../../shared/router";
import { session } from "../../../shared/session";
import { ask, Avatar, Badge, Button, Card, Empty, IconButton, List, Loaded, Row, Screen, Section, Sheet, toast } from "../../../shared/ui";
import { Asks } from "../../asks";
import type { ScreenProperties } from "../../features";
import { Groups, GroupScreen } from "./groups";
import { friendsOf, isolated, Link, nameOf, useFriends, usePlaces } from "./links";
import { MyPlace } from "./my-place";
import Friend from "./one";
import { words } from "./words";

const AddSheet: Component<{ onClose: () => void }> = ({ onClose }) => {
  const number = (text: string): string => latinDigits(text).replace(/[\s()-]/g, "").replace(/^00/, "+");
  const form = useForm({
    initial: { mobile: "" },
    needed: ["mobile"],
    check: (values) => ({ mobile: values.mobile.trim() !== "" && !/^\+\d{8,15}$/.test(number(values.mobile)) && words.badMobile }),
    send: (values, key) => api.post("/identity/v1/accounts/me/links", {}, { kind: "friend", mobile: number(values.mobile) }, { key }),
    done: () => {
      invalidate("links");
      toast(words.sent);
      onClose();
    },
  });
  return (
    <Sheet title={words.add} onClose={onClose}>
      <Form form={form} label={words.add}>
        <TextField form={form} name="mobile" kind="tel" label={words.mobile} hint={words.mobileHint} autocomplete="off" />
        <p class="hint">{words.addText}</p>
        <Submit form={form}>{words.send}</Submit>
      </Form>
    </Sheet>
  );
};

/** Somebody who would like to be a friend. */
const Request: Component<{ link: Link }> = ({ link }) => {
  const [busy, setBusy] = useState<"agree" | "refuse" | undefined>(undefined);
  const answer = async (what: "agree" | "refuse"): Promise<void> => {
    if (what === "refuse" && !(await ask({ title: words.refuseAsk(isolated(link)), yes: words.refuse, danger: true }))) return;
    setBusy(what);
    try {
      if (what === "agree") await api.post("/identity/v1/accounts/me/links/{link}/agreement", { link: link.link }, {} as never);
      else await api.delete("/identity/v1/accounts/me/links/{link}", { link: link.link });
      if (what === "agree") toast(words.agreed);
    } catch (error) {
      toast(textOf(error));
    }
    invalidate("links");
    setBusy(undefined);
  };
  return (
    <Card>
      <div class="stack">
        <div class="person"><Avatar name={nameOf(link)} /><span class="row-text"><span class="row-title"><bdi>{nameOf(link)}</bdi></span><span class="row-detail">{words.asksYou}</span></span></div>
        <div class="actions in-row">
          <Button busy={busy === "agree"} onTap={() => void answer("agree")}>{words.agree}</Button>
          <Button kind="second" busy={busy === "refuse"} onTap={() => void answer("refuse")}>{words.refuse}</Button>
        </div>
      </div>
    </Card>
  );
};

const Friends: Component<{ friends: Link[] }> = ({ friends }) => {
  const [text, setText] = useState("");
  const placeOf = usePlaces();
  const shown = friends.filter((link) => nameOf(link).toLocaleLowerCase().includes(text.trim().toLocaleLowerCase()));
  const placed = shown.flatMap((link) => {
    const at = placeOf(link);
    return at ? [{ id: link.link, at, label: nameOf(link), icon: "person", onTap: () => go(`friends/${link.link}`) }] : [];
  });
  return (
    <>
      {friends.length > 5 && (
        <div class="input"><input type="search" aria-label={words.search} placeholder={words.search} value={text} dir="auto" autocomplete="off"
          onInput={(event) => setText((event.target as HTMLInputElement).value)} /></div>
      )}
      {placed.length > 0 && <MapView key={placed.map((one) => one.id).join(" ")} centre={placed[0].at} markers={placed} fits />}
      {shown.length === 0 ? <Empty icon="search" title={words.noMatch} /> : (
        <List label={words.title}>
          {shown.map((link) => {
            const at = placeOf(link);
            return (
              <Row key={link.link} start={<Avatar name={nameOf(link)} size={40} />} title={<bdi>{nameOf(link)}</bdi>} href={to(`friends/${link.link}`)}
                detail={link.state !== "confirmed" ? words.asked : at ? words.seen(ago(at.sharedAt)) : words.notShared}
                end={link.state !== "confirmed" ? <Badge tone="warning">{words.asked}</Badge> : undefined} />
            );
          })}
        </List>
      )}
    </>
  );
};

/** Friends: who asks, where they are, and whether they see where one is. */
const FriendsScreen: Component = () => {
  const links = useFriends();
  const me = useCell(session).account;
  const [isAdding, setAdding] = useState(false);
  return (
    <Screen title={words.title} footer={<Button icon="plus" onTap={() => setAdding(true)}>{words.add}</Button>}
      end={<IconButton icon="refresh" label={words.refresh} onTap={() => void links.reload()} />}>
      <Asks />
      <Loaded of={links}>
        {(found) => {
          const all = friendsOf(found.items);
          const requests = all.filter((link) => link.asksMe && link.state === "asked");
          const blocked = all.filter((link) => link.state === "blocked");
          const friends = all.filter((link) => !requests.includes(link) && !blocked.includes(link));
          return (
            <>
              {requests.length > 0 && <Section title={words.requests}>{requests.map((link) => <Request key={link.link} link={link} />)}</Section>}
              {friends.length > 0 ? <Friends friends={friends} /> : requests.length === 0 && <Empty icon="people" title={words.none} text={words.addText} />}
              {blocked.length > 0 && <Section title={words.blockedPeople}><List label={words.blockedPeople}>{blocked.map((link) => <Row key={link.link} start={<Avatar name={nameOf(link)} size={40} />} title={<bdi>{nameOf(link)}</bdi>} href={to(`friends/${link.link}`)} />)}</List></Section>}
            </>
          );
        }}
      </Loaded>
      <Groups me={me} />
      <MyPlace />
      {isAdding && <AddSheet onClose={() => setAdding(false)} />}
    </Screen>
  );
};

/** `friends` is the list; `friends/LINK` is one of them, `friends/group/GROUP` a group. */
const Shown: Component<ScreenProperties> = ({ params }) => {
  const me = useCell(session).account;
  if (!params.rest) return <FriendsScreen />;
  const [first, group] = params.rest.split("/");
  return first === "group" && group ? <GroupScreen key={group} id={group} me={me} /> : <Friend key={first} id={first} />;
};

export default Shown;
