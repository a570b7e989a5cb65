import { prepareStore } from "../../../memory/records/prepare-store.js";
import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";
import { oneLine } from "../../output/terminal/printable.js";

const stateInWords = {
  created: "Prepared",
  upgraded: "Brought up to date:",
  present: "Already prepared:",
};

export const createStoreCommand = defineCommand({
  summary: "prepare a PostgreSQL database for a team's memory",
  description:
    "Makes Ralph's tables in an empty database, or brings them up to date; needs the owner of the database. With --role, a\n" +
    "role of daily work may read and change rows, and nothing else; it is made if it is missing, without a password. Prints\n" +
    "the settings to share. With --row-security, the database itself shows each role only the projects that --project names\n" +
    "for it. The owner's password comes from RALPH_STORE_PASSWORD, a file named by RALPH_STORE_PASSWORD_FILE, or ~/.pgpass,\n" +
    "and is never printed.",
  arguments: [{ name: "url", summary: "address of the database, such as postgres://owner@host:5432/ralph" }],
  options: {
    role: { kind: "text", placeholder: "NAME", summary: "role of daily work, which may not change tables" },
    "row-security": { kind: "flag", summary: "roles see only the projects that they are members of" },
    project: {
      kind: "texts",
      placeholder: "KEY",
      summary: 'project that the role is a member of, as "ralph status" shows it; can be repeated',
    },
  },
  formats: ["table", "json"],
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
    return 0;
  },
});
