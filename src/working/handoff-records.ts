import { RalphError } from "../domain/ralph-error.js";
import { type Handoff, handoffIdOf, numberOfHandoffId } from "../domain/working.js";
import type { Repositories } from "../store/store.js";

export function handoffNotFound(id: string): RalphError {
  return new RalphError("not-found", `Handoff not found: ${id}`, {
    hint: '"ralph handoff list" shows all of them',
  });
}

export async function getHandoff(repositories: Repositories, id: string): Promise<Handoff> {
  const number = numberOfHandoffId(id);
  const handoff = number === undefined ? undefined : await repositories.handoffs.find(number);
  if (handoff === undefined) throw handoffNotFound(id);
  return handoff;
}

/** Marks a handoff as accepted; throws when it was accepted before. */
export async function acceptHandoff(
  tx: Repositories,
  id: string,
  { agent, now, takenBy }: { agent?: string | undefined; now: string; takenBy?: string | undefined },
): Promise<Handoff> {
  const handoff = await getHandoff(tx, id);
  const { accepted_at: at, accepted_by: by, taken_by: name } = handoff;
  const who = name === undefined ? by : `${by} (${name})`;
  if (at !== undefined) {
    throw new RalphError("already-exists", `${handoff.id} was already accepted at ${at} by ${who}`, {
      hint: `"ralph handoff show ${handoff.id}" shows it`,
    });
  }
  const receiver = agent ?? handoff.to_agent;
  await tx.handoffs.accept(numberOf(handoff), receiver, now, takenBy);
  return {
    ...handoff,
    ...{ accepted_at: now, accepted_by: receiver },
    ...(takenBy !== undefined && { taken_by: takenBy }),
  };
}

/** Marks accepted handoffs as delivered to their agent. */
export async function deliverHandoffs(
  tx: Repositories,
  waiting: readonly Handoff[],
  now: string,
): Promise<Handoff[]> {
  for (const handoff of waiting) await tx.handoffs.markDelivered(numberOf(handoff), now);
  return waiting.map((handoff) => ({ ...handoff, delivered_at: now }));
}

/** Imports a handoff under its id; throws when that id belongs to another one. */
export async function restoreHandoff(tx: Repositories, handoff: Handoff): Promise<Handoff> {
  const number = numberOf(handoff);
  const known = await tx.handoffs.find(number);
  if (known === undefined) return tx.handoffs.add(handoff, number);
  const isSame =
    known.timestamp === handoff.timestamp &&
    known.from_agent === handoff.from_agent &&
    known.to_agent === handoff.to_agent;
  if (isSame) return known;
  throw new RalphError("already-exists", `Another handoff has the id ${handoffIdOf(number)}`);
}

function numberOf({ id }: Handoff): number {
  const number = numberOfHandoffId(id);
  if (number === undefined) throw new Error(`Invalid handoff id: ${id}`);
  return number;
}
