import { describe, expect, it } from "vitest";
import {
  commandShape,
  isBuild,
  isCheck,
  isHousekeeping,
  isLookup,
  isMending,
  isRecording,
  isRetry,
  isServing,
  plainCommand,
  variablesOf,
} from "../../../src/domain/tasks/command-kind.js";

const kinds = { isBuild, isCheck, isHousekeeping, isLookup, isMending, isRecording, isRetry, isServing };

describe("a command", () => {
  it.each<[keyof typeof kinds, string[], string[]]>([
    [
      "isCheck",
      [
        "npm test",
        "npm run test:e2e -- --headed",
        "CI=1 npx vitest run",
        "cd api && go test ./...",
        "cargo clippy",
        "python -m pytest -q tests/unit",
        "python3 -m unittest discover",
        "node --import tsx --test",
        "bundle exec rspec",
        "./gradlew integrationTest",
        "make lint",
        "pnpm --filter web typecheck",
        "terraform validate",
      ],
      [
        "npm install jest",
        "cat test.log",
        "git commit -m 'fix the tests'",
        "docker compose up -d test-db",
        "rm -rf coverage",
        "node scripts/seed.mjs",
        "npm run migrate:test",
        "bin/rails db:test:prepare",
        "pnpm test:db:up",
      ],
    ],
    [
      "isMending",
      [
        "npx eslint --fix .",
        "npm run lint -- --fix",
        "npm run lint:fix",
        "ruff check --fix scripts",
        "ruff format .",
        "biome check --write src",
        "cargo clippy --fix --allow-dirty",
        "npx vitest run -u",
        "npm test -- -u",
        "pytest --snapshot-update",
        "bundle exec rubocop -A",
      ],
      [
        "npx eslint .",
        "npx eslint --fix-dry-run .",
        "ruff format --check .",
        "python -u -m pytest",
        "npm test",
        "npm run fix",
        "npx prettier --check .",
      ],
    ],
    [
      "isBuild",
      ["npm run build", "docker build .", "make compile", "./mvnw package"],
      ["npm test", "rm -rf build", "npm install esbuild"],
    ],
    [
      "isLookup",
      [
        "ls -la",
        "git diff HEAD~1",
        "docker compose ps",
        "kubectl get pods",
        "grep -rn todo src | head -3",
        "npm view chart versions",
        "psql -c 'select 1'",
        "sleep 5",
        "node --version",
      ],
      ["echo x > .env", "psql -c 'delete from carts'", "docker compose up -d", "npm ci", "sed -i s/a/b/ x"],
    ],
    [
      "isServing",
      ["docker compose up -d db", "systemctl restart redis", "docker compose up -d && docker compose ps"],
      ["docker build .", "npm start", "docker compose up -d db && npm test"],
    ],
    ["isHousekeeping", ["git push", "npm ci", "mkdir -p out && cp a out"], ["npm test", "node x.mjs"]],
    ["isRecording", ["git add -A && git commit -m x", "git push"], ["git checkout main", "npm publish"]],
    ["isRetry", ["gh run rerun 17", "gh run rerun 17 && sleep 60"], ["npm test"]],
  ])("%s", (kind, those, others) => {
    expect(those.filter((command) => !kinds[kind](command))).toEqual([]);
    expect(others.filter((command) => kinds[kind](command))).toEqual([]);
  });

  it("has the same shape whatever its folder, variables, numbers and output", () => {
    const forms = [
      "npm test",
      "cd api && npm test",
      "CI=1 npm test 2>&1 | tail -20",
      "npm test > /dev/null",
      "npm test; echo done",
      "set -a; source .env; set +a; npm test",
      "cd api && nvm use 20 && npm test",
      ". ./env.sh && TZ=UTC npm test",
      "export $(cat .env | xargs) && npm test",
      "source .env; export A=b; npm test",
      'export A=b; source .env; cd "my pkg" && npm test',
    ];
    expect([...new Set(forms.map(commandShape))]).toEqual(["npm test"]);
    expect(commandShape("pytest -n 4")).toBe(commandShape("pytest -n 8"));
  });

  it("has another shape with another version or value", () => {
    expect(commandShape("npm install chart@3")).not.toBe(commandShape("npm install chart@4"));
    expect(commandShape("pip install pillow==9.5")).not.toBe(commandShape("pip install pillow==10.1"));
    expect(commandShape("pytest --timeout=5")).not.toBe(commandShape("pytest --timeout=60"));
  });

  it("is plain without its folder and what is done with its output, but keeps its variables", () => {
    expect(plainCommand("cd api && TZ=UTC npm test 2>&1 | tail -20")).toBe("TZ=UTC npm test");
    expect(variablesOf("cd api && CI=1 TZ=UTC npm test")).toBe("TZ=UTC");
    expect(variablesOf("npm test")).toBe("");
    expect(variablesOf("set -a; source .env; pytest -q")).toBe("set -a; source .env;");
    expect(variablesOf(". ./env.sh && CI=1 npm test")).toBe(". ./env.sh &&");
    expect(variablesOf("export TZ=UTC; source .env; pytest")).toBe("source .env; TZ=UTC");
  });
});
