import type { Component } from "preact";
import { useState } from "preact";
import { textOf } from "../../../shared/api/problem";
import { duration, money } from "../../../shared/format";
import { useMarket } from "../../../shared/market";
import { to } from "../../../shared/router";
import { Button, Empty, List, Row, Screen, Section, Skeleton } from "../../../shared/ui";
import { takes, useSignUp } from "../../signup";
import { words as login } from "../login/words";
import { About } from "./home";
import { Picture } from "./picture";
import { Service, useServices } from "./services";
import { words } from "./words";

/** What can be ordered here, for whoever has no account yet. */
const Browse: Component = () => {
  const { error } = useMarket();
  const byPassword = takes(useSignUp().value, "password");
  const { types, list, market } = useServices();
  const [open, setOpen] = useState<Service | undefined>(undefined);
  const priceOf = (one: Service): string | undefined => (one.price === undefined || !market ? undefined : money({ amount: one.price, currency: market.currency }));
  const terms = (one: Service): string => [priceOf(one), one.minutes && duration(one.minutes * 60)].filter(Boolean).join(" · ");
  return (
    <Screen title={words.services} back="welcome" footer={<Button href={to(byPassword ? "register" : "login")}>{byPassword ? login.create : login.logIn}</Button>}>
      {types && list ? types.map((type) => (
        <Section key={type.id} title={type.name} end={<Picture image={type.image} />}>
          {type.brief && <p class="muted">{type.brief}</p>}
          <List label={type.name}>
            {list.filter((one) => one.type === type.id).map((one) => <Row key={one.id} start={<Picture image={one.image} />} title={one.name} detail={<>{one.brief}{terms(one) && <><br />{terms(one)}</>}</>} onTap={() => setOpen(one)} />)}
          </List>
        </Section>
      )) : error ? <Empty icon="offline" title={textOf(error)} /> : <Skeleton rows={6} />}
      {open && <About service={open} price={priceOf(open)} onClose={() => setOpen(undefined)} />}
    </Screen>
  );
};

export default Browse;
