import type { Component } from "preact";
import { useGet } from "../../../shared/resources";
import { to } from "../../../shared/router";
import { Button, List, Row, Sheet } from "../../../shared/ui";
import type { Person } from "./draft";
import { words } from "./visit-words";

/** For whom it is: oneself, or a relative for whom one may order here. */
const Relatives: Component<{ market: string; value?: Person; onChoose: (person: Person | undefined) => void; onClose: () => void }> = ({ market, value, onChoose, onClose }) => {
  const links = useGet("/identity/v1/accounts/me/links", {}, ["links"]);
  const people = (links.value?.items ?? [])
    .filter((link) => link.kind === "family" && link.state === "confirmed" && link.market === market && link.scopes.includes("order") && link.other.account)
    .map((link) => ({ account: link.other.account as string, name: link.other.name ?? "" }));
  return (
    <Sheet title={words.forWhom} onClose={onClose}>
      <List>
        <Row icon="people" title={words.myself} current={!value} onTap={() => onChoose(undefined)} />
        {people.map((one) => <Row key={one.account} icon="person" title={<bdi>{one.name}</bdi>} current={value?.account === one.account} onTap={() => onChoose(one)} />)}
      </List>
      <Button kind="quiet" icon="plus" href={to("family")}>{words.addRelative}</Button>
    </Sheet>
  );
};

export default Relatives;
