import type { Component } from "preact";
import { to } from "../../../shared/router";
import { Button, Empty, Screen } from "../../../shared/ui";
import { words } from "./words";

/** How the link of a mail ended, and where one goes on. */
export const Outcome: Component<{ icon: string; title: string; text?: string; isDone?: boolean }> = ({ icon, title, text, isDone }) => (
  <Screen title={title} quiet>
    <Empty icon={icon} title={title} text={text}><Button href={to(isDone ? "" : "login")}>{isDone ? words.go : words.logIn}</Button></Empty>
  </Screen>
);
