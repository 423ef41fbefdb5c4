import type { Component } from "preact";
import { ago } from "../../../../shared/format";
import { useGet } from "../../../../shared/resources";
import { List, Row, Section } from "../../../../shared/ui";
import type { View } from "../view";
import { words } from "../words";

/** One's own reports of the order and what was answered. */
export const Reports: Component<{ view: View }> = ({ view }) => {
  const id = view.order.order;
  const reports = useGet("/dispatch/v1/orders/{id}/reports", view.isOnlySeen ? null : { id }, [`reports:${id}`, `order:${id}`]);
  if (!reports.value?.items.length) return null;
  return (
    <Section title={words.reports}>
      <List>
        {reports.value.items.map((one) => (
          <Row key={one.report} icon="flag" title={one.reasonText} detail={
            <>{one.note && <><bdi>{one.note}</bdi><br /></>}{one.warnings?.map((warning) => <span key={warning.code}>{warning.text}<br /></span>)}{one.answer ? words.reportAnswer(one.answer) : <>{words.reportWaits} · {ago(one.at)}</>}</>
          } />
        ))}
      </List>
    </Section>
  );
};
