import { describe, expect, it } from "vitest";
import { chainOf, inOneLine, readShellLine } from "../../../src/domain/tasks/shell-line.js";
import { growsLinearly } from "../../support/grows-linearly.js";

describe("a line of commands", () => {
  it.each([
    ["npm run lint && npm test 2>&1 | tail -5", ["npm run lint", "npm test 2>&1 | tail -5"]],
    ['git commit -m "a && b" && npm test', ['git commit -m "a && b"', "npm test"]],
    ["npm test", ["npm test"]],
  ])("that runs each only after the one before is those: %s", (command, parts) => {
    expect(chainOf(command)).toEqual(parts);
  });

  it.each(["npm run lint && npm test || true", "(cd api && npm test)", "npm start & npm test && true"])(
    "of which a part may not have been run, or not have passed, is one: %s",
    (command) => {
      expect(chainOf(command)).toEqual([command]);
    },
  );

  it("takes time that grows with its length alone", () => {
    expect(growsLinearly((count) => chainOf(`echo ${'\\"'.repeat(count)}`), 20_000)).toBe(true);
    expect(growsLinearly((count) => readShellLine(`cd ${"a ".repeat(count)}`), 20_000)).toBe(true);
  });
});

describe("a script", () => {
  it.each([
    ["# the suite\ncd api\nnpm test", "cd api && npm test"],
    ["set -e\ncd x\nexport A=b\nnpm test", "set -e && cd x && export A=b && npm test"],
    ["npm run lint\nnpm test", "npm run lint; npm test"],
    ["npm test &&\nnpm run lint", "npm test && npm run lint"],
    ["npm test |\n  tail -5", "npm test | tail -5"],
    ["npm ci # install\nnpm test", "npm ci; npm test"],
    ["npm test -- \\\n  --watch=false", "npm test -- --watch=false"],
    ['python3 -c "\nimport os\nprint(1)\n"', 'python3 -c "'],
    ["cd pkg\nfor i in 1 2; do\n npm test\ndone", "cd pkg && for i in 1 2; do"],
    ["cd pkg\npython3 - <<'EOF'\nprint(1)\nEOF", "cd pkg && python3 - <<'EOF'"],
    ["cd pkg", "cd pkg"],
  ])("of a few commands is a line of them, a longer one its first: %j", (script, line) => {
    expect(inOneLine(script)).toBe(line);
  });
});
