// JSX calls `h` and `Fragment`; the build imports both from here wherever they are used, so no file names them.
import { h } from "preact";

/** Several nodes without an element around them. */
export const Fragment = (properties: { children?: unknown }): unknown => properties.children;
export { h };
