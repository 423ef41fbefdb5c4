import type { Component } from "preact";
import { useGet } from "../../../shared/resources";
import { place, to } from "../../../shared/router";
import { Badge, Button, Empty, List, Loaded, Row, Screen } from "../../../shared/ui";
import type { ScreenProperties } from "../../features";
import { ruleInWords } from "../care/calendar";
import { words } from "./words";

/** Visits that come again, of the one who ordered them. */
const SeriesList: Component<ScreenProperties> = () => {
  const series = useGet("/dispatch/v1/series", { limit: 100 }, ["series"]);
  const { market } = place.get();
  const isParcels = market === "carrepsa";
  return (
    <Screen title={isParcels ? words.parcels : words.title} back={isParcels ? "" : "orders"}>
      <Loaded of={series}>
        {(found) => {
          const items = found.items.filter((one) => one.market === market);
          return items.length === 0 ? (
            <Empty icon="repeat" title={isParcels ? words.noParcels : words.none} text={isParcels ? words.noParcelsText : words.noneText}>
              <Button href={to(isParcels ? "send" : "")}>{isParcels ? words.send : words.toServices}</Button>
            </Empty>
          ) : (
            <List label={isParcels ? words.parcels : words.title}>
              {items.map((one) => (
                <Row key={one.series} icon="repeat" title={<bdi>{one.parcel?.name ?? one.services.map((service) => service.name).join(" · ")}</bdi>} detail={ruleInWords(one.rule, one.time)} href={to(`series/${one.series}`)}
                  end={<Badge tone={one.state === "active" ? "good" : "neutral"}>{one.state === "active" ? words.active : words.ended}</Badge>} />
              ))}
            </List>
          );
        }}
      </Loaded>
    </Screen>
  );
};
export default SeriesList;
