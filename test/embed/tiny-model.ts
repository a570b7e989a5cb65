import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** One field of a protocol buffer: its number, and a whole number, a text, bytes, or further fields. */
type Field = [number, number | string | Uint8Array | Field[]];

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];
}

function encode(fields: readonly Field[]): Buffer {
  return Buffer.concat(
    fields.map(([number, value]) => {
      if (typeof value === "number") return Buffer.from([...varint(number << 3), ...varint(value)]);
      const bytes = Array.isArray(value) ? encode(value) : Buffer.from(value as string);
      return Buffer.concat([Buffer.from([...varint((number << 3) | 2), ...varint(bytes.length)]), bytes]);
    }),
  );
}

const float = 1;
const int64 = 7;

/** A tensor's name, type and shape; a size may be given as a name. */
const tensor = (name: string, type: number, shape: readonly (string | number)[]): Field[] => [
  [1, name],
  [
    2,
    [
      [
        1,
        [
          [1, type],
          [2, shape.map((size): Field => [1, [typeof size === "number" ? [1, size] : [2, size]]])],
        ],
      ],
    ],
  ],
];

/** A model in ONNX's format that looks each token up in a table. */
function lookUpModel(rows: readonly (readonly number[])[]): Buffer {
  const dimensions = rows[0]?.length ?? 0;
  const values = new Uint8Array(Float32Array.from(rows.flat()).buffer);
  const graph: Field[] = [
    [
      1,
      [
        [1, "table"],
        [1, "input_ids"],
        [2, "last_hidden_state"],
        [3, "look-up"],
        [4, "Gather"],
      ],
    ],
    [2, "tiny"],
    [
      5,
      [
        [1, rows.length],
        [1, dimensions],
        [2, float],
        [8, "table"],
        [9, values],
      ],
    ],
    [11, tensor("input_ids", int64, ["batch", "length"])],
    [11, tensor("attention_mask", int64, ["batch", "length"])],
    [12, tensor("last_hidden_state", float, ["batch", "length", dimensions])],
  ];
  return encode([
    [1, 8],
    [7, graph],
    [8, [[2, 13]]],
  ]);
}

const special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"];

/** Writes a model with the files that all-MiniLM-L6-v2 comes in, for a handful of words. */
export function writeTinyModel(folder: string, words: Readonly<Record<string, readonly number[]>>): void {
  const dimensions = Object.values(words)[0]?.length ?? 0;
  const tokens = [...special, ...Object.keys(words)];
  const rows = [...special.map(() => Array<number>(dimensions).fill(0)), ...Object.values(words)];
  const addedTokens = special.map((content, id) => ({
    id,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  }));
  mkdirSync(join(folder, "onnx"), { recursive: true });
  const write = (name: string, content: object) => writeFileSync(join(folder, name), JSON.stringify(content));
  write("config.json", {
    model_type: "bert",
    architectures: ["BertModel"],
    hidden_size: dimensions,
    vocab_size: tokens.length,
    num_hidden_layers: 1,
    num_attention_heads: 1,
  });
  write("tokenizer_config.json", {
    tokenizer_class: "BertTokenizer",
    model_max_length: 64,
    pad_token: "[PAD]",
    unk_token: "[UNK]",
    cls_token: "[CLS]",
    sep_token: "[SEP]",
    mask_token: "[MASK]",
  });
  write("tokenizer.json", {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: addedTokens,
    normalizer: {
      type: "BertNormalizer",
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: "BertPreTokenizer" },
    post_processor: null,
    decoder: { type: "WordPiece", prefix: "##", cleanup: true },
    model: {
      type: "WordPiece",
      unk_token: "[UNK]",
      continuing_subword_prefix: "##",
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
    },
  });
  writeFileSync(join(folder, "onnx", "model.onnx"), lookUpModel(rows));
}
