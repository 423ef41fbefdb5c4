import type { Component } from "preact";
import { useEffect, useState } from "preact";
import { duration, money } from "../../../shared/format";
import { to } from "../../../shared/router";
import { Badge, Button, IconButton, Section, Sheet, Skeleton } from "../../../shared/ui";
import { change, useDraft } from "./draft";
import { Picture } from "./picture";
import { Service, totalOf, useServices } from "./services";
import { words } from "./words";

/** All that is said of a service; with `onToggle` it can be chosen. */
export const About: Component<{ service: Service; price?: string; isOn?: boolean; onToggle?: () => void; onClose: () => void }> = ({ service, price, isOn, onToggle, onClose }) => (
  <Sheet title={service.name} onClose={onClose}>
    {service.brief && <p>{service.brief}</p>}
    <dl class="facts tall">
      {service.instructions && <><dt>{words.instructions}</dt><dd>{service.instructions}</dd></>}
      {service.requirements && <><dt>{words.requirements}</dt><dd>{service.requirements}</dd></>}
    </dl>
    <p class="muted">{[price ?? words.priceByProvider, service.minutes && words.takes(duration(service.minutes * 60))].filter(Boolean).join(" · ")}</p>
    {onToggle && <Button kind={isOn ? "second" : "primary"} onTap={() => { onToggle(); onClose(); }}>{isOn ? words.remove : words.add}</Button>}
  </Sheet>
);

/** What can be ordered, as cards to choose from: one or several. */
const CareHome: Component = () => {
  const { types, list, market } = useServices();
  const draft = useDraft();
  const [open, setOpen] = useState<Service | undefined>(undefined);
  // What the market has taken out since then is not chosen any more.
  useEffect(() => {
    const left = list && draft.services.filter((id) => list.some((one) => one.id === id));
    if (left && left.length !== draft.services.length) change({ services: left });
  }, [list?.length]);
  if (!types || !list || !market) return <Skeleton kind="card" rows={4} />;
  const chosen = list.filter((one) => draft.services.includes(one.id));
  const total = totalOf(chosen, market.currency);
  const isAssigned = market.kinds.some((kind) => kind.matching === "assigned");
  const toggle = (id: string): void => change({ services: draft.services.includes(id) ? draft.services.filter((one) => one !== id) : [...draft.services, id].slice(0, 20) });
  const priceOf = (one: Service): string | undefined => (one.price === undefined ? undefined : money({ amount: one.price, currency: market.currency }));
  return (
    <>
      <h2 class="display">{words.choose}</h2>
      {types.map((type) => (
        <Section key={type.id} title={type.name} end={<Picture image={type.image} />}>
          {type.brief && <p class="muted">{type.brief}</p>}
          <div class="cards">
            {list.filter((one) => one.type === type.id).map((one) => (
              <div key={one.id} class="service">
                <label class="choice">
                  <input type="checkbox" checked={draft.services.includes(one.id)} onChange={() => toggle(one.id)} />
                  <Picture image={one.image} />
                  <span class="row-text">
                    <span class="row-title">{one.name}</span>
                    {one.brief && <span class="row-detail">{one.brief}</span>}
                    {(priceOf(one) || one.minutes) && (
                      <span class="line service-price">{priceOf(one) && <Badge tone="accent">{priceOf(one)}</Badge>}{one.minutes && <span class="row-detail">{duration(one.minutes * 60)}</span>}</span>
                    )}
                  </span>
                </label>
                <IconButton icon="info" label={words.about(one.name)} onTap={() => setOpen(one)} />
              </div>
            ))}
          </div>
        </Section>
      ))}
      {chosen.length > 0 && (
        <div class="screen-footer">
          <div class="actions">
            <Button href={to(isAssigned ? "care/when" : "care/providers")}>
              {words.next} · {words.chosen(chosen.length)}{total && <> · {money(total)}</>}
            </Button>
          </div>
        </div>
      )}
      {open && <About service={open} price={priceOf(open)} isOn={draft.services.includes(open.id)} onToggle={() => toggle(open.id)} onClose={() => setOpen(undefined)} />}
    </>
  );
};

export default CareHome;
