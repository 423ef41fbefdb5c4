import "./core";
import { render } from "preact";
import { followLanguage } from "../shared/language";
import { marketIds } from "../shared/market";
import { followPlace } from "../shared/router";
import { followStream } from "../shared/stream";
import { followTheme } from "../shared/theme";
import { toast } from "../shared/ui/dialog";
import { App } from "./app";
import { followStyles } from "./styles";
import { followVersions } from "./versions";
import { words } from "./words";

/** What waits from an earlier time is sent when the app stands; no start waits for it. */
function followWaiting(): void {
  import("../shared/queue").then(
    ({ followQueue }) => followQueue((label, error) => toast(error ? words.notSent(label, error) : words.sentLate(label))),
    () => setTimeout(followWaiting, 10_000));
}

followTheme();
followLanguage();
followPlace(marketIds);
const root = document.getElementById("app") as HTMLElement;
root.textContent = "";
render(<App />, root);
followStream();
followWaiting();
followVersions();
followStyles();
// The start has other things to do. Without a network there are no messages either; the next start looks again.
setTimeout(() => void import("./messages").then(({ followMessages }) => followMessages(), () => undefined), 3000);
