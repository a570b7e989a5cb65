import fc from "fast-check";
import { encode as encodeCl100k } from "gpt-tokenizer/encoding/cl100k_base";
import { encode as encodeO200k } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { countTokens } from "../../src/text/count-tokens.js";
import { sampleNotes } from "../support/sample-notes.js";

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
    "export async function openStore({ directory, patienceMs = 30_000 }: Options): Promise<Store> {\n",
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

function realCount(text: string): number {
  return Math.max(encodeCl100k(text).length, encodeO200k(text).length);
}

describe("counting tokens", () => {
  it.each(Object.keys(samples))("does not count %s too low by more than a twentieth", (name) => {
    const text = samples[name] ?? "";
    expect(countTokens(text) * 1.05).toBeGreaterThanOrEqual(realCount(text));
  });

  it("is not far too high on ordinary text", () => {
    for (const name of ["a notes file", "prose", "names and facts", "code"]) {
      expect(countTokens(samples[name] ?? "")).toBeLessThan(realCount(samples[name] ?? "") * 1.35);
    }
  });

  it("counts nothing in nothing, and never less for more text", () => {
    expect(countTokens("")).toBe(0);
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1 }), (text, more) => {
        expect(countTokens(`${text}\n${more}`)).toBeGreaterThanOrEqual(countTokens(text));
      }),
    );
  });
});
