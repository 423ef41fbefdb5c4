import type { Identity } from "api-types";
import type { Component } from "preact";
import { useState } from "preact";
import { api } from "../../../shared/api/client";
import { textOf } from "../../../shared/api/problem";
import { useHere } from "../../../shared/device/here";
import { metresBetween } from "../../../shared/device/position";
import { ago, distance } from "../../../shared/format";
import { ChoiceField, Form, Submit, TextField, useForm } from "../../../shared/forms";
import { MapMarker, MapView } from "../../../shared/map";
import { invalidate, useGet } from "../../../shared/resources";
import { back, go, to } from "../../../shared/router";
import { ask, Avatar, Badge, Button, Card, Empty, IconButton, List, Loaded, Note, Row, Screen, Section, Sheet, toast } from "../../../shared/ui";
import { isolate } from "../../../shared/words";
import { friendsOf, nameOf, useFriends, usePlaces } from "./links";
import { words } from "./group-words";
import { words as friendWords } from "./words";

type Group = Identity.Group;

const path = "/identity/v1/accounts/me/groups";
export const useGroups = () => useGet(path, {}, ["groups", "links", "inbox"]);

const radiuses = [0, 100, 250, 500, 1000, 5000];
const radiusName = (metres: number): string => (metres === 0 ? words.nobodyLooks : distance(metres));

/** Makes a group, or changes one. */
const GroupSheet: Component<{ group?: Group; onClose: () => void }> = ({ group, onClose }) => {
  const form = useForm({
    initial: { title: group?.title ?? "", radius: String(group ? group.radius ?? 0 : 500) },
    needed: ["title"],
    send: async (values, key) => {
      const body = { title: values.title.trim(), radius: Number(values.radius) || undefined };
      if (!group) return api.post(path, {}, body, { key });
      await api.put(`${path}/{group}`, { group: group.group }, body);
      return undefined;
    },
    done: (made) => {
      invalidate("groups");
      onClose();
      if (made) go(`friends/group/${made.group}`);
    },
  });
  // Another radius that the group has stays one of the choices.
  const choices = [...new Set([...radiuses, group?.radius ?? 0])].sort((one, other) => one - other);
  return (
    <Sheet title={group ? words.change : words.make} onClose={onClose}>
      <Form form={form} label={group ? words.change : words.make}>
        <TextField form={form} name="title" label={words.title} maximum={60} />
        <ChoiceField form={form} name="radius" label={words.radius} options={choices.map((one) => ({ value: String(one), label: radiusName(one) }))} />
        <p class="hint">{words.radiusText}</p>
        <Submit form={form}>{group ? words.save : words.make}</Submit>
      </Form>
    </Sheet>
  );
};

/** Somebody wants one to join. */
const Invitation: Component<{ group: Group; me: string | undefined }> = ({ group, me }) => {
  const [isBusy, setBusy] = useState(false);
  const leader = group.members.find((one) => one.leads);
  const answer = async (joins: boolean): Promise<void> => {
    setBusy(true);
    try {
      if (joins) await api.post(`${path}/{group}/agreement`, { group: group.group }, {} as never);
      else if (me) await api.delete(`${path}/{group}/members/{account}`, { group: group.group, account: me });
    } catch (error) {
      toast(textOf(error));
    }
    invalidate("groups");
    setBusy(false);
  };
  return (
    <Card>
      <div class="stack">
        <span class="row-text"><span class="row-title"><bdi>{group.title}</bdi></span><span class="row-detail">{words.invites(isolate(leader?.name ?? ""))}</span></span>
        <div class="actions in-row">
          <Button busy={isBusy} onTap={() => void answer(true)}>{words.join}</Button>
          <Button kind="second" busy={isBusy} onTap={() => void answer(false)}>{friendWords.refuse}</Button>
        </div>
      </div>
    </Card>
  );
};

/** The groups that one is in, below the friends. */
export const Groups: Component<{ me: string | undefined }> = ({ me }) => {
  const groups = useGroups().value?.items ?? [];
  const [isMaking, setMaking] = useState(false);
  const joined = groups.filter((one) => one.joined);
  return (
    <Section title={words.groups}>
      {groups.filter((one) => !one.joined).map((one) => <Invitation key={one.group} group={one} me={me} />)}
      {joined.length > 0 && (
        <List label={words.groups}>
          {joined.map((one) => (
            <Row key={one.group} icon="people" title={<bdi>{one.title}</bdi>} href={to(`friends/group/${one.group}`)} detail={words.people(one.members.filter((member) => member.joined).length)}
              end={one.members.some((member) => member.strayedAt) ? <Badge tone="warning">{words.strayed}</Badge> : undefined} />
          ))}
        </List>
      )}
      <Button kind="second" icon="plus" onTap={() => setMaking(true)}>{words.make}</Button>
      {isMaking && <GroupSheet onClose={() => setMaking(false)} />}
    </Section>
  );
};

