// Writes what is generated from the code: node scripts/docs.mjs [plugins] [help] [pictures] [walkthroughs]; all of it by default.
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { renderCliReference, renderManPages } from "./cli-help.mjs";
import { loadSource } from "./load-source.mjs";
import { renderCommandPictures, renderRunPicture } from "./pictures.mjs";
import { refresh } from "./walkthrough.mjs";

const root = join(import.meta.dirname, "..");
const read = (path) => readFileSync(join(root, path), "utf8");

function write(path, text) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** The files below plugins/ that repeat what `ralph setup` writes, by path. */
async function renderPlugins() {
  const { pluginFiles } = await loadSource("setup/plugin-files.ts");
  return pluginFiles(read("plugins/skill/ralph-memory/SKILL.md"));
}

const targets = {
  async plugins() {
    for (const agent of ["claude", "codex", "gemini"])
      rmSync(join(root, "plugins", agent), { recursive: true, force: true });
    for (const [path, text] of Object.entries(await renderPlugins())) {
      write(`plugins/${path}`, text);
      if (path.includes("/bin/")) chmodSync(join(root, "plugins", path), 0o755);
    }
  },

  /** docs/cli.md, man/, and the names of its pages in package.json. */
  async help() {
    const source = await loadSource("cli/framework/find-command.ts", "cli/framework/help.ts");
    const help = async (words) => {
      const { path, group, command } = await source.findCommand(words);
      return command === undefined
        ? source.renderGroupHelp(path, group)
        : source.renderCommandHelp(path, command);
    };
    write("docs/cli.md", await renderCliReference(help));
    rmSync(join(root, "man"), { recursive: true, force: true });
    const { version } = JSON.parse(read("package.json"));
    const pages = await renderManPages(version, help);
    for (const [file, page] of Object.entries(pages)) write(`man/${file}`, page);
    // npm links only the pages that are named here: it reads `directories.man` when it publishes, not when it installs.
    const names = Object.keys(pages).map((file) => `    "man/${file}"`);
    const list = `"man": [\n${names.join(",\n")}\n  ]`;
    write("package.json", read("package.json").replace(/"man": \[[^\]]*\]/, list));
  },

  async pictures() {
    const source = await loadSource("cli/output/run/run-lines.ts", "cli/output/run/run-status.ts");
    write("docs/run.svg", renderRunPicture(source));
    for (const [path, picture] of Object.entries(renderCommandPictures())) write(path, picture);
  },

  async walkthroughs() {
    for (const path of ["docs/tutorial.md", "docs/session.md"]) write(path, await refresh(read(path)));
  },
};

const named = process.argv.slice(2);
for (const name of named.length > 0 ? named : Object.keys(targets)) await targets[name]();
