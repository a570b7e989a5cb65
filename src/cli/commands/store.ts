import { projectOf } from "../../memory/project-of.js";
import { migrateRecords } from "../../memory/records/migrate-records.js";
import { prepareStore } from "../../memory/records/prepare-store.js";
import { defineCommand } from "../framework/command.js";
import { flag, text, texts } from "../framework/options.js";
import { loadedLines } from "../output/import-report.js";
import { rateOn } from "../output/terminal/progress.js";
import { oneLine, renderJson } from "../output/terminal/style.js";

const stateInWords = {
  created: "Prepared",
  upgraded: "Brought up to date:",
  present: "Already prepared:",
};

const createStoreCommand = defineCommand({
  summary: "prepare a PostgreSQL database for a team's memory",
  description:
    "Makes Ralph's tables in an empty database, or brings them up to date; needs the owner of the database. With --role, a\n" +
    "role of daily work may read and change rows, and nothing else; it is made if it is missing, without a password. Prints\n" +
    "the settings to share. With --row-security, the database itself shows each role only the projects that --project names\n" +
    "for it. The owner's password comes from RALPH_STORE_PASSWORD, a file named by RALPH_STORE_PASSWORD_FILE, or ~/.pgpass,\n" +
    "and is never printed.",
  arguments: [{ name: "url", summary: "address of the database, such as postgres://owner@host:5432/ralph" }],
  options: {
    role: text("NAME", "role of daily work, which may not change tables"),
    "row-security": flag("roles see only the projects that they are members of"),
    project: texts(
      "KEY",
      'project that the role is a member of, as "ralph status" shows it; can be repeated',
    ),
  },
  examples: [
    "ralph store create postgres://owner@db.example.com/ralph --role ralph_app",
    "ralph store create postgres://localhost/ralph",
    "ralph store create postgres://owner@db.example.com/ralph --role shop --row-security --project github.com/team/shop",
  ],
  async run({ arguments: [url = ""], options, format, terminal, environment }) {
    const { role, "row-security": rowSecurity, project: projects = [] } = options;
    const prepared = await prepareStore({ url, role, rowSecurity, projects, environment });
    const { state, location, address, roleState, hasRowSecurity } = prepared;
    if (format === "json") {
      terminal.out(
        renderJson({
          state,
          location,
          url: address,
          ...(role !== undefined && { role, role_state: roleState }),
          row_security: hasRowSecurity,
          ...(projects.length > 0 && { projects }),
        }),
      );
      return 0;
    }
    terminal.out(`${stateInWords[state]} ${oneLine(location)}\n`);
    if (role !== undefined) {
      const rows = !hasRowSecurity
        ? "the rows"
        : projects.length === 0
          ? "the rows of its projects (give it one with --project)"
          : `the rows of ${oneLine(projects.join(", "))}`;
      terminal.out(
        `${roleState === "made" ? "Made the role" : "The role"} ${oneLine(role)}, which may work with ${rows}\n`,
      );
    }
    terminal.out(`\nTo share, in ralph.yml:\n\nstore: ${oneLine(address)}\n`);
    terminal.talk(
      [
        "",
        ...(roleState === "made"
          ? [`The role has no password yet; give it one with psql: \\password ${oneLine(role ?? "")}`]
          : []),
        "Each user gives the password with RALPH_STORE_PASSWORD, RALPH_STORE_PASSWORD_FILE or ~/.pgpass.",
        `Records that a project has so far: ralph store migrate . ${oneLine(address)}`,
        "",
      ].join("\n"),
    );
  },
});

const migrateStoreCommand = defineCommand({
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
  },
});

function isAddress(place: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(place);
}

/** By the word that follows the noun. */
export const storeCommands = {
  create: createStoreCommand,
  migrate: migrateStoreCommand,
};
