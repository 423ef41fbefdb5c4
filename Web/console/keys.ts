import { Cell } from "../shared/cell";
import { go, place } from "../shared/router";
import { isThere, pages } from "./pages";

/** Whether the list of keys is shown. */
export const isListed = new Cell<boolean>(false);

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName));

/** The links of a list's rows, in their order. */
const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>("[data-row]")];

function move(step: number): void {
  const all = rows();
  if (!all.length) return;
  const at = all.findIndex((row) => row === document.activeElement);
  const current = at < 0 ? all.findIndex((row) => row.getAttribute("aria-current")) : at;
  all[Math.max(0, Math.min(all.length - 1, current < 0 ? 0 : current + step))].focus();
}

let isGoing = false;
let timer: ReturnType<typeof setTimeout> | undefined;

/** The letter after `g`. */
function jump(letter: string): boolean {
  const target = pages.find((page) => page.key === letter && isThere(page, place.get().market));
  if (target) go(target.path);
  return target !== undefined;
}

/** The letter of a Latin keyboard, whatever script is on: `g` is the key of `g` in Arabic, too. */
const letterOf = (event: KeyboardEvent): string =>
  /^Key[A-Z]$/.test(event.code) && !/^[a-z]$/i.test(event.key) ? event.code[3].toLowerCase() : event.key;

function dealWith(event: KeyboardEvent): boolean {
  const key = letterOf(event);
  if (isGoing) {
    isGoing = false;
    return jump(key.toLowerCase());
  }
  switch (key) {
    case "/": {
      const box = document.querySelector<HTMLInputElement>("[data-search]");
      box?.focus();
      box?.select();
      return box !== null;
    }
    case "g":
      isGoing = true;
      clearTimeout(timer);
      timer = setTimeout(() => { isGoing = false; }, 1500);
      return true;
    case "?": case "؟": isListed.set(true); return true;
    case "j": move(1); return true;
    case "k": move(-1); return true;
    // Arrows move in a list that one is in; elsewhere they scroll.
    case "ArrowDown": case "ArrowUp":
      if (!(document.activeElement as HTMLElement | null)?.closest("[data-rows]")) return false;
      move(key === "ArrowDown" ? 1 : -1);
      return true;
    case "Escape": {
      const close = document.querySelector<HTMLElement>("[data-close]");
      close?.click();
      return close !== null;
    }
    default: return false;
  }
}

/** Keys of the whole console. Fields and dialogs keep theirs. */
export function followKeys(): void {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (isTyping(event.target)) {
      if (event.key === "Escape") (event.target as HTMLElement).blur();
      return;
    }
    if (dealWith(event)) event.preventDefault();
  });
}
