import { render } from "preact";
import { followLanguage } from "../shared/language";
import { marketIds } from "../shared/market";
import { invalidate } from "../shared/resources";
import { followPlace } from "../shared/router";
import { followStream, onStream } from "../shared/stream";
import { Console } from "./console";
import { followKeys } from "./keys";

// The console has one look: what is read for eight hours is dark on light.
document.documentElement.dataset.theme = "light";
followLanguage();
followPlace(marketIds, "/console");
const root = document.getElementById("app") as HTMLElement;
root.textContent = "";
render(<Console />, root);
followStream();
// An admin hears of the inquiries that he or she has taken.
onStream("message", (event) => invalidate(`inquiry:${event.conversation}`));
followKeys();
