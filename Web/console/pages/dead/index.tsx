import type { Admin } from "api-types";
import type { Component } from "preact";
import { api, GetParameters } from "../../../shared/api/client";
import { number } from "../../../shared/format";
import { useGet } from "../../../shared/resources";
import { Badge, Note } from "../../../shared/ui";
import { Act, choiceFilter, Code, Detail, Facts, Filter, List, Page, Part, reasonField, Split, useFilters, When } from "../../kit";
import type { PageProperties } from "../../pages";
import { isService, Service, serviceName, services } from "../system/services";
import { words } from "./words";

// Each service has the same operations under its own name; the types are those of one of them.
const listOf = (service: Service) => `/${service}/v1/dead-messages` as "/admin/v1/dead-messages";
const oneOf = (service: Service) => `/${service}/v1/dead-messages/{message}` as "/admin/v1/dead-messages/{message}";
const retryOf = (service: Service) => `/${service}/v1/dead-messages/{message}/retry` as "/admin/v1/dead-messages/{message}/retry";
const dropOf = (service: Service) => `/${service}/v1/dead-messages/{message}/drop` as "/admin/v1/dead-messages/{message}/drop";
const retryAllOf = (service: Service) => `/${service}/v1/dead-messages/retry` as "/admin/v1/dead-messages/retry";

const stateText = (state: string): string => (words as unknown as Record<string, string>)[state] ?? state;
const State: Component<{ of: Admin.DeadMessage }> = ({ of: { state } }) => <Badge tone={state === "waiting" ? "warning" : undefined}>{stateText(state)}</Badge>;
const tags = ["dead", "system"];

const One: Component<{ service: Service; message: string }> = ({ service, message }) => {
  const found = useGet(oneOf(service), { message }, ["dead"]);
  const title = found.value?.name ?? words.noName;
  return (
    <Detail title={<bdi>{title}</bdi>} back="dead" of={found} acts={(one) => one.state === "waiting" && (
      <>
        {one.isRetriable && <Act label={words.retry} title={`${words.retry}: ${title}`} text={words.retryText} look="primary" needs="master" tags={tags} send={(_, key) => api.post(retryOf(service), { message }, undefined, { key })} />}
        <Act label={words.drop} title={`${words.drop}: ${title}`} text={words.dropText} look="danger" needs="master" tags={tags} fields={[reasonField()]}
          send={({ reason }, key) => api.post(dropOf(service), { message }, { reason: String(reason) }, { key })} />
      </>
    )}>
      {(one) => (
        <>
          {one.state === "waiting" && !one.isRetriable && <Note tone="warning">{words.never}</Note>}
          <Facts of={[
            [words.state, <State of={one} />], [words.reason, <bdi>{one.reason}</bdi>], [words.failures, one.failures !== undefined && number(one.failures)],
            [words.failed, <When at={one.failedAt} exact />], [words.occurred, one.occurredAt && <When at={one.occurredAt} exact />], [words.decided, one.decidedAt && <When at={one.decidedAt} exact />],
            [words.queue, <bdi>{one.queue}</bdi>], [words.producer, one.producer && <bdi>{one.producer}</bdi>], [words.aggregate, one.aggregate && <Code value={one.aggregate} />],
            [words.id, one.message && <Code value={one.message} />],
          ]} />
          <Part title={words.body}>
            {one.body ? <pre class="code-block" dir="ltr" tabIndex={0}>{JSON.stringify(one.body, null, 2)}</pre> : <p class="muted">{words.noBody}</p>}
          </Part>
        </>
      )}
    </Detail>
  );
};

const Dead: Component<PageProperties> = ({ params }) => {
  const filters: Filter[] = [
    choiceFilter("service", words.service, Object.fromEntries(services.map((service) => [service, serviceName(service)])), serviceName("identity")),
    choiceFilter("state", words.state, { retrying: words.retrying, retried: words.retried, dropped: words.dropped, all: words.all }, words.waiting),
    { name: "name", label: words.name, kind: "text", placeholder: "dispatch.order.accepted.v1" },
  ];
  const values = useFilters(filters);
  const service = isService(values.service) ? values.service : "identity";
  return (
    <Page title={words.title} intro={words.intro} acts={(
      <Act label={words.retryAll} title={`${words.retryAll}: ${serviceName(service)}`} text={words.retryAllText} needs="master" tags={tags} told={(answer: { count: number }) => words.told(answer.count)}
        send={(_, key) => api.post(retryAllOf(service), {}, { name: values.name }, { key })} />
    )}>
      <Split detail={params.id && <One key={`${service} ${params.id}`} service={service} message={params.id} />}>
        <List title={words.title} path={listOf(service)} parameters={{ state: values.state, name: values.name } as GetParameters<"/admin/v1/dead-messages">} filters={filters} values={values} tags={["dead"]}
          empty={words.none} idOf={(one) => one.id} hrefOf={(one) => `dead/${one.id}`} open={params.id}
          columns={[
            { id: "name", label: words.name, cell: (one) => <bdi>{one.name ?? words.noName}</bdi> },
            { id: "state", label: words.state, cell: (one) => <State of={one} /> },
            { id: "reason", label: words.reason, cell: (one) => <bdi>{one.reason}</bdi> },
            { id: "failures", label: words.failures, wide: true, end: true, cell: (one) => (one.failures === undefined ? "–" : number(one.failures)) },
            { id: "failed", label: words.failed, cell: (one) => <When at={one.failedAt} /> },
            { id: "queue", label: words.queue, wide: true, cell: (one) => <bdi>{one.queue}</bdi> },
          ]} />
      </Split>
    </Page>
  );
};

export default Dead;
