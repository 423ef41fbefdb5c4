import "./core";
import { render } from "preact";
import { followLanguage } from "../shared/language";
import { marketIds } from "../shared/market";
import { followQueue } from "../shared/queue";
import { followPlace } from "../shared/router";
import { followStream } from "../shared/stream";
import { followTheme } from "../shared/theme";
import { toast } from "../shared/ui/dialog";
import { App } from "./app";
import { followStyles } from "./styles";
import { followVersions } from "./versions";
import { words } from "./words";

followTheme();
followLanguage();
followPlace(marketIds);
const root = document.getElementById("app") as HTMLElement;
root.textContent = "";
render(<App />, root);
followStream();
followQueue((label, error) => toast(error ? words.notSent(label, error) : words.sentLate(label)));
followVersions();
followStyles();
// The start has other things to do. Without a network there are no messages either; the next start looks again.
setTimeout(() => void import("./messages").then(({ followMessages }) => followMessages(), () => undefined), 3000);
