export * from "./act";
export * from "./csv";
export * from "./filters";
export * from "./list";
export * from "./page";
export * from "./parts";
export { words as kitWords } from "./words";
export * from "./talk";
