import { describe, expect, it } from "vitest";
import type { SearchDocument } from "../../src/store/lexical-index.js";
import type { NoteRow } from "../../src/store/repositories/notes/note-rows.js";
import type { Repositories, Store } from "../../src/store/store.js";
import { publishedHandoff, publishedLedger } from "../support/published.js";

export interface StoreDriver {
  name: string;
  /** Two connections to one new, empty store. */
  openTwo(): Promise<[Store, Store]>;
}

const weights = { title: 1.5, body: 1, tags: 2, files: 1.5, errors: 1 };

function row(fileId: number, id: string, over: Partial<NoteRow> = {}): NoteRow {
  const content = over.content ?? `content of ${id}`;
  return {
    fileId,
    id,
    type: "pattern",
    content,
    tags: [],
    created: "2026-01-01",
    time: 0,
    likeness: content,
    blockPrint: content,
    block: `### ${id}\n> ${content}\n<!-- tags:  | created: 2026-01-01 -->\n`,
    tokens: 10,
    ...over,
  };
}

function document(id: string, over: Partial<SearchDocument> = {}): SearchDocument {
  return {
    kind: "note",
    id,
    source: "1",
    title: "",
    body: "",
    tags: "",
    files: "",
    errors: "",
    labels: [],
    time: 0,
    ...over,
  };
}

/** Something of each side that is added, listed, and has a value that can be changed. */
const sides = {
  local: {
    add: async (tx: Repositories, name: string) => {
      await tx.noteFiles.add(name);
    },
    list: async (tx: Repositories) => (await tx.noteFiles.list()).map(({ path }) => path),
    find: async (tx: Repositories, name: string) => (await tx.noteFiles.find(name))?.stamp,
    save: async (tx: Repositories, name: string, value: string) => {
      const file = await tx.noteFiles.find(name);
      if (file !== undefined) await tx.noteFiles.save(file.fileId, value, null);
    },
  },
  shared: {
    add: async (tx: Repositories, name: string) => {
      await tx.ledgers.save({ ...publishedLedger, agent_id: name, current_task: "" });
    },
    list: async (tx: Repositories) => (await tx.ledgers.list()).map(({ agent_id: id }) => id),
    find: async (tx: Repositories, name: string) => (await tx.ledgers.find(name))?.current_task,
    save: async (tx: Repositories, name: string, value: string) => {
      await tx.ledgers.save({ ...publishedLedger, agent_id: name, current_task: value });
    },
  },
};

