import { latinDigits } from "../../../shared/format";

/** A mobile number with digits of any script; an address as it is. */
export const loginName = (text: string): string => (text.includes("@") ? text.trim() : latinDigits(text).replace(/[\s()-]/g, ""));
