import type { Dispatch } from "api-types";
import type { Component } from "preact";
import { useEffect } from "preact";
import { money } from "../../../shared/format";
import { Photo } from "../../../shared/photo";
import { useGet } from "../../../shared/resources";
import { to } from "../../../shared/router";
import { ask, Button, Empty, Loaded, Money, Note, Screen, Skeleton } from "../../../shared/ui";
import { isolate } from "../../../shared/words";
import type { ScreenProperties } from "../../features";
import { About } from "./about";
import { changed, Line, piecesOf, setCart, sumOf, useCart } from "./cart";
import { Count } from "./count";
import { words } from "./words";

const lineOf = (item: Dispatch.MenuItem): Omit<Line, "count"> => ({ item: item.item, name: item.name, price: item.price, picture: item.picture });

/** What a restaurant cooks; each dish is added to the order with a tap. */
const Menu: Component<ScreenProperties> = ({ params }) => {
  const found = useGet("/dispatch/v1/restaurants/{id}", { id: params.restaurant });
  const cart = useCart();
  const own = cart?.restaurant === params.restaurant ? cart.lines : [];
  // What is sold changes; whoever comes back to the page sees what it is now.
  useEffect(() => {
    const look = (): void => { if (!document.hidden) void found.reload(); };
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [found.reload]);

  const change = async (restaurant: Dispatch.Restaurant, item: Dispatch.MenuItem, by: number): Promise<void> => {
    if (cart && cart.restaurant !== restaurant.restaurant) {
      if (!(await ask({ title: words.otherCart(isolate(cart.name)), text: words.otherText, yes: words.empty, no: words.keep }))) return;
    }
    setCart({ restaurant: restaurant.restaurant, name: restaurant.name, currency: restaurant.currency, lines: changed(own, lineOf(item), by) });
  };
  return (
    <Screen title={found.value?.name ?? words.menu} back="food" footer={own.length > 0 && cart ? (
      <Button href={to(`food/${params.restaurant}/order`)}>{words.view(piecesOf(own), money({ amount: sumOf(own), currency: cart.currency }))}</Button>
    ) : undefined}>
      <Loaded of={found} skeleton={<Skeleton kind="card" rows={4} />}>
        {(restaurant) => (
          <>
            <About restaurant={restaurant} />
            {!restaurant.open && <Note tone="warning" live>{words.closed}</Note>}
            {restaurant.menu.length === 0 && <Empty icon="food" title={words.emptyMenu} />}
            <ul class="list dishes" aria-label={words.menu}>
              {restaurant.menu.map((item) => (
                <li key={item.item} class="row">
                  <Photo id={item.picture} icon="food" />
                  <span class="row-text">
                    <span class="row-title"><bdi>{item.name}</bdi></span>
                    {item.ingredients && <span class="row-detail"><bdi>{item.ingredients}</bdi></span>}
                    <Money value={{ amount: item.price, currency: restaurant.currency }} />
                  </span>
                  {restaurant.open && (
                    <Count name={item.name} value={own.find((line) => line.item === item.item)?.count ?? 0} onChange={(by) => void change(restaurant, item, by)} />
                  )}
                </li>
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </Screen>
  );
};

export default Menu;
