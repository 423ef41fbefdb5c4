import type { Identity, Notifications } from "api-types";
import { useEffect, useState } from "preact";
import { Cell, useCell } from "../../../shared/cell";
import { invalidate, useGet } from "../../../shared/resources";
import { onStream } from "../../../shared/stream";
import { isolate } from "../../../shared/words";
import { words } from "./words";

export type Link = Identity.Link;
export type SharedPlace = Identity.SharedPlace;

export const useFriends = () => useGet("/identity/v1/accounts/me/links", {}, ["links", "inbox"]);
export const friendsOf = (links: Link[]): Link[] => links.filter((link) => link.kind === "friend");
export const nameOf = (link: Link): string => link.other.name ?? link.other.mobile ?? words.somebody;
export const isolated = (link: Link): string => isolate(nameOf(link));

/** What the stream has told of somebody's place, and when that was by this phone's clock. */
type Told = Notifications.FriendPlaceEvent & { heardAt: number };

/** Where friends are by the stream, by account, as long as a screen of friends is shown. */
const live = new Cell<Record<string, Told>>({});
let readers = 0;

const moment = (time: string): number => new Date(time).getTime();

function hear(event: Notifications.FriendPlaceEvent): void {
  const known = live.get()[event.account];
  // Two processes may tell the last move and the end of it in either order.
  if (known && moment(known.at) > moment(event.at)) return;
  live.set({ ...live.get(), [event.account]: { ...event, heardAt: Date.now() } });
}

/** Places have no number in the stream: what was told while it was away is known to the list alone. */
function beginAgain(): void {
  live.set({});
  invalidate("links");
}

function follow(): () => void {
  const ends = [onStream("friend-place", hear), onStream("ready", beginAgain)];
  readers++;
  return () => {
    ends.forEach((end) => end());
    // Nobody listens now: what was heard would stay as it is, also after its owner has hidden it.
    if (--readers === 0) live.set({});
  };
}

/** Where a friend is, as long as it is shared: the newest word of the list, which was read at `readAt`, and of the stream. */
function placeOf(link: Link, told: Told | undefined, readAt: number): SharedPlace | undefined {
  const listed = link.other.place;
  const isNewer = told && (listed ? moment(told.at) >= moment(listed.sharedAt) : told.heardAt > readAt);
  const { latitude, longitude, at, expiresAt } = isNewer ? told : { ...listed, at: listed?.sharedAt };
  if (latitude === undefined || longitude === undefined || !at || !expiresAt || moment(expiresAt) <= Date.now()) return undefined;
  return { latitude, longitude, sharedAt: at, expiresAt };
}

/** A browser's timer holds 24 days at most. */
const longestPause = 86_400_000;

/** Where each friend is now; drawn again as they move, and when a place ends. */
export function usePlaces(): (link: Link) => SharedPlace | undefined {
  const friends = useFriends();
  const told = useCell(live);
  const [, draw] = useState(0);
  useEffect(() => follow(), []);
  const shown = (link: Link): SharedPlace | undefined =>
    placeOf(link, link.state === "confirmed" ? told[link.other.account ?? ""] : undefined, friends.at ?? 0);
  const ends = friendsOf(friends.value?.items ?? []).flatMap((link) => shown(link)?.expiresAt ?? []).map(moment);
  const next = ends.length ? Math.min(...ends) : undefined;
  useEffect(() => {
    if (next === undefined) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const wait = (): void => {
      const left = next - Date.now();
      if (left <= 0) draw((count) => count + 1);
      else timer = setTimeout(wait, Math.min(left, longestPause));
    };
    wait();
    return () => clearTimeout(timer);
  }, [next]);
  return shown;
}
