import type { TriedCommand } from "./commands.js";
import type { PlantedKind } from "./kinds.js";
import type { Home } from "./lanes.js";

export interface Cell {
  command: TriedCommand;
  path: string;
  /** The path's place in the list. */
  column: number;
  kind: PlantedKind;
  home: Home;
}

interface Factors {
  commands: readonly TriedCommand[];
  paths: readonly string[];
  kinds: readonly PlantedKind[];
}

const homes: readonly Home[] = ["home", "stranger"];

/** Every command with every name as every kind; each time either known to the user or not. */
export function allCells({ commands, paths, kinds }: Factors, turn: number): Cell[] {
  return commands.flatMap((command, row) =>
    paths.flatMap((path, column) =>
      kinds.map((kind, depth) => ({
        command,
        path,
        column,
        kind,
        home: pickAt(homes, row + column + depth + turn),
      })),
    ),
  );
}

/**
 * Every pair of a command and a name once, so that every name also is of every kind, and every command meets every kind. Each turn
 * gives other triples. What has hung or deleted something before is tried with every command.
 */
export function pairedCells({ commands, paths, kinds }: Factors, turn: number): Cell[] {
  const pairs = commands.flatMap((command, row) =>
    paths.map((path, column) => ({
      ...{ command, path, column },
      kind: pickAt(kinds, row + column + turn),
      home: pickAt(homes, Math.floor((row + column + turn) / kinds.length) + column),
    })),
  );
  const again = commands.flatMap((command) =>
    paths.flatMap((path, column) =>
      kinds
        .filter(({ name }) =>
          known.some((each) => each.kind === name && each.path.test(path) && each.command.test(command.name)),
        )
        .map((kind): Cell => ({ command, path, column, kind, home: "home" })),
    ),
  );
  return [...pairs, ...again];
}

const any = /^/;
const known = [
  { command: any, path: /^\.ralph\/memory\.db-journal$/, kind: "pipe" },
  { command: any, path: /^\.ralph(?:\/sessions)?$/, kind: "link to a folder outside" },
  { command: /^doctor/, path: /^\.git\/(?:index|config|commondir|HEAD)$/, kind: "pipe" },
  { command: /^doctor/, path: /^\.ralph\/backups\/.*\.db(?:-journal)?$/, kind: "pipe" },
];

function pickAt<Item>(items: readonly Item[], index: number): Item {
  return items[index % items.length] as Item;
}