const InviteSheet: Component<{ group: Group; onClose: () => void }> = ({ group, onClose }) => {
  const friends = useFriends();
  const [busy, setBusy] = useState("");
  const invite = async (link: string): Promise<void> => {
    setBusy(link);
    try {
      await api.post(`${path}/{group}/members`, { group: group.group }, { link });
      toast(words.invited);
      onClose();
    } catch (error) {
      toast(textOf(error));
    }
    invalidate("groups");
    setBusy("");
  };
  return (
    <Sheet title={words.invite} onClose={onClose}>
      <Loaded of={friends}>
        {(found) => {
          const others = friendsOf(found.items).filter((link) => link.state === "confirmed" && !group.members.some((one) => one.account === link.other.account));
          return others.length === 0 ? <Empty icon="people" title={words.noMore} /> : (
            <List label={words.invite}>
              {others.map((link) => <Row key={link.link} start={<Avatar name={nameOf(link)} size={40} />} title={<bdi>{nameOf(link)}</bdi>} onTap={busy ? undefined : () => void invite(link.link)} />)}
            </List>
          );
        }}
      </Loaded>
    </Sheet>
  );
};

const Talk: Component<{ group: string }> = ({ group }) => {
  const talk = useGet("/notifications/v1/conversations", { group }, ["talks", "groups"]).value?.items[0];
  return talk ? (
    <List label={words.talk}>
      <Row icon="chat" title={words.talk} href={to(`talk/${talk.conversation}`)} end={talk.unread > 0 ? <Badge tone="accent">{friendWords.unread(talk.unread)}</Badge> : undefined} />
    </List>
  ) : null;
};

/** Those of the group who are one's friends and share their place, on the map. */
const People: Component<{ group: Group; me: string | undefined }> = ({ group, me }) => {
  const links = friendsOf(useFriends().value?.items ?? []);
  const placeOf = usePlaces();
  const here = useHere().at;
  const places = group.members.flatMap((member) => {
    const link = links.find((one) => one.other.account === member.account);
    const at = link && placeOf(link);
    return at ? [{ member, link, at }] : [];
  });
  const markers: MapMarker[] = places.map((one) => ({ id: one.member.account, at: one.at, label: one.member.name, icon: "person", onTap: () => go(`friends/${one.link.link}`) }));
  if (here) markers.push({ id: "here", at: here, label: friendWords.you, look: "here" });
  const remove = async (account: string, name: string): Promise<void> => {
    if (!(await ask({ title: words.takeOut(isolate(name)), yes: words.takeOutYes, danger: true }))) return;
    await api.delete(`${path}/{group}/members/{account}`, { group: group.group, account }).catch((error: unknown) => toast(textOf(error)));
    invalidate("groups");
  };
  return (
    <>
      {places.length > 0 && <MapView key={places.map((one) => one.member.account).join(" ")} centre={places[0].at} markers={markers} fits tall />}
      <List label={words.members}>
        {group.members.map((member) => {
          const place = places.find((one) => one.member.account === member.account)?.at;
          const detail = [
            member.account === me ? words.you : !member.joined ? words.asked : member.leads ? words.leader : undefined,
            member.strayedAt && words.strayedSince(ago(member.strayedAt)),
            place && here && friendWords.away(distance(metresBetween(here, place))),
          ].filter(Boolean).join(" · ");
          return (
            <Row key={member.account} start={<Avatar name={member.name} size={40} />} title={<bdi>{member.name}</bdi>} detail={detail || undefined}
              end={group.leads && !member.leads ? <IconButton icon="trash" label={words.takeOut(isolate(member.name))} onTap={() => void remove(member.account, member.name)} />
                : member.strayedAt ? <Badge tone="warning">{words.strayed}</Badge> : undefined} />
          );
        })}
      </List>
    </>
  );
};

/** One group: where its people are, what they say, and who of them has strayed. */
export const GroupScreen: Component<{ id: string; me: string | undefined }> = ({ id, me }) => {
  const groups = useGroups();
  const group = groups.value?.items.find((one) => one.group === id && one.joined);
  const [sheet, setSheet] = useState<"change" | "invite" | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const leave = async (found: Group): Promise<void> => {
    const question = found.leads ? words.endAsk : words.leaveAsk;
    if (!(await ask({ title: question(isolate(found.title)), yes: found.leads ? words.end : words.leave, danger: true }))) return;
    setBusy(true);
    try {
      if (found.leads) await api.delete(`${path}/{group}`, { group: found.group });
      else if (me) await api.delete(`${path}/{group}/members/{account}`, { group: found.group, account: me });
      invalidate("groups");
      back("friends");
    } catch (error) {
      toast(textOf(error));
      setBusy(false);
    }
  };
  return (
    <Screen title={group?.title ?? words.groups} back="friends" end={<IconButton icon="refresh" label={friendWords.refresh} onTap={() => void groups.reload()} />}>
      <Loaded of={groups}>
        {() => (!group ? <Empty icon="people" title={words.gone}><Button href={to("friends")}>{friendWords.title}</Button></Empty> : (
          <>
            <Talk group={group.group} />
            <People group={group} me={me} />
            <Note icon="pin">{group.radius ? (group.leads ? words.watched : words.watchedYou)(distance(group.radius)) : words.nobodyLooks}</Note>
            {group.leads && <Button icon="plus" onTap={() => setSheet("invite")}>{words.invite}</Button>}
            {group.leads && <Button kind="second" icon="edit" onTap={() => setSheet("change")}>{words.change}</Button>}
            <Button kind="quiet" icon="trash" busy={isBusy} onTap={() => void leave(group)}>{group.leads ? words.end : words.leave}</Button>
            {sheet === "change" && <GroupSheet group={group} onClose={() => setSheet(undefined)} />}
            {sheet === "invite" && <InviteSheet group={group} onClose={() => setSheet(undefined)} />}
          </>
        ))}
      </Loaded>
    </Screen>
  );
};
