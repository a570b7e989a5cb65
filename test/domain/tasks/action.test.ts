import { describe, expect, it } from "vitest";
import { commandOf } from "../../../src/domain/tasks/action.js";

describe("the command of an action", () => {
  it.each([
    ["npm test", "npm test"],
    ["# run the tests\nnpm test", "npm test"],
    ["cd packages/api\nnpm install luxon", "cd packages/api && npm install luxon"],
    ["npm run build\n\nnpm test", "npm run build; npm test"],
    ["docker run \\\n  -p 80:80 \\\n  web", "docker run -p 80:80 web"],
  ])("is one line, without comments: %s", (command, line) => {
    expect(commandOf({ params: { command } })).toBe(line);
  });

  it.each([
    ["python3 - <<'EOF'\nprint(1)\nEOF", "python3 - <<'EOF'"],
    ["for f in *.py\ndo\n  ruff check $f\ndone", "for f in *.py"],
    ["a\nb\nc\nd\ne\nf", "a"],
    ["# only this\n# and that", "# only this"],
  ])("is the first line of a longer script: %s", (command, line) => {
    expect(commandOf({ params: { command } })).toBe(line);
  });
});
