import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { sqliteOnly } from "../../support/postgres/sqlite-only.js";

/** A name may be put together from a table of cases. */
const literalOf = (name: string) =>
  name.replace(/(?: by (?:resume|stop) --force| a minute after.*| not before)$/, "");

it("names only tests that exist, each once", () => {
  const named = sqliteOnly.flatMap(({ tests }) =>
    Object.entries(tests).flatMap(([file, names]) => names.map((name) => ({ file, name }))),
  );
  expect(named.filter(({ file, name }) => !readFileSync(file, "utf8").includes(literalOf(name)))).toEqual([]);
  expect(new Set(named.map(({ file, name }) => `${file} ${name}`)).size).toBe(named.length);
});
