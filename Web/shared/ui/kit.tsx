import type { Children, Component, VNode } from "preact";
import { useEffect, useRef, useState } from "preact";
import { money, Money as Amount, number } from "../format";
import { words } from "./words";

const sprite = (globalThis as { SERAI_SPRITE?: string }).SERAI_SPRITE ?? document.querySelector<HTMLLinkElement>("link[data-sprite]")?.href ?? "";

/** A drawing of the sprite (`Web/app/icons/NAME.svg`). It says nothing to screen readers: the words beside it do. */
export const Icon: Component<{ name: string; mirrored?: boolean; size?: number }> = ({ name, mirrored, size = 24 }) => (
  <svg class={mirrored ? "icon mirrored" : "icon"} width={size} height={size} aria-hidden="true" focusable="false">
    <use href={`${sprite}#${name}`} />
  </svg>
);

export type ButtonKind = "primary" | "second" | "quiet" | "danger";

/** One act. While `busy` it cannot be tapped again and says so. With `href` it is a link that looks the same. */
export const Button: Component<{
  kind?: ButtonKind; icon?: string; busy?: boolean; disabled?: boolean; submit?: boolean; href?: string; small?: boolean; wide?: boolean;
  label?: string; onTap?: () => void;
}> = ({ kind = "primary", icon, busy, disabled, submit, href, small, wide, label, onTap, children }) => {
  const look = `button ${kind}${small ? " small" : ""}${wide ? " wide" : ""}`;
  const inside = <>{icon && <Icon name={icon} />}<span>{children}</span>{busy && <span class="spinner" role="status" aria-label={words.sending} />}</>;
  if (href !== undefined) return <a class={look} href={href} aria-label={label} onClick={onTap}>{inside}</a>;
  return (
    <button type={submit ? "submit" : "button"} class={look} aria-label={label} disabled={disabled} aria-busy={busy || undefined}
      onClick={() => { if (!busy) onTap?.(); }}>{inside}</button>
  );
};

/** A round button that is a drawing alone; `label` is its name. */
export const IconButton: Component<{ icon: string; label: string; mirrored?: boolean; href?: string; onTap?: () => void }> = (
  { icon, label, mirrored, href, onTap },
) => href !== undefined
  ? <a class="icon-button" href={href} aria-label={label} title={label}><Icon name={icon} mirrored={mirrored} /></a>
  : <button type="button" class="icon-button" aria-label={label} title={label} onClick={onTap}><Icon name={icon} mirrored={mirrored} /></button>;

export const Card: Component<{ href?: string; tone?: "accent" | "warning" | "danger"; label?: string; onTap?: () => void }> = (
  { href, tone, label, onTap, children },
) => {
  const look = `card${tone ? ` ${tone}` : ""}`;
  if (href !== undefined) return <a class={`${look} tappable`} href={href}>{children}</a>;
  if (onTap) return <button type="button" class={`${look} tappable`} aria-label={label} onClick={onTap}>{children}</button>;
  return <div class={look}>{children}</div>;
};

/** Rows of one kind in one card. */
export const List: Component<{ label?: string }> = ({ label, children }) => <ul class="list" aria-label={label}>{children}</ul>;

/** A row: drawing, title, a second line, and what stands at its end. It opens something (`href`, `onTap`), or only tells. */
export const Row: Component<{
  icon?: string; start?: Children; title: Children; detail?: Children; end?: Children; href?: string; current?: boolean; onTap?: () => void;
}> = ({ icon, start, title, detail, end, href, current, onTap }) => {
  const inside = (
    <>
      {start ?? (icon && <span class="row-icon"><Icon name={icon} /></span>)}
      <span class="row-text"><span class="row-title">{title}</span>{detail && <span class="row-detail">{detail}</span>}</span>
      {end && <span class="row-end">{end}</span>}
      {(href !== undefined || onTap) && !end && <Icon name="chevron" mirrored size={20} />}
    </>
  );
  return (
    <li>
      {href !== undefined ? <a class="row tappable" href={href} aria-current={current || undefined}>{inside}</a>
        : onTap ? <button type="button" class="row tappable" onClick={onTap}>{inside}</button>
        : <div class="row">{inside}</div>}
    </li>
  );
};

/** A line that says how something stands. Its colour only repeats what its words and its drawing say. */
export const Note: Component<{ tone?: "info" | "good" | "warning" | "danger"; icon?: string; live?: boolean }> = (
  { tone = "info", icon, live, children },
) => {
  const drawing = icon ?? { info: "info", good: "check", warning: "warning", danger: "warning" }[tone];
  return <div class={`note ${tone}`} role={live ? "status" : undefined}><Icon name={drawing} /><div>{children}</div></div>;
};

export const Badge: Component<{ tone?: "neutral" | "good" | "warning" | "danger" | "accent" }> = ({ tone = "neutral", children }) =>
  <span class={`badge ${tone}`}>{children}</span>;

/** What fills the place of something that is not here: why, and what can be done instead. */
export const Empty: Component<{ icon: string; title: string; text?: string }> = ({ icon, title, text, children }) => (
  <div class="empty"><Icon name={icon} size={48} /><h2>{title}</h2>{text && <p>{text}</p>}{children}</div>
);

/** Grey lines of about the size of what is awaited. */
export const Skeleton: Component<{ rows?: number; kind?: "row" | "card" | "text" }> = ({ rows = 3, kind = "row" }) => (
  <div class="skeletons" role="status" aria-label={words.loading}>
    {Array.from({ length: rows }, (_, index) => <div key={index} class={`skeleton ${kind}`} />)}
  </div>
);

export const Money: Component<{ value: Amount; signed?: boolean }> = ({ value, signed }) =>
  <bdi class="money">{money(value, signed)}</bdi>;

