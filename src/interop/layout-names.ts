export interface LayoutSummary {
  /** What it holds, for help. */
  summary: string;
  /** Where it is by default. */
  place: string;
  isExported?: true;
}

/** The layouts of files that can be imported, in the order in which help lists them. */
export const layouts = {
  episodic: { summary: "tasks as a tree of JSON files", place: ".aiwg/ralph", isExported: true },
  jsonl: { summary: "all records of a dump", place: "backup.jsonl", isExported: true },
} as const satisfies Record<string, LayoutSummary>;

export type LayoutName = keyof typeof layouts;

export const layoutNames = Object.keys(layouts) as LayoutName[];

/** Those that are read and written through the port; a dump has commands of its own. */
export type PortLayout = Exclude<LayoutName, "jsonl">;

export const portLayouts = layoutNames.filter((name) => name !== "jsonl");

export const exportedLayouts = portLayouts.filter((name) => (layouts[name] as LayoutSummary).isExported);
