export * from "./form";
export * from "./fields";
