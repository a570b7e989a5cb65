import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tablesWithoutProject } from "../../support/postgres/statement-rules.js";

const tables = ["schema/tables.ts", "schema/upgrades.ts", "lexical/lexical-postgres.ts"].flatMap((file) =>
  [...readFileSync(`src/store/postgres/${file}`, "utf8").matchAll(/CREATE TABLE (\w+)/g)].flatMap(
    ([, name]) => name ?? [],
  ),
);

/** All that is sent to a server: what a test happens to run is only a part of it. */
const files = [
  "src/store/repositories/tasks",
  "src/store/repositories/knowledge",
  "src/store/repositories",
  "src/store/postgres",
]
  .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name))))
  .filter((file) => file.endsWith(".ts") && !/vectors\.ts$|schema\//.test(file));

/** Conditions that are put together elsewhere; the statements that tests send show that they begin with the project. */
const composed = /\$\{(?:where|rowsAt|inPart|lines\.text|owns)\}/g;

it("says in every statement of the sources whose rows it means", () => {
  const statements = files.flatMap((file) => statementsIn(file).map((statement) => ({ file, statement })));
  // The rest is built by repositories/table.ts, which names the project in each.
  expect(statements.length).toBeGreaterThan(70);
  const careless = statements.filter(({ statement }) => tablesWithoutProject(statement, tables).length > 0);
  // A key is found by its name, and a new project is made.
  expect(careless.filter(({ statement }) => !/\bprojects WHERE key =|INTO projects/.test(statement))).toEqual(
    [],
  );
});

/** The literals of a source that name a table, with the fragments that say whose rows are meant. */
function statementsIn(file: string): string[] {
  const source = readFileSync(file, "utf8").replace(/^\s*(?:\/\*\*|\*|\/\/).*$/gm, "");
  const literals = [...source.matchAll(/`(?:\$\{(?:[^{}]|\{[^{}]*\})*\}|[^`])*`|"(?:[^"\\\n]|\\.)*"/g)];
  return literals
    .map(([literal]) =>
      literal
        .replace(/\$\{(?:project\.)?owns\("(\w+)"\)\}/g, "$1.project = $$1")
        .replace(/\$\{project\.owns\(table\)\}/g, "project = $$1")
        .replace(/\$\{project\.column\}/g, "project, ")
        .replace(composed, "project = $$1")
        .replace(/:project\b/g, "$$1"),
    )
    .filter((text) => /\b(?:FROM|JOIN|INTO|UPDATE) [a-z_]+\b/.test(text));
}
