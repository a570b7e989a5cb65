import fc from "fast-check";
import { encode as encodeCl100k } from "gpt-tokenizer/encoding/cl100k_base";
import { encode as encodeO200k } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countTokens } from "../../../src/text/tokens/count-tokens.js";
import { sampleNotes } from "../../support/sample-notes.js";

const repeated = (text: string) => text.repeat(40);
const bytes = Buffer.from(
  Array.from({ length: 900 }, (_, index) => (index * 7919 + index * index * 31) % 256),
);

const samples: Record<string, string> = {
  "a notes file": repeated(sampleNotes.toString()),
  prose: repeated(
    "We chose to keep the queue in memory because restarts are rare and the disk was the slowest part. ",
  ),
  "names and facts": repeated("Thomas Kyd was born in the city of London. Mahmoud Abbas chairs Fatah. "),
  code: repeated(
    "export async function openStore({ directory, busyTimeoutMs = 30_000 }: Options): Promise<Store> {\n",
  ),
  "numbers in columns": repeated("[ 0  1  3  12  255 ] 3.1415 2026-01-31T10:22:05Z 0x7f\n"),
  base64: bytes.toString("base64"),
  hexadecimal: bytes.toString("hex"),
  "unique ids": repeated("9f1c2d3e-4b5a-6978-8796-a5b4c3d2e1f0 "),
  paths: repeated("src/store/sqlite/open-sqlite-store.ts:42:17 "),
  addresses: repeated("https://example.com/a/b/c?x=1&y=2#frag-123 "),
  constants: repeated("ECONNREFUSED SQLITE_BUSY MAX_RETRIES "),
  German: repeated("Die Datenbankverbindung muss überprüft werden, weil die Größe sich ändert. "),
  Polish: repeated("Połączenie z bazą danych zostało odrzucone. Uruchom najpierw kontener. "),
  Russian: repeated("Соединение с базой данных отклонено, сначала запустите контейнер. "),
  Chinese: repeated("数据库连接被拒绝，请先启动容器，然后再运行测试。"),
  Japanese: repeated("データベース接続が拒否されました。先にコンテナを起動してください。"),
  Korean: repeated("데이터베이스 연결이 거부되었습니다. 먼저 컨테이너를 시작하세요. "),
  "words of operations": repeated(
    "kubectl etcdctl pgbouncer nginx systemd journalctl containerd kubelet istioctl helmfile ",
  ),
  Turkish: repeated("Veritabani baglantisi reddedildi once konteyneri baslatin sonra testleri calistirin "),
  Finnish: repeated("Tietokantayhteys evattiin kaynnista ensin sailio ja aja sitten testit uudelleen "),
  Swahili: repeated("Muunganisho wa hifadhidata umekataliwa tafadhali anzisha kontena kwanza "),
  Zulu: repeated("Uxhumano lwesizindalwazi lunqatshiwe sicela uqale isitsha kuqala bese uqhuba izivivinyo "),
  Latin: repeated("Nexus cum tabulario recusatus est primum vas incipe deinde probationes fac "),
  Greek: repeated("Η σύνδεση με τη βάση δεδομένων απορρίφθηκε, ξεκινήστε πρώτα το κοντέινερ. "),
  "rare Hangul": Array.from({ length: 400 }, (_, index) => String.fromCharCode(0xac00 + index * 27)).join(""),
  "rare ideographs": Array.from({ length: 400 }, (_, index) => String.fromCharCode(0x4e00 + index * 51)).join(
    "",
  ),
  "pairs of marks": repeated("a %@ b ^~ c #! d $; e +? "),
  consonants: repeated("xkq bdfgh zzt pqrst mnbvc kjhgf wrtpsd "),
  "tabs and spaces": repeated("\t \t  \t   x"),
  "long indents": `${" ".repeat(1000)}x${"\t".repeat(1000)}`,
  "accents that stand alone": repeated("e\u0301a\u0308o\u0302 Z\u0351\u036b\u0343\u036a"),
  Amharic: repeated("የመግቢያ ማስመሰያ "),
  emoji: repeated("🔄⚖️🔧📍👩‍👩‍👧‍👦🎉"),
};

const blockSize = 64;
const planes = 0x20000;

/** The assigned characters of each block that is in use. */
const blocks = Array.from({ length: planes / blockSize }, (_, block) =>
  Array.from({ length: blockSize }, (_, index) => block * blockSize + index)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((character) => /\p{Assigned}/u.test(character)),
).filter((characters) => characters.length > 0);

const range = (first: string, last: string) =>
  Array.from({ length: last.charCodeAt(0) - first.charCodeAt(0) + 1 }, (_, index) =>
    String.fromCharCode(first.charCodeAt(0) + index),
  );
const capitals = range("A", "Z");
const smallLetters = range("a", "z");
const digits = range("0", "9");
const marks = range("!", "~").filter((character) => !/[A-Za-z0-9]/.test(character));

