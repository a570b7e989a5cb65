import { prepareStore } from "../../../memory/records/prepare-store.js";
import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";
import { oneLine } from "../../output/terminal/printable.js";

export const createStoreCommand = defineCommand({
  summary: "prepare a PostgreSQL database for a team's memory",
  description:
    "Makes Ralph's tables in an empty database, or brings them up to date; needs the owner of the database. With --role, a\n" +
    "role of daily work may read and change rows, and nothing else; it is made if it is missing, without a password. Prints\n" +
    "the settings to share. The owner's password comes from RALPH_STORE_PASSWORD, a file named by\n" +
    "RALPH_STORE_PASSWORD_FILE, or ~/.pgpass, and is never printed.",
  arguments: [{ name: "url", summary: "address of the database, such as postgres://owner@host:5432/ralph" }],
  options: {
    role: { kind: "text", placeholder: "NAME", summary: "role of daily work, which may not change tables" },
  },
  formats: ["table", "json"],
  examples: [
    "ralph store create postgres://owner@db.example.com/ralph --role ralph_app",
    "ralph store create postgres://localhost/ralph",
  ],
  async run({ arguments: [url = ""], options: { role }, format, terminal, environment }) {
    const prepared = await prepareStore({ url, role, environment });
    const { state, location, address, roleState } = prepared;
    if (format === "json") {
      terminal.out(
        renderJson({
          state,
          location,
          url: address,
          ...(role !== undefined && { role, role_state: roleState }),
        }),
      );
      return 0;
    }
    terminal.out(`${stateWords[state]} ${oneLine(location)}\n`);
    if (role !== undefined)
      terminal.out(
        `${roleState === "made" ? "Made the role" : "The role"} ${oneLine(role)}, which may work with the rows\n`,
      );
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
    return 0;
  },
});

const stateWords = { created: "Prepared", upgraded: "Brought up to date:", present: "Already prepared:" };