/** A picture of somebody, or the first letter of the name: the API names the market's logo for those who have none. */
export const isOwnPicture = (src: string | undefined): boolean => src !== undefined && !src.includes("/markets/");
export const Avatar: Component<{ name: string; src?: string; size?: number }> = ({ name, src, size = 48 }) => {
  const [failed, setFailed] = useState<string | undefined>(undefined);
  const style = { width: `${size}px`, height: `${size}px`, fontSize: `${size * 0.42}px` };
  return isOwnPicture(src) && src !== failed
    ? <img class="avatar" style={style} src={src} alt="" loading="lazy" width={size} height={size} onError={() => setFailed(src)} />
    : <span class="avatar" style={style} aria-hidden="true">{Array.from(name.trim())[0]?.toUpperCase() ?? "?"}</span>;
};

export const Rating: Component<{ average: number; count: number }> = ({ average, count }) => (
  <span class="rating" role="img" aria-label={words.ratedBy(number(average, 1), count)}>
    <Icon name="star" size={16} />{number(average, 1)} <span class="muted">({count})</span>
  </span>
);

/** Five stars to choose from. */
export const Stars: Component<{ id?: string; value: number; name: string; label: string; onChoose: (stars: number) => void }> = (
  { id, value, name, label, onChoose },
) => (
  <fieldset class="stars" id={id} tabIndex={-1}>
    <legend>{label}</legend>
    <div>
      {[1, 2, 3, 4, 5].map((star) => (
        <label key={star} class={star <= value ? "on" : ""}>
          <input type="radio" name={name} value={star} checked={star === value} onChange={() => onChoose(star)} />
          <Icon name="star" size={36} /><span class="hidden">{words.stars(star)}</span>
        </label>
      ))}
    </div>
  </fieldset>
);

/** Two to five views of one thing. */
export const Tabs: Component<{ label: string; items: { id: string; label: string; count?: number }[]; value: string; onChoose: (id: string) => void }> = (
  { label, items, value, onChoose },
) => {
  const move = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    const turned = document.documentElement.dir === "rtl" ? -step : step;
    const next = items[(items.findIndex((item) => item.id === value) + turned + items.length) % items.length];
    onChoose(next.id);
    (event.currentTarget as HTMLElement).querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
      {items.map((item) => (
        <button key={item.id} type="button" role="tab" data-tab={item.id} aria-selected={item.id === value} tabIndex={item.id === value ? 0 : -1}
          onClick={() => onChoose(item.id)}>
          {item.label}{item.count ? <span class="count">{item.count}</span> : null}
        </button>
      ))}
    </div>
  );
};

/** How far something has come: the steps with the current one named. */
export const Stepper: Component<{ steps: string[]; current: number }> = ({ steps, current }) => (
  <ol class="stepper" aria-label={words.step(Math.min(current + 1, steps.length), steps.length)}>
    {steps.map((step, index) => (
      <li key={index} class={index < current ? "done" : index === current ? "current" : ""} aria-current={index === current ? "step" : undefined}>
        <span class="dot">{index < current && <Icon name="check" size={16} />}</span><span class="step-name">{step}</span>
      </li>
    ))}
  </ol>
);

/** Seconds until a moment, again every second. */
export function useSecondsLeft(until: number | string | undefined): number {
  const left = (): number => (until === undefined ? 0 : Math.max(0, (new Date(until).getTime() - Date.now()) / 1000));
  const [seconds, setSeconds] = useState(left);
  useEffect(() => {
    setSeconds(left());
    if (until === undefined) return undefined;
    const timer = setInterval(() => setSeconds(left()), 1000);
    return () => clearInterval(timer);
  }, [until]);
  return seconds;
}

const spoken = [60, 30, 10];
/** A ring that runs down, and is read out at 60, 30 and 10 seconds. */
export const Countdown: Component<{ until: number | string; seconds: number; size?: number; onEnd?: () => void }> = (
  { until, seconds, size = 96, onEnd },
) => {
  const left = useSecondsLeft(until);
  const ended = useRef(false);
  const whole = Math.ceil(left);
  useEffect(() => {
    if (left > 0 || ended.current) return;
    ended.current = true;
    onEnd?.();
  }, [left <= 0]);
  const told = spoken.filter((mark) => whole <= mark).pop();
  return (
    <div class="countdown" style={{ width: `${size}px`, height: `${size}px` }} role="timer">
      <svg viewBox="0 0 100 100" aria-hidden="true">
        <circle class="track" cx="50" cy="50" r="45" pathLength="100" />
        <circle class="rest" cx="50" cy="50" r="45" pathLength="100" stroke-dasharray="100" stroke-dashoffset={100 - Math.min(100, (left / seconds) * 100)} />
      </svg>
      <span aria-hidden="true">{whole >= 60 ? `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}` : whole}</span>
      <span class="hidden" aria-live="polite">{told === undefined ? "" : words.secondsLeft(told)}</span>
    </div>
  );
};

/** A switch that does something at once. */
export const Switch: Component<{ on: boolean; label: Children; detail?: Children; busy?: boolean; onChange: (on: boolean) => void }> = (
  { on, label, detail, busy, onChange },
) => (
  <label class="switch">
    <span class="row-text"><span class="row-title">{label}</span>{detail && <span class="row-detail">{detail}</span>}</span>
    <input type="checkbox" role="switch" checked={on} disabled={busy} onChange={(event) => onChange((event.target as HTMLInputElement).checked)} />
    <span class="knob" aria-hidden="true" />
  </label>
);

/** A heading of a part of a screen, with what belongs to it. */
export const Section: Component<{ title?: string; end?: Children }> = ({ title, end, children }): VNode => (
  <section class="section">{title && <div class="section-head"><h2>{title}</h2>{end}</div>}{children}</section>
);
