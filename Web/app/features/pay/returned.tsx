import type { Component } from "preact";
import { useEffect, useState } from "preact";
import { whereLeft } from "../../../shared/pay/redirect";
import { go } from "../../../shared/router";
import { Button, Empty, Screen, Skeleton } from "../../../shared/ui";
import type { ScreenProperties } from "../../features";
import { words } from "./words";

/** Where banks and PayPal lead back to: on to what was being paid, which knows how it went. */
const Returned: Component<ScreenProperties> = () => {
  const [path] = useState(whereLeft);
  useEffect(() => {
    if (path) go(path, { replace: true });
  }, [path]);
  return (
    <Screen title={words.back}>
      {path ? <Skeleton kind="card" /> : <Empty icon="check" title={words.back} text={words.backText}><Button href="/">{words.start}</Button></Empty>}
    </Screen>
  );
};

export default Returned;
