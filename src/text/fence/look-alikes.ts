const beginsOtherwise = /^[\s/]*[a-qs-z0-9>]/i;
const tagLike = /^\|*ra[l1i|]ph\|*(?:m|rn)e(?:m|rn)[o0]ry/;

/** Whether what follows a bracket reads like the name of our fence's tag, in whatever letters and with whatever between them. */
export function readsLikeOurTag(text: string): boolean {
  return !beginsOtherwise.test(text) && tagLike.test(skeletonOf(text));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all but ASCII is meant
const notAscii = /[^\u0000-\u007f]/g;

/** The letters and digits of a text as they look, without marks and accents, and what closes a tag. */
function skeletonOf(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replace(notAscii, (character) => looksLike(character) ?? "")
    .replace(/[^a-z0-9|>]+/g, "");
}

/** Letters of other alphabets, in lower case, that look like those in the name of our tag, or whose capitals do. */
const lookAlikes: readonly (readonly [string, string])[] = [
  ["r", "гᴦⲅꭇꭈꮁʀꭱꮢᖇꓣɾɼ"],
  ["a", "аαɑ⍺ᴀꭺᗅꓮ"],
  ["l", "ıіӏιɩǀ∣ʟłɫاןו١۱ߊⵏᛁꓲꮮᒪꓡ"],
  ["p", "рρⲣ⍴ᴘꮲᑭꓑƥ"],
  ["h", "һհнηⲏʜꮒꮋᕼꓧħɦ"],
  ["m", "мμϻⲙᴍɱꮇᗰᛖꓟ"],
  ["e", "еєεҽ℮ꬲᴇꭼⴹꓰɛ"],
  ["o", "оοσօςøɵөⲟᴏסه०০੦૦୦௦౦೦൦๐໐၀ဝ٥۵ჿⵔꓳ〇"],
  ["y", "уүγυɣყʏⲩꭹꮍꓬꭚỿ"],
];
let known: ReadonlyMap<string, string> | undefined;

function looksLike(character: string): string | undefined {
  known ??= new Map(
    lookAlikes.flatMap(([letter, others]) => [...others].map((other) => [other, letter] as const)),
  );
  return known.get(character);
}
