import type { Admin } from "api-types";
import type { Children, Component } from "preact";
import { duration, number } from "../../../shared/format";
import { invalidate, useGet } from "../../../shared/resources";
import type { Resource } from "../../../shared/resources";
import { to } from "../../../shared/router";
import { Badge, Button } from "../../../shared/ui";
import { Column, Fold, Page, Table, When } from "../../kit";
import { useMay } from "../../rights";
import { Rebuild } from "./rebuild";
import { Service, serviceName } from "./services";
import { words } from "./words";

type State = Admin.SystemState;
interface Row {
  service: Service;
  of: Resource<State>;
}

/** Longer than this nothing waits where all is well. */
const patienceSeconds = 30;
const isBehind = ({ outbox, deadlines }: State): boolean => Math.max(outbox.oldestSeconds, deadlines.oldestSeconds) > patienceSeconds;

const StateBadge: Component<{ of: Resource<State> }> = ({ of }) => {
  if (of.error) return <Badge tone="danger">{words.down}</Badge>;
  if (!of.value) return <Badge>{words.asking}</Badge>;
  return isBehind(of.value) ? <Badge tone="warning">{words.slow}</Badge> : <Badge tone="good">{words.up}</Badge>;
};

const backlog = ({ count, oldestSeconds }: Admin.Backlog): Children => (
  <>{number(count)}{count > 0 && oldestSeconds > 0 && <span class="muted"> ({words.oldest(duration(oldestSeconds))})</span>}</>
);
const clock = (ahead: number): string => (ahead === 0 ? words.exact : ahead > 0 ? words.milliseconds(ahead) : words.behind(-ahead));

/** Each service is asked by itself: who is down is seen to be down, and nobody needs to know where another lives. */
const System: Component = () => {
  const mayMaster = useMay("master");
  const rows: Row[] = [
    { service: "identity", of: useGet("/identity/v1/system", {}, ["system"]) }, { service: "dispatch", of: useGet("/dispatch/v1/system", {}, ["system"]) },
    { service: "wallet", of: useGet("/wallet/v1/system", {}, ["system"]) }, { service: "notifications", of: useGet("/notifications/v1/system", {}, ["system"]) },
    { service: "admin", of: useGet("/admin/v1/system", {}, ["system"]) },
  ];
  // What a service said before it went down is not how it stands.
  const told = (cell: (state: State, row: Row) => Children) => (row: Row): Children => (row.of.value && !row.of.error ? cell(row.of.value, row) : "–");
  const columns: Column<Row>[] = [
    { id: "service", label: words.service, cell: (row) => serviceName(row.service) },
    { id: "state", label: words.state, cell: (row) => <StateBadge of={row.of} /> },
    { id: "since", label: words.since, wide: true, cell: told((state) => <When at={state.startedAt} />) },
    { id: "outbox", label: words.outbox, end: true, cell: told((state) => backlog(state.outbox)) },
    { id: "deadlines", label: words.deadlines, end: true, cell: told((state) => backlog(state.deadlines)) },
    { id: "dead", label: words.dead, end: true, cell: told((state, row) => (mayMaster ? <a href={`${to("dead")}?service=${row.service}`}>{number(state.deadMessages)}</a> : number(state.deadMessages))) },
    { id: "clock", label: words.clock, wide: true, cell: told((state) => clock(state.databaseAheadMilliseconds)) },
    {
      id: "migrations", label: words.migrations, wide: true,
      cell: told((state) => <Fold title={number(state.migrations.reduce((all, one) => all + one.version, 0))}>{() => state.migrations.map((one) => <div><bdi>{one.component}</bdi> {number(one.version)}</div>)}</Fold>),
    },
  ];
  return (
    <Page title={words.title} intro={words.intro} acts={<Button kind="second" onTap={() => invalidate("system")}>{words.again}</Button>}>
      <Table label={words.title} items={rows} idOf={(row) => row.service} columns={columns} />
      {mayMaster && <Rebuild />}
    </Page>
  );
};

export default System;
