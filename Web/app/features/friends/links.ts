import type { Identity, Notifications } from "api-types";
import { useEffect } from "preact";
import { Cell, useCell } from "../../../shared/cell";
import { useGet } from "../../../shared/resources";
import { onStream } from "../../../shared/stream";
import { isolate } from "../../../shared/words";
import { words } from "./words";

export type Link = Identity.Link;

export const useFriends = () => useGet("/identity/v1/accounts/me/links", {}, ["links", "inbox"]);
export const friendsOf = (links: Link[]): Link[] => links.filter((link) => link.kind === "friend");
export const nameOf = (link: Link): string => link.other.name ?? link.other.mobile ?? words.somebody;
export const isolated = (link: Link): string => isolate(nameOf(link));

/** Where friends are by the stream, by account. It ends with the screens of friends: the list has the kept places. */
const live = new Cell<Record<string, Notifications.FriendPlaceEvent>>({});

/** The places of friends as they move, as long as the screen is shown. */
export function useLivePlaces(): Record<string, Notifications.FriendPlaceEvent> {
  useEffect(() => onStream("friend-place", (event) => live.set({ ...live.get(), [event.account]: event })), []);
  return useCell(live);
}

/** Where a friend is, as long as it is shared: the newest word of the list and of the stream. */
export function placeOf(link: Link, moved: Record<string, Notifications.FriendPlaceEvent>): Identity.SharedPlace | undefined {
  const listed = link.other.place;
  const told = link.state === "confirmed" ? moved[link.other.account ?? ""] : undefined;
  const isNewer = told && (!listed || new Date(told.at).getTime() >= new Date(listed.sharedAt).getTime());
  const { latitude, longitude, at, expiresAt } = isNewer ? told : { ...listed, at: listed?.sharedAt };
  if (latitude === undefined || longitude === undefined || !at || !expiresAt || new Date(expiresAt).getTime() <= Date.now()) return undefined;
  return { latitude, longitude, sharedAt: at, expiresAt };
}
