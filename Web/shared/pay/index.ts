export * from "./asking";
export * from "./card";
export * from "./redirect";
export * from "./ways";
export { words as payWords } from "./words";
