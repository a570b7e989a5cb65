import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { defaultSettings } from "../../../src/config/default-settings.js";
import { loadSettings } from "../../../src/config/loading/load-settings.js";
import type { SettingsCache } from "../../../src/config/loading/settings-cache.js";
import type { TrustRequest } from "../../../src/trust/request.js";
import { scratchFolder } from "../../support/scratch.js";

function files(texts: { user?: string; project?: string }): [string, string] {
  const folder = scratchFolder();
  const write = (name: "user" | "project") => {
    const path = join(folder, `${name}.yml`);
    if (texts[name] !== undefined) writeFileSync(path, texts[name]);
    return path;
  };
  return [write("user"), write("project")];
}

const load = (
  texts: { user?: string; project?: string },
  environment = {},
  allows: (request: TrustRequest) => boolean = () => true,
) => loadSettings({ files: files(texts), environment, allows });

describe("settings", () => {
  it("are the defaults if nothing is set", async () => {
    const { settings, origins } = await load({});
    expect(settings).toEqual(defaultSettings);
    expect(new Set(Object.values(origins))).toEqual(new Set(["default"]));
  });

  it("send no key to an address from a project's file, unless it is on this machine", async () => {
    const keyFor = async (texts: Parameters<typeof load>[0], environment = {}) =>
      (await load(texts, environment)).settings["reflector.key_variable"];
    const foreign = "reflector:\n  use: openai\n  address: https://models.example.com/v1\n";
    expect(await keyFor({ project: foreign })).toBe("");
    expect(await keyFor({ project: `${foreign}  key_variable: MY_KEY\n` })).toBe("");
    expect(await keyFor({ user: foreign })).toBe("OPENAI_API_KEY");
    expect(await keyFor({}, { RALPH_REFLECTOR_ADDRESS: "https://models.example.com/v1" })).toBe(
      "OPENAI_API_KEY",
    );
    expect(
      await keyFor({ project: foreign.replace("https://models.example.com", "http://127.0.0.1:8080") }),
    ).toBe("OPENAI_API_KEY");
    expect(await keyFor({ project: foreign.replace("//models", "//127.0.0.1.models") })).toBe("");
    expect((await load({ project: foreign })).origins["reflector.key_variable"]).toContain("withheld");
    expect(
      (await load({ project: "embedder:\n  address: https://models.example.com/v1\n" })).settings[
        "embedder.key_variable"
      ],
    ).toBe("");
  });

  it("come from the user, then the project, then the environment; the last one wins", async () => {
    const { settings, origins } = await load(
      {
        user: "memories:\n  budget: 1\n  inject: manual\n  scope: branch\n",
        project: "memories:\n  budget: 2\n  inject: none\n",
      },
      {
        RALPH_MEMORIES_BUDGET: "3",
        RALPH_MEMORIES_FILTER_TYPES: "fix, pattern",
        RALPH_HOME: "/x",
        RALPH_OTHER_THING: "1",
      },
    );
    expect(settings).toMatchObject({
      "memories.budget": 3,
      "memories.inject": "none",
      "memories.scope": "branch",
      "memories.filter.types": ["fix", "pattern"],
    });
    expect(origins["memories.budget"]).toBe("RALPH_MEMORIES_BUDGET");
    expect(origins["memories.inject"]).toMatch(/project\.yml$/);
    expect(origins["memories.scope"]).toMatch(/user\.yml$/);
  });

  it("read the whole block as documented", async () => {
    const project =
      "memories:\n  enabled: true\n  inject: auto\n  budget: 2000\n  skill_injection: false\n  filter:\n    types: [fix]\n    tags: [docker, 8080]\n    recent: 30\n";
    const { settings } = await load({ project });
    expect(settings).toMatchObject({
      "memories.skill_injection": false,
      "memories.filter.types": ["fix"],
      "memories.filter.tags": ["docker", "8080"],
      "memories.filter.recent": 30,
    });
  });

  it("merge user-defined agents from all files", async () => {
    const { settings, origins } = await load({
      user: "agents:\n  claude: { args: [-p, --model, 5] }\n  mine: { program: old }\n",
      project:
        "agents:\n  mine:\n    program: ./agent.sh\n    prompt: argument\n    output: text\n    allow_all_args: [--yes]\n",
    });
    expect(settings.agents).toEqual({
      claude: { args: ["-p", "--model", "5"] },
      mine: { program: "./agent.sh", prompt: "argument", output: "text", allow_all_args: ["--yes"] },
    });
    expect(origins.agents).toMatch(/project\.yml$/);
    expect(defaultSettings.agents).toEqual({});
  });

  it("read the commands and limits of a run", async () => {
    const { settings } = await load(
      {
        user: "run:\n  allow_all: true\n",
        project: "run:\n  agent: codex\n  timeout: 90\n  verify: npm test -- a,b\n",
      },
      { RALPH_RUN_ITERATION_TIMEOUT: "5m" },
    );
    expect(settings).toMatchObject({
      "run.agent": "codex",
      "run.allow_all": true,
      "run.timeout": "90",
      "run.iteration_timeout": "5m",
      "run.verify": ["npm test -- a,b"],
    });
  });

  it("leave out what a project's file may not set without consent, and only that", async () => {
    const project = [
      "memories: { budget: 5 }",
      "agents: { claude: { program: ./evil }, mine: { program: ./mine } }",
      "run: { verify: [make evil], max_iterations: 3 }",
      "reflector: { use: agent, command: [./evil], address: 'https://evil.example', key_variable: AWS_SECRET }",
      "embedder: { use: minilm, path: evil, address: 'https://evil.example', model: evil, key_variable: HOME }",
      "cross_task_learning: { embedding: { model: evil } }",
    ].join("\n");
    const user = "agents: { claude: { args: [--mine] } }\nrun: { verify: [make test] }\n";
    const { settings, leftOut } = await load({ user, project }, {}, ({ name }) => name === "agents.mine");
    const expected = {
      ...(await load({ user })).settings,
      "memories.budget": 5,
      "run.max_iterations": 3,
      agents: { claude: { args: ["--mine"] }, mine: { program: "./mine" } },
    };
    expect(settings).toEqual(expected);
    expect(leftOut.map(({ name }) => name).sort()).toEqual([
      "agents.claude",
      "cross_task_learning.embedding.model",
      "embedder.address",
      "embedder.key_variable",
      "embedder.model",
      "embedder.path",
      "embedder.use",
      "reflector.address",
      "reflector.command",
      "reflector.key_variable",
      "reflector.use",
      "run.verify",
    ]);
  });

  it("ask for nothing where a project's file changes nothing, or only turns something off", async () => {
    const user = "run: { verify: [npm test] }\nreflector: agent\n";
    const project = "run: { verify: npm test }\nembedder: none\nreflector: { use: rules }\n";
    const { requested, settings } = await load({ user, project });
    expect(requested).toEqual([]);
    expect(settings["reflector.use"]).toBe("rules");
  });

  it("take all rights of an agent from the user alone, whatever else is allowed", async () => {
    const asked = "run: { allow_all: true }\n";
    const { settings, refused } = await load({ project: asked });
    expect(settings["run.allow_all"]).toBe(false);
    expect(refused).toEqual(["run.allow_all"]);
    expect((await load({ user: asked })).settings["run.allow_all"]).toBe(true);
    expect((await load({ project: asked }, { RALPH_RUN_ALLOW_ALL: "true" })).settings["run.allow_all"]).toBe(
      true,
    );
    const restricted = await load({ user: asked, project: "run: { allow_all: false }" });
    expect(restricted.settings["run.allow_all"]).toBe(false);
  });

  it("accept the published memory_config and cross_task_learning blocks in full", async () => {
    const project = `version: "1.0.0"
memory_config:
  default_capacity: 3
  presets: { simple: 1, moderate: 3, complex: 5, maximum: 10 }
  auto_scaling:
    enabled: false
    scale_up_on: [consecutive_failures, low_quality_scores]
    scale_down_on: [high_quality_maintained, fast_convergence]
  storage:
    reflections_path: ".aiwg/ralph/{loop_id}/reflections/"
    all_reflections_kept: true
cross_task_learning:
  enabled: true
  storage:
    memory_path: ".aiwg/ralph/memory/"
    index_file: "task-index.json"
    embeddings_path: ".aiwg/ralph/memory/embeddings/"
    reflections_path: ".aiwg/ralph/memory/reflections/"
  embedding: { model: "all-MiniLM-L6-v2", dimensions: 384 }
  retrieval: { top_k: 3, similarity_threshold: 0.7, max_age_days: 90 }
  injection: { inject_reflections: true, inject_summary: true, max_tokens: 2000 }
`;
    const { settings, otherBlocks } = await load({ project });
    expect(settings).toEqual(defaultSettings);
    expect(otherBlocks.map(({ block }) => block)).toEqual(["version"]);
    const variable = { RALPH_CROSS_TASK_LEARNING_RETRIEVAL_SIMILARITY_THRESHOLD: "0.8" };
    expect((await load({}, variable)).settings).toMatchObject({
      "cross_task_learning.retrieval.similarity_threshold": 0.8,
    });
  });

  it("leave other tools' blocks alone and list them", async () => {
    const { otherBlocks } = await load({ project: "event_loop:\n  x: 1\ncli: [1]\nmemories:\n" });
    expect(otherBlocks.map(({ block }) => block)).toEqual(["event_loop", "cli"]);
  });

  it.each([
    ["memories:\n  buget: 5\n", /unknown setting memories\.buget/, /memories\.budget/],
    ["memories:\n  budget: -1\n", /memories\.budget must be a whole number/, /tokens/],
    ["memories:\n  budget: lots\n", /memories\.budget must be a whole number/, /tokens/],
    ["memories:\n  inject: always\n", /memories\.inject must be one of auto, manual, none/, /./],
    ["memories:\n  filter:\n    types: [fixes]\n", /must be one of pattern, decision, fix, context/, /./],
    ["cross_task_learning:\n  retrieval:\n    similarity_threshold: 7\n", /from 0 to 1/, /similar/],
    ["cross_task_learning:\n  retrieval:\n    top_k: 1.5\n", /must be a whole number/, /./],
    ["cross_task_learning:\n  embedding:\n    dimensions: 0\n", /1 or more/, /./],
    ["cross_task_learning:\n  retrieval:\n    topk: 1\n", /unknown setting/, /top_k/],
    ["memories: yes please\n", /"memories" must contain keys/, /./],
    ["run:\n  timeout: soon\n", /run\.timeout must be a duration such as "90s"/, /time limit/],
    ["run:\n  max_iterations: 0\n", /run\.max_iterations must be a whole number, 1 or more/, /./],
    [
      "agents:\n  mine:\n    progam: x\n",
      /agents has an unknown key: mine\.progam/,
      /did you mean "program"/,
    ],
    ["agents:\n  mine:\n    args: [a]\n", /mine has no program/, /program: \.\/agent\.sh/],
    ["agents:\n  mine: x\n", /mine must have keys/, /./],
    ["agents:\n  mine:\n", /mine must have keys/, /./],
    ["agents: [mine]\n", /"agents" must contain keys/, /./],
    ["agents:\n  a b: { program: x }\n", /invalid name: "a b"/, /./],
    [
      "agents:\n  mine: { program: x, output: codex }\n",
      /mine\.output cannot be "codex"$/,
      /^known: claude-stream-json, codex-json/,
    ],
    ["agents:\n  mine: { program: x, args: [[1]] }\n", /mine\.args must be a list of words/, /./],
    ["a: [1\n", /line \d+: not valid YAML/, /./],
    ["agents: &x\n  a: *x\n", /not valid YAML/, /circular/i],
    ["just text", /must contain blocks/, /./],
  ])("refuse %j with the reason", async (project, message, hint) => {
    await expect(load({ project })).rejects.toMatchObject({
      code: "invalid-settings",
      message: expect.stringMatching(message),
      hint: expect.stringMatching(hint),
    });
  });

  it("refuse an unknown setting variable and suggest the nearest", async () => {
    await expect(load({}, { RALPH_MEMORIES_BUGET: "1" })).rejects.toMatchObject({
      message: expect.stringContaining("RALPH_MEMORIES_BUGET"),
      hint: expect.stringContaining("RALPH_MEMORIES_BUDGET"),
    });
  });

  it("parse a file only after it changed", async () => {
    const paths = files({ project: "memories:\n  budget: 7\n" });
    const stored = new Map<string, string>();
    let parsed = 0;
    const cache: SettingsCache = {
      find: (path, stamp) => stored.get(path + stamp),
      save: (path, stamp, content) => {
        parsed += 1;
        stored.set(path + stamp, content);
      },
    };
    const budget = async () =>
      (await loadSettings({ files: paths, environment: {}, cache, allows: () => true })).settings[
        "memories.budget"
      ];
    expect([await budget(), await budget(), parsed]).toEqual([7, 7, 1]);
    writeFileSync(paths[1] ?? "", "memories:\n  budget: 8\n");
    utimesSync(paths[1] ?? "", 1, 1);
    expect([await budget(), parsed]).toEqual([8, 2]);
  });

  it("keep a file that holds a secret out of the cache", async () => {
    const saved: string[] = [];
    const cache: SettingsCache = {
      find: () => undefined,
      save: (_path, _stamp, content) => void saved.push(content),
    };
    const load = (project: string) =>
      loadSettings({
        files: files({ project }),
        environment: {},
        cache,
        allows: () => true,
      });
    const { settings } = await load("run:\n  verify: ['curl -u admin:hunter2x https://x.internal']\n");
    expect(settings["run.verify"]).toEqual(["curl -u admin:hunter2x https://x.internal"]);
    expect(saved).toEqual([]);
    await load("run:\n  verify: ['npm test']\n");
    expect(saved).toHaveLength(1);
  });

  it("take patterns of secrets from every file, and exceptions only from the user", async () => {
    const { settings, refused } = await load({
      user: "secrets:\n  patterns: ['ACME-\\d+']\n  exceptions: ['mine']\n",
      project: "secrets:\n  patterns: ['CORP-\\d+']\n  exceptions: ['.+']\n",
    });
    expect(settings["secrets.patterns"]).toEqual(["ACME-\\d+", "CORP-\\d+"]);
    expect(settings["secrets.exceptions"]).toEqual(["mine"]);
    expect(refused).toEqual(["secrets.exceptions"]);
  });

  it("refuse a file that would take long to parse", async () => {
    const project = `memories: { budget: 100 }\n${"# filler\n".repeat(15_000)}`;
    await expect(load({ project })).rejects.toMatchObject({
      message: expect.stringContaining("larger than"),
    });
  });

  it.each([
    ["(", "Unterminated group"],
    ["a*", "matches an empty text"],
    ["(a+)+b", "repeats a repetition"],
    ["x".repeat(400), "is longer than"],
  ])("refuse an unusable pattern: %s", async (pattern, why) => {
    await expect(load({ project: `secrets:\n  patterns: ['${pattern}']\n` })).rejects.toMatchObject({
      code: "invalid-settings",
      message: expect.stringContaining(why),
    });
  });
});