/** Texts of characters drawn evenly: all in one, in words, or each alone. */
function drawnFrom(characters: string[], mostInWord = 9): fc.Arbitrary<string> {
  const word = fc
    .array(fc.constantFrom(...characters), { minLength: 1, maxLength: mostInWord, size: "max" })
    .map((drawn) => drawn.join(""));
  return fc.noBias(
    fc
      .tuple(
        fc.array(word, { minLength: 120, maxLength: 160, size: "max" }),
        fc.constantFrom("", " ", "\n", ", "),
      )
      .map(([words, between]) => words.join(between)),
  );
}

const repeatedMarks = fc
  .tuple(
    fc.array(fc.tuple(fc.constantFrom(...marks), fc.integer({ min: 2, max: 64 })), { minLength: 1 }),
    fc.constantFrom(" ", "x", "\n"),
  )
  .map(([runs, between]) => runs.map(([mark, length]) => mark.repeat(length)).join(between));

function expectNotTooLow(text: string): void {
  expect(realCount(text), JSON.stringify(text)).toBeLessThanOrEqual(countTokens(text) * 1.05 + 2);
}

function realCount(text: string): number {
  return Math.max(encodeCl100k(text).length, encodeO200k(text).length);
}

// The same texts each time: one in thousands is a little more than a twentieth too low, which says nothing about a change.
beforeAll(() => fc.configureGlobal({ seed: 1 }));
afterAll(() => fc.resetConfigureGlobal());

describe("counting tokens", () => {
  it.each(Object.keys(samples))("does not count %s too low by more than a twentieth", (name) => {
    const text = samples[name] ?? "";
    expect(countTokens(text) * 1.05).toBeGreaterThanOrEqual(realCount(text));
  });

  it("does not count characters of any block too low, nor several blocks together", () => {
    const ofOneBlock = fc.constantFrom(...blocks).chain((characters) => drawnFrom(characters));
    fc.assert(fc.property(ofOneBlock, expectNotTooLow), { numRuns: 400 });
    fc.assert(
      fc.property(fc.array(ofOneBlock, { minLength: 2, maxLength: 3 }), (texts) =>
        expectNotTooLow(texts.join(" ")),
      ),
      { numRuns: 30 },
    );
  });

  it.each([
    "\u0180",
    "\u0250",
    "\u02b0",
    "\u0460",
    "\u0b00",
    "\u1f00",
    "\u2190",
    "\u2800",
    "\u3400",
    "\ua000",
    "\ua500",
    "\ue000",
    "\u10d0",
    "\u0540",
  ])("does not count the characters from %j on too low", (first) => {
    const start = first.charCodeAt(0);
    const characters = Array.from({ length: 40 }, (_, index) => String.fromCharCode(start + index));
    fc.assert(fc.property(drawnFrom(characters), expectNotTooLow), { numRuns: 5 });
  });

  it("does not count control characters too low", () => {
    const controls = [...range("\0", "\u001f"), "\u007f"];
    fc.assert(fc.property(drawnFrom(controls), expectNotTooLow), { numRuns: 20 });
    for (const control of controls) expectNotTooLow(control.repeat(100));
  });

  it("does not count marks too low, repeated or mixed", () => {
    fc.assert(fc.property(repeatedMarks, expectNotTooLow), { numRuns: 1000 });
    fc.assert(fc.property(drawnFrom(marks), expectNotTooLow), { numRuns: 50 });
    for (const mark of marks) {
      for (let length = 2; length <= 64; length += 1) expectNotTooLow(`${mark.repeat(length)} `.repeat(10));
    }
  });

  it.each<[string, string[], number]>([
    ["capitals", capitals, 3],
    ["longer capitals", capitals, 12],
    ["small letters", smallLetters, 12],
    ["letters of both cases", [...capitals, ...smallLetters], 8],
    ["keys without digits", [...capitals, ...smallLetters], 40],
    ["keys", [...capitals, ...smallLetters, ...digits], 19],
    ["long keys", [...capitals, ...smallLetters, ...digits], 60],
    ["names with digits", [...smallLetters, ...digits], 19],
    ["Russian letters", range("а", "я"), 9],
    ["Greek letters", range("α", "ω"), 9],
  ])("does not count %s drawn at random too low", (_, characters, mostInWord) => {
    fc.assert(fc.property(drawnFrom(characters, mostInWord), expectNotTooLow), { numRuns: 40 });
  });

  it("does not mistake a long run of lower-case letters for a common word", () => {
    const letters = (length: number) =>
      Array.from({ length }, (_, index) => smallLetters[(index * index * 7 + length) % 26]).join("");
    for (let length = 20; length < 300; length += 1)
      expect(countTokens(letters(length))).toBeGreaterThan(length / 3);
  });

  it.each([
    ["a notes file", 1.35],
    ["prose", 1.35],
    ["code", 1.35],
    // Half of its words are names that few texts have.
    ["names and facts", 1.45],
  ])("is not far too high on %s", (name, most) => {
    expect(countTokens(samples[name] ?? "")).toBeLessThan(realCount(samples[name] ?? "") * most);
  });

  it("counts 0 for an empty text, and never less for more text", () => {
    expect(countTokens("")).toBe(0);
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1 }), (text, more) => {
        expect(countTokens(`${text}\n${more}`)).toBeGreaterThanOrEqual(countTokens(text));
      }),
    );
  });
});
