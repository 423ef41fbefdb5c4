import type { Children, Component } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact";
import { Cell, useCell } from "../cell";
import { Button, Icon, IconButton } from "./kit";
import { words } from "./words";

/** The open sheets, the topmost last. */
const sheets = new Cell<number[]>([]);
const isWritten = (dialog: HTMLDialogElement): boolean =>
  Array.from(dialog.querySelectorAll("textarea")).some((field) => field.value.trim() !== "");

/** A question over the page: from below on phones, in the middle of larger screens. The page behind it waits. */
export const Sheet: Component<{ title: string; onClose: () => void; full?: boolean; locked?: boolean }> = (
  { title, onClose, full, locked, children },
) => {
  const element = useRef<HTMLDialogElement | null>(null);
  const pressed = useRef<EventTarget | null>(null);
  const id = useRef(0);
  useLayoutEffect(() => {
    const dialog = element.current as HTMLDialogElement;
    dialog.showModal();
    return () => dialog.close();
  }, []);
  useEffect(() => {
    id.current = ++count;
    sheets.set([...sheets.get(), id.current]);
    return () => sheets.set(sheets.get().filter((one) => one !== id.current));
  }, []);
  // Browsers close it by themselves when Escape or Back comes a second time without a touch between.
  const closed = (): void => {
    const dialog = element.current;
    if (!dialog?.isConnected || dialog.open) return;
    if (locked) dialog.showModal();
    else onClose();
  };
  // A text that was marked until outside ends there, and a touch beside the sheet throws away nothing that was written.
  const tapped = (event: Event): void => {
    const dialog = element.current as HTMLDialogElement;
    if (event.target === dialog && pressed.current === dialog && !locked && !isWritten(dialog)) onClose();
  };
  return (
    <dialog ref={element} class={full ? "sheet full" : "sheet"} aria-label={title} onClose={closed}
      onCancel={(event) => { event.preventDefault(); if (!locked) onClose(); }}
      onPointerDown={(event) => { pressed.current = event.target; }} onClick={tapped}>
      <div class="sheet-inside">
        <div class="sheet-head"><h2>{title}</h2>{!locked && <IconButton icon="close" label={words.close} onTap={onClose} />}</div>
        {children}
      </div>
      <Toasts of={id} />
    </dialog>
  );
};

interface Question {
  title: string;
  text?: Children;
  /** What the act does: `Delete the place`. */
  yes: string;
  no?: string;
  danger?: boolean;
}
let count = 0;
/** The first is on the screen, the others come after it. */
const questions = new Cell<(Question & { id: number; answer: (yes: boolean) => void })[]>([]);

/** Asks once, naming the thing, and resolves with the answer. For what cannot be undone. What is asked while another question is open
 * is asked after it. */
export const ask = (asked: Question): Promise<boolean> =>
  new Promise((resolve) => {
    const id = ++count;
    const answer = (yes: boolean): void => {
      questions.set(questions.get().filter((one) => one.id !== id));
      resolve(yes);
    };
    questions.set([...questions.get(), { ...asked, id, answer }]);
  });

interface Toast {
  id: number;
  text: string;
  undo?: () => void;
  link?: { href: string; text: string };
}
const toasts = new Cell<Toast[]>([]);
const dismiss = (id: number): void => toasts.set(toasts.get().filter((one) => one.id !== id));

/** Says what has happened for some seconds, with a link to where more is told. */
export function toast(text: string, link?: Toast["link"]): void {
  const id = ++count;
  toasts.set([...toasts.get().filter((one) => one.text !== text).slice(-1), { id, text, link }]);
  setTimeout(() => dismiss(id), 6000);
}

/** Does the act in six seconds, unless it is undone until then. `restore` puts the screen back as it was. A page that is left
 * meanwhile does it at once. */
export function undoable(text: string, commit: () => Promise<unknown> | void, restore: () => void): void {
  const id = ++count;
  let isOpen = true;
  const finish = (): void => {
    if (!isOpen) return;
    isOpen = false;
    clearTimeout(timer);
    removeEventListener("pagehide", finish);
    dismiss(id);
    void commit();
  };
  const undo = (): void => {
    isOpen = false;
    clearTimeout(timer);
    removeEventListener("pagehide", finish);
    dismiss(id);
    restore();
  };
  const timer = setTimeout(finish, 6000);
  addEventListener("pagehide", finish);
  toasts.set([...toasts.get().slice(-2), { id, text, undo }]);
}

/** What has happened, in the topmost sheet: what lies behind it is neither seen nor read out. */
const Toasts: Component<{ of?: { current: number } }> = ({ of }) => {
  const news = useCell(toasts);
  const open = useCell(sheets);
  const top: number | undefined = open[open.length - 1];
  return (
    <div class="toasts" role="status" aria-live="polite">
      {top === of?.current && news.map((one) => (
        <div key={one.id} class="toast">
          <span>{one.text}{one.link && <> <a href={one.link.href}>{one.link.text}</a></>}</span>
          {one.undo
            ? <button type="button" class="toast-undo" onClick={one.undo}>{words.undo}</button>
            : <button type="button" class="toast-close" aria-label={words.close} onClick={() => dismiss(one.id)}><Icon name="close" size={20} /></button>}
        </div>
      ))}
    </div>
  );
};

/** Where questions and news appear; once, in the app's root. */
export const Overlays: Component = () => {
  const [asked] = useCell(questions);
  return (
    <>
      {asked && (
        <Sheet key={asked.id} title={asked.title} onClose={() => asked.answer(false)}>
          {asked.text && <p>{asked.text}</p>}
          <div class="actions">
            <Button kind={asked.danger ? "danger" : "primary"} onTap={() => asked.answer(true)}>{asked.yes}</Button>
            <Button kind="second" onTap={() => asked.answer(false)}>{asked.no ?? words.cancel}</Button>
          </div>
        </Sheet>
      )}
      <Toasts />
    </>
  );
};
