import { type LateSave, mergeUntilSettled } from "../../text/merge/merge-until-settled.js";
import { lineEndOf } from "../lines.js";
import { joinVersions } from "./join-versions.js";
import { mergeLateNote } from "./merge-late-note.js";
import { splitVersion } from "./split-version.js";
import { weaveProse } from "./weave-prose.js";

/** Brings what somebody saved late into our version of a notes file, without a conflict. Merging twice changes nothing. */
export function mergeLateSave(save: LateSave, newId: () => string): Buffer {
  return mergeUntilSettled(save, prepareMerge(save, newId));
}

function prepareMerge({ base, theirs }: LateSave, newId: () => string): (ours: Buffer) => Buffer {
  const [baseVersion, theirVersion] = [splitVersion(base ?? Buffer.alloc(0)), splitVersion(theirs)];
  return (ours) => {
    const ourVersion = splitVersion(ours);
    const lineEnd = lineEndOf(ourVersion.text);
    const keepBoth = (their: string, our: string) => {
      const closed = their.endsWith("\n") ? their : their + lineEnd;
      return closed + lineEnd + our.replace(/^###[ \t]+mem-\S*/, () => `### ${newId()}`);
    };
    const all = { base: baseVersion, ours: ourVersion, theirs: theirVersion };
    return joinVersions(all, {
      mergeNote: (b, o, t) => mergeLateNote(b, o, t, keepBoth),
      mergeProse: (versions) => weaveProse(versions, { lineEnd, hasBase: base !== undefined }),
    }).bytes;
  };
}
