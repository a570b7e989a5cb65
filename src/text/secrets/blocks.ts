import { isNamedSecret } from "./assignments.js";
import { applyRules, type Mark, type SecretRule } from "./mark.js";
import { isStandIn } from "./values.js";

const kubernetesSecret = /^[ \t]*(?:"?kind"?)[ \t]*:[ \t]*["']?Secret\b/m;
const kubernetesData =
  /^([ \t]*)(?:data|stringData):[ \t]*\r?\n(?:\1[ \t]+[^\n]{0,4000}(?:\n|$)|[ \t]*\r?\n){1,200}/gm;
const kubernetesEntry =
  /^([ \t]+[\w.-]{1,100}:[ \t]{1,3}["']?)([^\s"'|>][^\s"']{2,4000})(?=["']?[ \t]*\r?$)/gm;

const terraformVariable =
  /(\bvariable[ \t]{1,3}"[A-Za-z_][\w-]{0,79}"[ \t]{0,3}\{[^{}]{0,400}?\bdefault[ \t]{0,10}=[ \t]{0,3}")([^"\n]{3,2000})(?=")/g;

const insertion =
  /(\binsert\s{1,4}into\s{1,4}[\w.`"[\]]{1,100}\s{0,4}\()([^()]{1,1000})(\)\s{0,4}values\s{0,4})((?:\((?:[^()']|'[^']{0,1000}'){1,4000}\)\s{0,4},?\s{0,4}){1,50})/gi;
const row = /\((?:[^()']|'[^']{0,1000}'){1,4000}\)/g;
const cell = /\s{0,20}'[^']{0,1000}'\s{0,20}|[^,']{1,1000}/g;

const entryRules: readonly SecretRule[] = [
  { kind: "credential", pattern: kubernetesEntry, isSecret: (value) => !isStandIn(value) },
];
const variableRules: readonly SecretRule[] = [
  {
    kind: "credential",
    pattern: terraformVariable,
    hint: /variable "/,
    isSecret: (value, start) => isNamedSecret(/"([\w-]+)"/.exec(start)?.[1] ?? "", value, true),
  },
];

/** Values that are known by what is around them: the kind of a document, the name of a block, the column of a table. */
export function redactBlocks(text: string, mark: Mark): string {
  let safe = applyRules(text, variableRules, mark);
  if (kubernetesSecret.test(safe))
    safe = safe.replace(kubernetesData, (block) => applyRules(block, entryRules, mark));
  if (/insert\s/i.test(safe)) safe = safe.replace(insertion, (...match: string[]) => redactRows(match, mark));
  return safe;
}

function redactRows([, start = "", columns = "", middle = "", rows = ""]: string[], mark: Mark): string {
  const names = columns.split(",").map((name) => name.replace(/[\s`"[\]]/g, ""));
  const safe = rows.replace(row, (values) => {
    let column = -1;
    return `(${values.slice(1, -1).replace(cell, (value) => {
      column += 1;
      const content = /^\s*'(.{3,})'\s*$/s.exec(value)?.[1];
      if (content === undefined || !isNamedSecret(names[column] ?? "", content, true)) return value;
      return value.replace(content, () => mark("credential", content));
    })})`;
  });
  return `${start}${columns}${middle}${safe}`;
}