/** What every driver must do; each one runs this whole suite. */
export function describeStore({ name, openTwo }: StoreDriver): void {
  const open = async () => (await openTwo())[0];
  const search = (store: Store, words: string[], over = {}) =>
    store.lexical.search({
      words,
      kind: "note",
      sources: ["1"],
      labelGroups: [],
      weights,
      limit: 10,
      ...over,
    });

  describe(`a store on ${name}`, () => {
    describe("vectors", () => {
      const vector = (id: string, over: object = {}) => ({
        kind: "note" as const,
        id,
        source: "1",
        model: "small",
        dimensions: 2,
        print: "p",
        scale: 0.5,
        bytes: new Uint8Array([1, 255]),
        ...over,
      });

      it("are read by kind and model, in the order of writing, from a key on", async () => {
        const [store, other] = await openTwo();
        expect(await store.vectors.lastKey()).toBe(0);
        await store.vectors.put(vector("a"));
        await store.vectors.put(vector("b"));
        await store.vectors.put(vector("t", { kind: "task" }));
        await store.vectors.put(vector("l", { model: "large" }));
        const key = await store.vectors.lastKey();
        expect((await store.vectors.listAfter("note", "small", 0)).map(({ id }) => id)).toEqual(["a", "b"]);
        await other.vectors.put(vector("a", { print: "q", bytes: new Uint8Array([3, 4]) }));
        const [changed, ...others] = await store.vectors.listAfter("note", "small", key);
        expect(others).toEqual([]);
        expect(changed).toMatchObject({ id: "a", source: "1", scale: 0.5 });
        expect([...(changed?.bytes ?? [])]).toEqual([3, 4]);
        const task = await store.vectors.find({ kind: "task", id: "t", source: "1" });
        expect(task).toMatchObject({ model: "small", dimensions: 2, print: "p", scale: 0.5 });
        expect([...(task?.bytes ?? [])]).toEqual([1, 255]);
        expect(await store.vectors.find({ kind: "task", id: "a", source: "1" })).toBeUndefined();
      });

      it("are one for each record, and gone when they are removed or the index is reset", async () => {
        const store = await open();
        await store.vectors.put(vector("a"));
        await store.vectors.put(vector("a", { source: "2" }));
        await store.vectors.put(vector("a", { model: "large", print: "q" }));
        const prints = (await store.vectors.listPrints()).map(({ source, model, print }) => [
          source,
          model,
          print,
        ]);
        expect(prints.sort()).toEqual([
          ["1", "large", "q"],
          ["2", "small", "p"],
        ]);
        await store.vectors.remove({ kind: "note", id: "a", source: "1" });
        expect(await store.vectors.listPrints()).toHaveLength(1);
        await store.transaction((tx) => tx.resetDerived());
        expect(await store.vectors.listPrints()).toEqual([]);
      });
    });

    describe("uses of skills", () => {
      it("are counted once for each attempt", async () => {
        const store = await open();
        const use = {
          skill: "deploy",
          task_id: "task-001",
          attempt_id: 1,
          succeeded: true,
          time: "2026-01-01",
        };
        await store.skillUses.record(use);
        await store.skillUses.record(use);
        await store.skillUses.record({ ...use, attempt_id: 2, succeeded: false, time: "2026-01-02" });
        await store.skillUses.record({ ...use, skill: "test", succeeded: false });
        expect(await store.skillUses.countAll()).toEqual(
          new Map([
            ["deploy", { uses: 2, successes: 1 }],
            ["test", { uses: 1, successes: 0 }],
          ]),
        );
        expect((await store.skillUses.list("deploy")).map(({ attempt_id: id }) => id)).toEqual([2, 1]);
      });
    });

    describe.each(["local", "shared"] as const)("transactions on the %s side", (side) => {
      const { add, list, find, save } = sides[side];

      it("keep all writes or none", async () => {
        const store = await open();
        const failing = store.transaction(
          async (tx) => {
            await add(tx, "a");
            await add(tx, "b");
            throw new Error("no");
          },
          { side },
        );
        await expect(failing).rejects.toThrow("no");
        expect(await list(store)).toEqual([]);
      });

      it("do not take along a write from outside when they are undone", async () => {
        const store = await open();
        let release = () => {};
        const gate = new Promise<void>((done) => {
          release = done;
        });
        const failing = store.transaction(
          async (tx) => {
            await add(tx, "inside");
            await gate;
            throw new Error("undone");
          },
          { side },
        );
        const outside = add(store, "outside");
        release();
        await expect(failing).rejects.toThrow("undone");
        await outside;
        expect(await list(store)).toEqual(["outside"]);
      });

      it("take turns between connections and lose no write", async () => {
        const [one, two] = await openTwo();
        const addMany = (store: Store, prefix: string) =>
          Promise.all(
            Array.from({ length: 25 }, (_, index) =>
              store.transaction((tx) => add(tx, `${prefix}${index}`), { side }),
            ),
          );
        await Promise.all([addMany(one, "a"), addMany(two, "b")]);
        expect(await list(one)).toHaveLength(50);
      });

      it("read and then write without failing, whoever else writes", async () => {
        const [one, two] = await openTwo();
        await add(one, "counter");
        const count = async (store: Store) => {
          for (let turn = 0; turn < 20; turn += 1)
            await store.transaction(
              async (tx) => save(tx, "counter", String(Number((await find(tx, "counter")) || "0") + 1)),
              { side },
            );
        };
        await Promise.all([count(one), count(two)]);
        expect(await find(one, "counter")).toBe("40");
      });

      it("refuse to be used after their end", async () => {
        const store = await open();
        let leaked: Repositories | undefined;
        await store.transaction(
          async (tx) => {
            leaked = tx;
          },
          { side },
        );
        await expect(leaked && find(leaked, "x")).rejects.toThrow(/after its end/);
      });
    });

    describe("notes that were deleted", () => {
      it("are known to be when a transaction is undone and another is not", async () => {
        const store = await open();
        const { fileId: home } = await store.noteFiles.add("home.md");
        const { fileId: copy } = await store.noteFiles.add("copy.md");
        await store.notes.add(row(copy, "mem-1-aaaa"));
        const failing = store.transaction(
          async (tx) => {
            await tx.deletedNotes.record("mem-1-aaaa", "now");
            throw new Error("no");
          },
          { side: "local" },
        );
        await expect(failing).rejects.toThrow("no");
        expect(await store.notes.list({ scope: { home, copy } })).toHaveLength(1);
        await store.transaction((tx) => tx.deletedNotes.record("mem-1-aaaa", "now"), { side: "local" });
        expect(await store.notes.list({ scope: { home, copy } })).toHaveLength(0);
      });
    });

    describe("notes", () => {
      it("come back as they were put in", async () => {
        const store = await open();
        const { fileId } = await store.noteFiles.add("memories.md");
        const note = row(fileId, "mem-1-aaaa", { content: "x", tags: ["Ä", "b c"], type: "fix", time: 5 });
        await store.notes.add(note);
        expect(await store.notes.find(fileId, "mem-1-aaaa")).toEqual(note);
      });

      it("are listed newest first, by type, tag and time", async () => {
        const store = await open();
        const { fileId } = await store.noteFiles.add("memories.md");
        await store.notes.add(row(fileId, "mem-1-aaaa", { time: 1, tags: ["Docker"] }));
        await store.notes.add(row(fileId, "mem-2-bbbb", { time: 3, type: "fix", tags: ["100%"] }));
        await store.notes.add(row(fileId, "mem-3-cccc", { time: 2, tags: ["docker-compose"] }));
        const ids = async (filter: object) =>
          (await store.notes.list({ scope: { home: fileId }, ...filter })).map(({ id }) => id);
        expect(await ids({})).toEqual(["mem-2-bbbb", "mem-3-cccc", "mem-1-aaaa"]);
        expect(await ids({ types: ["fix"] })).toEqual(["mem-2-bbbb"]);
        expect(await ids({ tags: ["docker"] })).toEqual(["mem-1-aaaa"]);
        expect(await ids({ tags: ["10_%", "100%"] })).toEqual(["mem-2-bbbb"]);
        expect(await ids({ since: 2 })).toEqual(["mem-2-bbbb", "mem-3-cccc"]);
      });

      it("of a copy count only where the shared file lacks them and nobody deleted them", async () => {
        const store = await open();
        const { fileId: home } = await store.noteFiles.add("home.md");
        const { fileId: copy } = await store.noteFiles.add("copy.md");
        await store.notes.add(row(home, "mem-1-aaaa"));
        for (const id of ["mem-1-aaaa", "mem-2-bbbb", "mem-3-cccc"]) await store.notes.add(row(copy, id));
        await store.deletedNotes.record("mem-3-cccc", "now");
        const rows = await store.notes.list({ scope: { home, copy } });
        expect(rows.map(({ id, fileId }) => [id, fileId])).toEqual([
          ["mem-2-bbbb", copy],
          ["mem-1-aaaa", home],
        ]);
      });

      it("are counted, sized and joined as a filter selects them", async () => {
        const store = await open();
        const { fileId: home } = await store.noteFiles.add("home.md");
        const { fileId: copy } = await store.noteFiles.add("copy.md");
        await store.notes.add(row(home, "mem-1-aaaa", { time: 1, tokens: 11 }));
        await store.notes.add(row(copy, "mem-2-bbbb", { time: 2, tokens: 12 }));
        await store.notes.add(row(home, "mem-3-cccc", { time: 3, type: "fix", tokens: 13 }));
        const scope = { home, copy };
        expect(Object.fromEntries(await store.notes.countByType({ scope }))).toEqual({ pattern: 2, fix: 1 });
        expect(await store.notes.listSizes({ scope }, 2, 1)).toEqual([
          { fileId: copy, id: "mem-2-bbbb", time: 2, tokens: 12 },
          { fileId: home, id: "mem-1-aaaa", time: 1, tokens: 11 },
        ]);
        const joined = await store.notes.joinBlocks(
          { scope, types: ["pattern"] },
          { home: "", copy: "(copy)\n" },
        );
        expect(Buffer.from(joined).toString()).toBe(
          "### mem-2-bbbb\n> content of mem-2-bbbb\n<!-- tags:  | created: 2026-01-01 -->\n(copy)\n\n### mem-1-aaaa\n> content of mem-1-aaaa\n<!-- tags:  | created: 2026-01-01 -->\n",
        );
        expect(
          (await store.notes.joinBlocks({ scope, types: ["context"] }, { home: "", copy: "" })).byteLength,
        ).toBe(0);
      });

      it("are found by many ids at once, by likeness, and by whether an id is taken", async () => {
        const store = await open();
        const { fileId: home } = await store.noteFiles.add("home.md");
        for (const id of ["mem-1-aaaa", "mem-2-bbbb"])
          await store.notes.add(row(home, id, { likeness: "same" }));
        const many = Array.from({ length: 1200 }, (_, index) => `mem-${index}-aaaa`);
        expect((await store.notes.listByIds({ home }, many)).map(({ id }) => id)).toEqual(["mem-1-aaaa"]);
        expect(await store.notes.listByLikeness({ home }, "pattern", "same")).toHaveLength(2);
        expect(await store.notes.listByLikeness({ home }, "fix", "same")).toEqual([]);
        expect([
          await store.notes.isIdTaken("mem-2-bbbb"),
          await store.notes.isIdTaken("mem-9-bbbb"),
        ]).toEqual([true, false]);
      });

      it("are found by the beginning of their id", async () => {
        const store = await open();
        const { fileId: home } = await store.noteFiles.add("memories.md");
        for (const id of ["mem-10-aaaa", "mem-11-bbbb", "mem-2-cccc"]) await store.notes.add(row(home, id));
        expect((await store.notes.listByPrefix({ home }, "mem-1")).map(({ id }) => id)).toEqual([
          "mem-10-aaaa",
          "mem-11-bbbb",
        ]);
        expect(await store.notes.listByPrefix({ home }, "mem-%")).toEqual([]);
      });
    });

    describe("the search index", () => {
      it("finds any of the words, stemmed, the best first", async () => {
        const store = await open();
        await store.lexical.put(document("a", { body: "starting the database" }));
        await store.lexical.put(document("b", { body: "database connections refused" }));
        await store.lexical.put(document("c", { body: "nothing of the sort" }));
        expect((await search(store, ["connection", "database"])).map(({ id }) => id)).toEqual(["b", "a"]);
      });

      it("tells the number, time and length of each match, and which are outside the scope, when asked", async () => {
        const store = await open();
        const long = Array.from({ length: 400 }, (_, index) => `word${index}`).join(" ");
        await store.lexical.put(document("short", { title: "deploy key", body: "staging", time: 1 }));
        await store.lexical.put(document("long", { body: `deploy ${long}`, time: 2, source: "2" }));
        const found = await search(store, ["deploy"], { context: { first: -1, distance: 2 } });
        const [short, other] = found.toSorted((one, next) => one.time - next.time);
        expect(short).toMatchObject({ id: "short", time: 1, length: 3, isAllowed: true });
        expect(other).toMatchObject({ id: "long", time: 2, length: 401, isAllowed: false });
        expect(other?.documentNumber).toBe((short?.documentNumber ?? 0) + 1);
        expect(await search(store, ["deploy"])).toMatchObject([{ id: "short", isAllowed: true }]);
      });

      it("finds words of a date where they have a weight", async () => {
        const store = await open();
        await store.lexical.put(document("a", { body: "tabs", dates: "8 may 2026" }));
        expect(await search(store, ["may"], { weights: { ...weights, dates: 0.3 } })).toMatchObject([
          { id: "a" },
        ]);
      });

      it("finds the last indexed first, without scores, when asked", async () => {
        const store = await open();
        for (const id of ["first", "second", "third"])
          await store.lexical.put(document(id, { body: "same words" }));
        expect(await search(store, ["same"], { order: "newest", limit: 2 })).toMatchObject([
          { id: "third", score: 0 },
          { id: "second", score: 0 },
        ]);
      });

      it("narrows by source, kind and labels, however many better matches are elsewhere", async () => {
        const store = await open();
        for (let index = 0; index < 300; index += 1) {
          await store.lexical.put(
            document(`other${index}`, { body: "word word word", source: "2", labels: ["type:fix"] }),
          );
        }
        await store.lexical.put(
          document("mine", { body: "one word among many others here", labels: ["type:fix", "tag:a_b"] }),
        );
        await store.lexical.put(document("task", { kind: "task", body: "word" }));
        expect((await search(store, ["word"])).map(({ id }) => id)).toEqual(["mine"]);
        expect(await search(store, ["word"], { labelGroups: [["type:context"]] })).toEqual([]);
        expect(
          await search(store, ["word"], { labelGroups: [["type:fix"], ["tag:x", "tag:A_B"]] }),
        ).toHaveLength(1);
        expect(await search(store, ["word"], { labelGroups: [["tag:aXb"]] })).toEqual([]);
        expect(await search(store, ["word"], { since: Number.MAX_SAFE_INTEGER })).toEqual([]);
        const allowed = (labelGroups: string[][], sources = ["1"], since?: number) =>
          store.lexical.keepAllowed({ kind: "note", sources, labelGroups, since }, ["mine", "none"]);
        expect(await allowed([], ["1"], Number.MAX_SAFE_INTEGER)).toEqual([]);
        expect(await allowed([["type:fix"]])).toMatchObject([{ id: "mine", source: "1" }]);
        expect(await allowed([["type:context"]])).toEqual([]);
        expect(await allowed([], ["2"])).toEqual([]);
      });

      it("takes words literally, whatever characters they hold", async () => {
        const store = await open();
        await store.lexical.put(document("a", { body: "plain" }));
        for (const word of [
          '"',
          "a OR b",
          "NEAR(x",
          "title:plain",
          "*",
          "^x",
          "-",
          "'; DROP TABLE documents",
        ]) {
          await expect(search(store, [word])).resolves.toBeInstanceOf(Array);
        }
        expect(await search(store, ["pla*"])).toHaveLength(1);
      });

      it("replaces and forgets documents", async () => {
        const store = await open();
        await store.lexical.put(document("a", { body: "before" }));
        await store.lexical.put(document("a", { body: "after" }));
        expect(await search(store, ["before"])).toEqual([]);
        expect(await search(store, ["after"])).toHaveLength(1);
        await store.lexical.remove(document("a"));
        expect(await search(store, ["after"])).toEqual([]);
      });

      it("takes many documents at once, of one key the last", async () => {
        const store = await open();
        await store.lexical.put(document("a", { kind: "task", body: "before" }));
        await store.lexical.putAll([
          document("b", { body: "note" }),
          document("a", { kind: "task", body: "once" }),
          document("a", { kind: "task", body: "after" }),
        ]);
        await store.lexical.putAll([]);
        expect(await store.lexical.countHolding("task", ["before", "once", "after", "note"], 5)).toEqual([
          0, 0, 1, 0,
        ]);
        expect(await store.lexical.countHolding("note", ["note"], 5)).toEqual([1]);
      });

      it("finds the first matches in context, and those near another one", async () => {
        const store = await open();
        for (let index = 0; index < 12; index += 1) {
          const isMatch = [0, 4, 7, 8, 11].includes(index);
          const body = isMatch ? `deploy ${"other ".repeat(index)}` : "something else";
          await store.lexical.put(document(`d${index}`, { body }));
        }
        const idsWith = async (context: { first: number; distance: number }) =>
          (await search(store, ["deploy"], { context })).map(({ id }) => id);
        expect(await idsWith({ first: 2, distance: 1 })).toEqual(["d0", "d4", "d7", "d8"]);
        expect(await idsWith({ first: 1, distance: 3 })).toEqual(["d0", "d4", "d7", "d8", "d11"]);
        expect(await idsWith({ first: 5, distance: 1 })).toHaveLength(5);
      });

      it("counts documents with each of some words up to a limit", async () => {
        const store = await open();
        for (let index = 0; index < 7; index += 1)
          await store.lexical.put(document(`d${index}`, { tags: "common" }));
        expect(await store.lexical.countHolding("note", ["common", "rare", "com*", 'co"mmon'], 5)).toEqual([
          5, 0, 5, 0,
        ]);
        expect(await store.lexical.countHolding("note", [], 5)).toEqual([]);
      });

      it("estimates how many documents hold a word that more do than are counted", async () => {
        const store = await open();
        for (let index = 0; index < 60; index += 1) {
          const early = index < 6 ? "early" : "";
          const late = index >= 40 ? "late" : "";
          const tags = `every ${index % 3 === 0 ? "third" : ""} ${early} ${late}`;
          await store.lexical.put(document(`d${index}`, { tags }));
        }
        const words = ["every", "third", "early", "late", "none", "thi*"];
        const [every, third, early, late, none, prefix] = await store.lexical.estimateHolding(
          "note",
          words,
          9,
        );
        expect([every, early, none]).toEqual([60, 6, 0]);
        for (const count of [third, prefix]) expect(count).toBeCloseTo(20, -1);
        expect(late).toBeGreaterThan(9);
        expect(await store.lexical.estimateHolding("note", [], 9)).toEqual([]);
      });
    });

    describe("ledgers and handoffs", () => {
      it("keep one ledger for each agent, the newest first", async () => {
        const store = await open();
        const at = (agent: string, time: string) => ({
          ...publishedLedger,
          agent_id: agent,
          last_checkpoint: time,
        });
        await store.ledgers.save(at("a", "2026-01-01"));
        await store.ledgers.save(at("b", "2026-01-02"));
        await store.ledgers.save(at("a", "2026-01-03"));
        expect(await store.ledgers.list()).toEqual([at("a", "2026-01-03"), at("b", "2026-01-02")]);
        expect(await store.ledgers.find("c")).toBeUndefined();
      });

      it("number handoffs and follow each to its delivery", async () => {
        const store = await open();
        const { id: _id, ...handoff } = publishedHandoff;
        await store.handoffs.add(handoff, 7);
        expect((await store.handoffs.add({ ...handoff, to_agent: "other" })).id).toBe("handoff-008");
        const to = handoff.to_agent;
        expect(await store.handoffs.list({ to, isPending: true })).toEqual([
          { ...handoff, id: "handoff-007" },
        ]);
        expect((await store.handoffs.list({})).map(({ id }) => id)).toEqual(["handoff-008", "handoff-007"]);
        await store.handoffs.accept(7, "somebody", "then", "Ann");
        expect(await store.handoffs.list({ to, isPending: true })).toEqual([]);
        const progress = { accepted_at: "then", accepted_by: "somebody", taken_by: "Ann" };
        const accepted = { ...handoff, id: "handoff-007", ...progress };
        expect(await store.handoffs.listUndelivered("somebody")).toEqual([accepted]);
        await store.handoffs.markDelivered(7, "later");
        expect(await store.handoffs.listUndelivered("somebody")).toEqual([]);
        expect(await store.handoffs.find(7)).toEqual({ ...accepted, delivered_at: "later" });
      });
    });

    describe("records of other tools", () => {
      it("are one for each id of a kind, and found by ids of any kind, in the order of their files", async () => {
        const store = await open();
        const row = { layout: "aiwg", file: "b.json", place: 0, imported: "2026-01-01T00:00:00.000Z" };
        const learning = {
          ...row,
          kind: "learning",
          foreignId: "x",
          recordId: "learn-1",
          original: { b: 1, a: [null] },
        };
        const task = { ...row, kind: "task", foreignId: "x", file: "a.json", place: 3, digest: "d" };
        await store.foreignRecords.save({ ...learning, original: "before" });
        await store.foreignRecords.save(learning);
        await store.foreignRecords.save(task);
        await store.foreignRecords.save({ ...task, layout: "other" });
        expect(await store.foreignRecords.list("aiwg")).toEqual([task, learning]);
        expect(await store.foreignRecords.listRecordIds("aiwg", "learning")).toEqual(["learn-1"]);
        expect(await store.foreignRecords.listByIds("aiwg", ["x", "y"])).toHaveLength(2);
        const found = await store.foreignRecords.find("aiwg", "learning", "x");
        expect(JSON.stringify(found?.original)).toBe('{"b":1,"a":[null]}');
        expect(await store.foreignRecords.find("aiwg", "note", "x")).toBeUndefined();
      });
    });

    it("keeps parsed settings for the state of the file they came from", async () => {
      const store = await open();
      await store.settingsCache.save("ralph.yml", "first", "1");
      await store.settingsCache.save("ralph.yml", "second", "2");
      expect(await store.settingsCache.find("ralph.yml", "first")).toBeUndefined();
      expect(await store.settingsCache.find("ralph.yml", "second")).toBe("2");
    });

    it("remembers the sections it made until they are gone", async () => {
      const store = await open();
      await store.addedSections.save("memories.md", "fix", "a");
      await store.addedSections.save("memories.md", "fix", "b");
      expect(await store.addedSections.list("memories.md")).toEqual([{ section: "fix", added: "b" }]);
      await store.addedSections.remove("memories.md", "fix");
      expect(await store.addedSections.find("memories.md", "fix")).toBeUndefined();
    });

    it("finds nothing wrong with an index that is whole", async () => {
      const store = await open();
      await store.lexical.put(document("a", { body: "word" }));
      await expect(store.transaction((tx) => tx.lexical.verify())).resolves.toBeUndefined();
      expect(await store.findDamage()).toEqual([]);
    });

    it("forgets on request what is derived, and nothing else", async () => {
      const store = await open();
      const { fileId } = await store.noteFiles.add("memories.md");
      await store.notes.add(row(fileId, "mem-1-aaaa"));
      await store.lexical.put(document("mem-1-aaaa", { body: "word" }));
      await store.addedSections.save("memories.md", "fix", "## Fixes\n");
      await store.transaction((tx) => tx.resetDerived());
      expect(await store.noteFiles.list()).toEqual([]);
      expect(await search(store, ["word"])).toEqual([]);
      expect(await store.addedSections.find("memories.md", "fix")).toBe("## Fixes\n");
    });
  });
}
