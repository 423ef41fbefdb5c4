import type { Component } from "preact";
import { Photo } from "../../../shared/photo";
import { to } from "../../../shared/router";
import { Button, Empty, Icon, Money, Screen } from "../../../shared/ui";
import type { ScreenProperties } from "../../features";
import { Own, useOwn } from "./own";
import { words } from "./words";

/** What the restaurant sells; a tap changes it. */
const Menu: Component<ScreenProperties> = () => {
  const own = useOwn();
  return (
    <Screen title={words.menu} footer={own.value ? <Button icon="plus" href={to("menu/new")}>{words.addItem}</Button> : undefined}>
      <Own of={own}>
        {(restaurant) => restaurant.menu.length === 0 ? <Empty icon="food" title={words.emptyMenu} text={words.emptyMenuText} /> : (
          <ul class="list" aria-label={words.menu}>
            {restaurant.menu.map((item) => (
              <li key={item.item}>
                <a class="row tappable" href={to(`menu/${item.item}`)}>
                  <Photo id={item.picture} icon="food" />
                  <span class="row-text"><span class="row-title"><bdi>{item.name}</bdi></span>{item.ingredients && <span class="row-detail"><bdi>{item.ingredients}</bdi></span>}
                    <Money value={{ amount: item.price, currency: item.currency }} />
                  </span>
                  <Icon name="chevron" mirrored size={20} />
                </a>
              </li>
            ))}
          </ul>
        )}
      </Own>
    </Screen>
  );
};

export default Menu;
