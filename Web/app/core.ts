// What every way to an order needs. The build lets each part that is fetched late import it: then the bundler makes one file of all of
// it, which compresses far better than the thirty that it would make of what each pair of screens shares.
import "../shared/device/here";
import "../shared/forms";
import "../shared/kept";
import "../shared/lazy";
import "../shared/map/place-picker";
import "../shared/market";
import "../shared/waiting";
import "../shared/settled";
import "../shared/stream";
import "../shared/theme";
import "../shared/ui";
import "../shared/zone";
import "./nav";
import "./roles";
import "./tabs";
import "./words";
