import type { Component } from "preact";
import { Problem } from "../../../shared/api/problem";
import { useCell } from "../../../shared/cell";
import { chooseLanguage, language, languageName, languages } from "../../../shared/language";
import { lookOf, marketName, useMarket } from "../../../shared/market";
import { place, to } from "../../../shared/router";
import { session } from "../../../shared/session";
import { catalogue, localized } from "../../../shared/words";
import { Button, Screen, Skeleton } from "../../../shared/ui";
import type { ScreenProperties } from "../../features";
import { Mark } from "../../nav";
import { takes, useSignUp } from "../../signup";
import { NafathButton } from "../login/index";
import { words as login } from "../login/words";

const words = catalogue({
  language: { en: "Language", ar: "اللغة" },
  look: { en: "How it works", ar: "كيف يعمل" },
  services: { en: "See the services", ar: "عرض الخدمات" },
  closed: { en: "New accounts are not taken here yet", ar: "التسجيل غير متاح هنا بعد" },
  go: { en: "Go on", ar: "متابعة" },
});

// Where a visitor may look at what is offered.
const sellsServices = ["assef", "edencare"];

/** The first screen: language, log in, create an account. */
const Welcome: Component<ScreenProperties> = () => {
  const { market } = place.get();
  const chosen = useCell(language);
  const isIn = useCell(session).state === "in";
  const rules = useSignUp();
  const byPassword = takes(rules.value, "password");
  const { error } = useMarket();
  const isClosed = (error instanceof Problem && error.status === 404) || rules.value?.open === false;
  return (
    <Screen title={marketName(market)} plain end={<LanguageChoice />} footer={isIn ? <Button href={to("")}>{words.go}</Button> : (
      <>
        {!rules.value && !rules.error ? <Skeleton kind="row" rows={2} />
          : takes(rules.value, "nafath") ? <><NafathButton /><Button kind="quiet" href={to("login?password=yes")}>{login.otherwise}</Button></> : (
            <>
              {!isClosed && (byPassword || rules.error) && <Button href={to("register")}>{login.create}</Button>}
              <Button kind={isClosed ? "primary" : "second"} href={to("login")}>{login.logIn}</Button>
            </>
          )}
        {sellsServices.includes(market) && <Button kind="quiet" href={to("browse")}>{words.services}</Button>}
        <Button kind="quiet" href={to("tour")}>{words.look}</Button>
      </>
    )}>
      <div class="brand grow" key={chosen}>
        <Mark market={market} />
        <p class="display">{localized(lookOf(market).tagline)}</p>
        {isClosed && <p class="muted">{words.closed}</p>}
      </div>
    </Screen>
  );
};

/** Each language by its own name: whoever cannot read the page finds it. */
export const LanguageChoice: Component = () => {
  const chosen = useCell(language);
  return (
    <div role="group" aria-label={words.language} class="line">
      {languages.filter((one) => one !== chosen).map((one) => (
        <button key={one} type="button" class="button quiet small" lang={one} onClick={() => chooseLanguage(one)}>{languageName[one]}</button>
      ))}
    </div>
  );
};

export default Welcome;
