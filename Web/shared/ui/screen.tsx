import type { Children, Component } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact";
import { ago } from "../format";
import { textOf } from "../api/problem";
import type { Resource } from "../resources";
import { back } from "../router";
import { Button, Empty, IconButton, Skeleton } from "./kit";
import { words } from "./words";

/**
 * One screen: a head with its title, what it asks or tells, and at the bottom, within the thumb's reach, its next step.
 * `quiet`: the title is for screen readers alone, since the screen's one message says the same. `back` is where the arrow leads when nothing of the app lies behind it.
 */
export const Screen: Component<{ title: string; back?: string; end?: Children; footer?: Children; wide?: boolean; plain?: boolean; quiet?: boolean }> = (
  { title, back: fallback, end, footer, wide, plain, quiet, children },
) => {
  const heading = useRef<HTMLHeadingElement | null>(null);
  useLayoutEffect(() => {
    document.title = title;
  }, [title]);
  // Screen readers begin with the title of the new screen; nobody else sees that.
  useEffect(() => {
    if (document.activeElement === document.body || document.activeElement?.closest(".nav")) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <main class={`screen${wide ? " wide" : ""}${footer ? " with-footer" : ""}`}>
      <div class={plain ? "screen-head plain" : "screen-head"}>
        {fallback !== undefined && <IconButton icon="arrow" mirrored label={words.back} onTap={() => back(fallback)} />}
        <h1 ref={heading} tabIndex={-1} class={quiet ? "hidden" : ""}>{title}</h1>
        {end && <div class="screen-end">{end}</div>}
      </div>
      <div class="screen-body">{children}</div>
      {footer && <div class="screen-footer"><div class="actions">{footer}</div></div>}
    </main>
  );
};

/** A resource in its four forms: awaited, failed, old, and there. */
export function Loaded<T>({ of, skeleton, children }: {
  of: Resource<T> & { reload: () => Promise<void> }; skeleton?: Children; children: (value: T) => Children;
}): JSX.Element {
  if (of.value === undefined) {
    if (!of.error) return <>{skeleton ?? <Skeleton />}</>;
    return <Empty icon="offline" title={textOf(of.error)}><Button kind="second" onTap={() => void of.reload()}>{words.retry}</Button></Empty>;
  }
  return <>{of.isOld && of.at && <p class="as-of">{words.lastSeen(ago(of.at))}</p>}{children(of.value)}</>;
}
