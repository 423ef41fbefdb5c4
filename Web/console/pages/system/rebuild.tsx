import type { Admin } from "api-types";
import type { Component } from "preact";
import { useEffect } from "preact";
import { api } from "../../../shared/api/client";
import { number } from "../../../shared/format";
import { invalidate, useGet } from "../../../shared/resources";
import { Badge, Loaded } from "../../../shared/ui";
import { Act, Facts, Part, When, Who } from "../../kit";
import { words } from "./words";

const states = (): Record<string, string> => ({ doubting: words.doubting, telling: words.telling, done: words.done, incomplete: words.incomplete });
const partNames = (): Record<string, string> => ({ people: words.partPeople, orders: words.partOrders, payments: words.partPayments });
const isRunning = (run: Admin.Rebuild | undefined): boolean => run !== undefined && !run.endedAt;
const everySeconds = 3;

/** What admin keeps of other services' rows, and having it told again: for master admins. */
export const Rebuild: Component = () => {
  const found = useGet("/admin/v1/rebuild", {}, ["rebuild"]);
  const last = found.value?.last;
  // While one runs it is followed; reading it is no entry of the audit log.
  useEffect(() => {
    if (!isRunning(last)) return undefined;
    const timer = setTimeout(() => invalidate("rebuild"), everySeconds * 1000);
    return () => clearTimeout(timer);
  }, [last]);
  const fields = Object.entries(partNames()).map(([name, label]) => ({ name, label, kind: "check" as const, initial: true }));
  return (
    <Part title={words.copies} end={!isRunning(last) && (
      <Act small label={words.rebuild} title={words.rebuild} text={words.rebuildText} needs="master" tags={["rebuild"]} fields={fields}
        check={(values) => ({ people: !Object.keys(partNames()).some((part) => values[part]) && words.needsPart })}
        send={(values, key) => api.post("/admin/v1/rebuild", {}, { parts: (["people", "orders", "payments"] as const).filter((part) => values[part]) }, { key })} />
    )}>
      <Loaded of={found}>
        {() => !last ? <p class="muted">{words.neverRebuilt}</p> : (
          <Facts of={[
            [words.state, <Badge tone={last.state === "done" ? "good" : last.state === "incomplete" ? "warning" : undefined}>{states()[last.state] ?? last.state}</Badge>],
            [words.parts, last.parts.map((part) => partNames()[part] ?? part).join(" · ")],
            [words.progress, last.rows > 0 && `${number(last.rows - last.left)} / ${number(last.rows)}`],
            [words.begun, <><When at={last.startedAt} /> <Who account={last.startedBy} /></>], [words.ended, last.endedAt && <When at={last.endedAt} />],
          ]} />
        )}
      </Loaded>
    </Part>
  );
};
