import table from "./word-frequencies.json" with { type: "json" };

/** By stem, the share of short texts about software that contain it; scripts/write-word-frequencies.mjs counted them. */
const shares: ReadonlyMap<string, number> = new Map(
  Object.entries(table.stemsByHalvings).flatMap(([halvings, stems]) =>
    stems.split(" ").map((stem) => [stem, 2 ** -Number(halvings)] as const),
  ),
);

/** The share of texts about software that contain a stem, from 0 to 1; half of the rarest share for an unknown stem. */
export function backgroundShare(stem: string): number {
  return shares.get(stem) ?? table.rarestShare / 2;
}
