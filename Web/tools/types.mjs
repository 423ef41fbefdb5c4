// Writes the types of all requests and answers from the services' openapi.yaml: one namespace of schemas for each service, and
// `Operations`, a map from method and path to parameters, body and answer. What the API renames breaks the compile of the app.
//   node types.mjs OUT SERVICE=openapi.yaml...
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const yaml = createRequire(import.meta.url)("js-yaml");
const [out, ...sources] = process.argv.slice(2);
const methods = ["get", "post", "put", "patch", "delete"];
const isName = (text) => /^[A-Za-z_$][\w$]*$/.test(text);
const property = (name) => (isName(name) ? name : JSON.stringify(name));
const typeName = (name) => name[0].toUpperCase() + name.slice(1).replace(/[^A-Za-z0-9]/g, "");

class Document {
  constructor(service, text) {
    this.namespace = typeName(service);
    this.root = yaml.load(text);
  }

  follow(node) {
    while (node && node.$ref) {
      const { $ref } = node;
      node = $ref.slice(2).split("/").reduce((at, key) => at?.[key.replace(/~1/g, "/").replace(/~0/g, "~")], this.root);
      if (node === undefined) throw new Error(`the openapi.yaml of ${this.namespace} refers to ${$ref}, which it does not have`);
    }
    return node;
  }

  type(schema) {
    if (!schema || schema === true) return "unknown";
    if (schema.$ref) {
      const match = /^#\/components\/schemas\/(.+)$/.exec(schema.$ref);
      return match ? `${this.namespace}.${typeName(match[1])}` : this.type(this.follow(schema));
    }
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    // The words of an answer are open; the app has a case for each that its own version knows.
    const words = schema.enum || schema["x-extensible-enum"];
    if (words) return words.map((value) => JSON.stringify(value)).join(" | ");
    if (schema.allOf) {
      const own = schema.properties ? [this.object(schema)] : [];
      return [...schema.allOf.map((part) => this.type(part)), ...own].map((text) => `(${text})`).join(" & ");
    }
    const any = schema.oneOf || schema.anyOf;
    if (any && !schema.properties) return any.map((part) => `(${this.type(part)})`).join(" | ");
    const kinds = [].concat(schema.type || (schema.properties ? "object" : []));
    if (!kinds.length) return "unknown";
    return kinds.map((kind) => this.ofKind(kind, schema)).join(" | ");
  }

  ofKind(kind, schema) {
    switch (kind) {
      case "string": return "string";
      case "integer":
      case "number": return "number";
      case "boolean": return "boolean";
      case "null": return "null";
      case "array": return `Array<${this.type(schema.items)}>`;
      default: return this.object(schema);
    }
  }

  object(schema) {
    const required = new Set(schema.required || []);
    const fields = Object.entries(schema.properties || {}).map(([name, part]) =>
      `${property(name)}${required.has(name) ? "" : "?"}: ${this.type(part)}`);
    const rest = schema.additionalProperties;
    if (!fields.length) return rest && rest !== true ? `Record<string, ${this.type(rest)}>` : "Record<string, unknown>";
    return `{ ${fields.join("; ")} }`;
  }

  schemas() {
    const entries = Object.entries((this.root.components || {}).schemas || {});
    return entries.map(([name, schema]) => `  export type ${typeName(name)} = ${this.type(schema)};`).join("\n");
  }

  // Path and query stand in one object: no route has the same name in both.
  parameters(path, item, operation) {
    const found = new Map();
    for (const raw of [...(item.parameters || []), ...(operation.parameters || [])]) {
      const parameter = this.follow(raw);
      if (parameter.in !== "path" && parameter.in !== "query") continue;
      if (found.has(parameter.name) && found.get(parameter.name).in !== parameter.in) {
        throw new Error(`${path}: ${parameter.name} is in the path and in the query`);
      }
      found.set(parameter.name, parameter);
    }
    const fields = [...found.values()].map((parameter) => {
      const needed = parameter.in === "path" || parameter.required;
      const type = this.type(parameter.schema);
      return `${property(parameter.name)}${needed ? "" : "?"}: ${type}${needed ? "" : " | undefined"}`;
    });
    return fields.length ? `{ ${fields.join("; ")} }` : "{}";
  }

  body(operation) {
    const request = this.follow(operation.requestBody);
    if (!request) return "undefined";
    const json = request.content["application/json"];
    const type = json ? this.type(json.schema) : "Blob";
    return request.required ? type : `(${type}) | undefined`;
  }

  answer(operation) {
    const types = new Set();
    for (const [status, raw] of Object.entries(operation.responses)) {
      if (!/^2/.test(status)) continue;
      const response = this.follow(raw);
      const json = response.content && response.content["application/json"];
      types.add(json ? this.type(json.schema) : response.content ? "Blob" : "undefined");
    }
    return [...types].map((text) => `(${text})`).join(" | ") || "undefined";
  }

  operations(method) {
    return Object.entries(this.root.paths).filter(([path, item]) => item[method] && path.includes("/v1/")).map(([path, item]) => {
      const operation = item[method];
      const parts = [this.parameters(path, item, operation), this.body(operation), this.answer(operation)];
      return `    ${JSON.stringify(path)}: Operation<${parts.join(", ")}>;`;
    });
  }
}

const documents = sources.map((source) => {
  const [service, file] = source.split("=");
  return new Document(service, readFileSync(file, "utf8"));
});
const lines = ["// Written by Web/tools/types.mjs; do not edit.", "", "export interface Operation<Parameters, Body, Answer> {",
  "  parameters: Parameters;", "  body: Body;", "  answer: Answer;", "}", ""];
for (const document of documents) {
  lines.push(`export declare namespace ${document.namespace} {`, document.schemas(), "}", "");
}
lines.push("export interface Operations {");
for (const method of methods) {
  lines.push(`  ${method}: {`, ...documents.flatMap((document) => document.operations(method)), "  };");
}
lines.push("}", "");
writeFileSync(out, lines.join("\n"));
