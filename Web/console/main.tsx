import { render } from "preact";
import { followLanguage } from "../shared/language";
import { marketIds } from "../shared/market";
import { invalidate } from "../shared/resources";
import { followPlace, place } from "../shared/router";
import { followStream, onStream } from "../shared/stream";
import { Console } from "./console";
import { countAgain } from "./counts";
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
// What waits for the market's admins has changed, by somebody's deed or another admin's.
onStream("waiting", ({ market }) => {
  if (market !== place.get().market) return;
  countAgain(market);
  invalidate("admin-inbox");
});
followKeys();
