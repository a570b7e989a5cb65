import { projectOf } from "../../../memory/project-of.js";
import { migrateRecords } from "../../../memory/records/migrate-records.js";
import { defineCommand } from "../../framework/command.js";
import { loadedLines } from "../../output/loaded-records.js";
import { renderJson } from "../../output/terminal/json.js";
import { rateOn } from "../../output/terminal/rate.js";

export const migrateStoreCommand = defineCommand({
  summary: "copy a project's records from one store to another",
  description:
    "A store is a folder, whose project keeps its records in .ralph/, or the address of a team's database. All records are\n" +
    "copied as they are at one moment and compared in the end; the old store stays as it is. Notes and skills stay in their\n" +
    "files. Of what the new store has already the later version stays, so running it again completes a migration that stopped.\n" +
    "The project is the one of the folder, or the current one between two databases.",
  arguments: [
    { name: "from", summary: 'folder of a project, such as ".", or postgres:// address' },
    { name: "to", summary: "the same" },
  ],
  options: {},
  formats: ["table", "json"],
  examples: [
    "ralph store migrate . postgres://ralph_app@db.example.com/ralph",
    "ralph store migrate postgres://ralph_app@db.example.com/ralph .",
  ],
  async run({ arguments: [from = "", to = ""], format, terminal, openMemory }) {
    const folder = [from, to].find((place) => !isAddress(place));
    const openStore = async (place: string) => {
      const root = isAddress(place) ? folder : place;
      const overrides = { "store.url": isAddress(place) ? place : "" };
      return projectOf(await openMemory({ ...(root !== undefined && { root }), overrides }));
    };
    const [old, fresh] = [await openStore(from), await openStore(to)];
    let show = rateOn(terminal, 0);
    const migrated = await fresh.redacting(() =>
      migrateRecords(old, fresh, {
        onStart: (rows) => {
          show = rateOn(terminal, rows);
        },
        onProgress: (progress) => show(progress),
      }),
    );
    if (format === "json") {
      terminal.out(renderJson(migrated));
      return 0;
    }
    for (const line of loadedLines(migrated)) terminal.out(`${line}\n`);
    terminal.out(
      migrated.check === "identical"
        ? `Compared ${migrated.rows} rows, table by table: both stores hold the same\n`
        : `Compared ${migrated.rows} rows: all of them are in the new store, beside others or in another version\n`,
    );
    return 0;
  },
});

function isAddress(place: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(place);
}
