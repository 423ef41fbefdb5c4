import type { Component } from "preact";
import { ago } from "../../../shared/format";
import { useMarket } from "../../../shared/market";
import { useGet } from "../../../shared/resources";
import { to } from "../../../shared/router";
import { Avatar, Empty, List, Loaded, Row, Screen } from "../../../shared/ui";
import type { ScreenProperties } from "../../features";
import { words } from "./words";

/** Whom a care partner has visited. */
const Clients: Component<ScreenProperties> = () => {
  const { id } = useMarket();
  const clients = useGet("/dispatch/v1/markets/{market}/clients", { market: id, limit: 100 }, ["orders"]);
  return (
    <Screen title={words.clients}>
      <Loaded of={clients}>
        {(found) => found.items.length === 0 ? <Empty icon="people" title={words.noClients} text={words.noClientsText} /> : (
          <>
            <List label={words.clients}>
              {found.items.map((one) => (
                <Row key={one.customer.account} start={<Avatar name={one.customer.name} size={40} />} title={<bdi>{one.customer.name}</bdi>}
                  detail={`${words.visits(one.visits)} · ${words.lastVisit(ago(one.lastVisitAt))}`} />
              ))}
            </List>
            <List><Row icon="orders" title={words.past} href={to("orders?section=past")} /></List>
          </>
        )}
      </Loaded>
    </Screen>
  );
};
export default Clients;
