import type { ExtractedLearning } from "../../domain/knowledge/learning.js";
import type { EncounteredError } from "../../domain/tasks/attempt.js";
import { withoutFenced } from "../../text/fence/fence.js";
import { failureGist } from "../../text/same-failure.js";
import { classifyTask } from "../classify/classify-task.js";
import { clipStatement } from "../classify/clip-statement.js";
import { nameFailure } from "../classify/name-failure.js";
import { maxConfidence, minRepeats } from "../learning-limits.js";
import type { Episode } from "./episode.js";
import { episodeSources } from "./episode-sources.js";

interface Mistake {
  error: EncounteredError;
  resolution: string | undefined;
  episodes: Set<Episode>;
}

/** Errors as antipatterns. An error without a known resolution counts only when it occurred in two episodes. */
export function findMistakes(episodes: readonly Episode[]): ExtractedLearning[] {
  const mistakes = new Map<string, Mistake>();
  for (const episode of episodes) {
    for (const encountered of episode.errors) {
      const error = unlessInjected(encountered);
      if (error === undefined) continue;
      const gist = `${classifyTask(episode.goal)} ${failureGist(error.message)}`;
      const known = mistakes.get(gist);
      if (known === undefined)
        mistakes.set(gist, { error, resolution: error.resolution, episodes: new Set([episode]) });
      else {
        known.episodes.add(episode);
        known.resolution ??= error.resolution;
      }
    }
  }
  return [...mistakes.values()]
    .filter(({ resolution, episodes: sources }) => resolution !== undefined || sources.size >= minRepeats)
    .map(toAntipattern);
}

/** Skips errors that quote what Ralph put into a prompt, so that it is not learned again. */
function unlessInjected(error: EncounteredError): EncounteredError | undefined {
  const message = withoutFenced(error.message).trim();
  return message === error.message.trim() ? error : undefined;
}

function toAntipattern({ error, resolution, episodes }: Mistake): ExtractedLearning {
  const members = [...episodes];
  const [first] = members as [Episode, ...Episode[]];
  const what = clipStatement(error.message) ?? error.message;
  // The name of a failure says what to check, the message says where.
  const named = nameFailure(error.message);
  const baseConfidence = resolution === undefined ? 0.3 : 0.5;
  return {
    type: "antipattern",
    taskType: classifyTask(first.goal),
    content: {
      description: `Avoid: ${what}`,
      what_fails: error.type,
      why: named !== undefined && named !== what ? `${error.message} (${named})` : error.message,
      ...(resolution !== undefined && { prevention: resolution }),
      occurrences: members.length,
      impact: "high",
    },
    ...(resolution !== undefined && { correct_approach: resolution }),
    incorrect_approach: what,
    confidence: Math.min(maxConfidence.antipattern, baseConfidence + 0.1 * members.length),
    ...episodeSources(members),
    successRate: 0,
  };
}
