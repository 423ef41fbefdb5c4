import type { Component } from "preact";
import { languageName } from "../../../shared/language";
import { usePlace } from "../../../shared/router";
import { Badge, Rating } from "../../../shared/ui";
import { choiceFilter, Filter, List, Page, Split, useFilters, When } from "../../kit";
import type { PageProperties } from "../../pages";
import { Create, Offer } from "./acts";
import { Person } from "./one";
import { words } from "./words";

const People: Component<PageProperties> = ({ params }) => {
  const { market } = usePlace();
  const filters: Filter[] = [
    { name: "name", label: words.name, kind: "text", placeholder: words.nameHint },
    { name: "contact", label: words.contactWhole, kind: "text", placeholder: words.contactHint, isPrivate: true },
    choiceFilter("role", words.role, { customer: words.customer, provider: words.provider }),
    choiceFilter("banned", words.banned, { true: words.bannedOnly, false: words.notBanned }),
  ];
  const values = useFilters(filters);
  const parameters = { market, name: values.name, contact: values.contact, role: values.role as "customer" | undefined, banned: values.banned === undefined ? undefined : values.banned === "true" };
  return (
    <Page title={words.title} acts={<><Offer /><Create /></>}>
      <Split detail={params.id && <Person key={params.id} account={params.id} />}>
        <List title={words.title} path="/identity/v1/markets/{market}/people" parameters={parameters} filters={filters} values={values} tags={["people"]} empty={words.noPeople}
          idOf={(one) => one.account} hrefOf={(one) => `people/${one.account}`} open={params.id}
          columns={[
            { id: "name", label: words.name, cell: (one) => <bdi>{one.name}</bdi> },
            { id: "roles", label: words.roles, cell: (one) => one.roles.map((role) => role.titleName ?? (role.role === "customer" ? words.customer : words.provider)).join(", ") },
            { id: "ban", label: words.banned, cell: (one) => one.ban && <Badge tone="danger">{words.isBanned}</Badge> },
            { id: "contact", label: words.contact, wide: true, cell: (one) => <bdi dir="ltr">{one.mobile ?? one.email}</bdi> },
            { id: "rating", label: words.rating, wide: true, cell: (one) => one.roles.filter((role) => role.rating && role.rating.count > 0).map((role) => <Rating key={role.title ?? ""} {...role.rating!} />) },
            { id: "language", label: words.language, wide: true, cell: (one) => languageName[one.language] },
            { id: "registered", label: words.registered, cell: (one) => <When at={one.registeredAt} /> },
          ]} />
      </Split>
    </Page>
  );
};

export default People;
