import { RalphError } from "../../domain/ralph-error.js";

const maxIteration = 1_000_000;

export function isIteration(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 && value <= maxIteration;
}

export function checkIteration(iteration: number): void {
  if (!isIteration(iteration))
    throw new RalphError("wrong-use", `An iteration is a whole number, not ${iteration}`);
}

export function checkQuality(quality: number | undefined): void {
  if (quality !== undefined && !(quality >= 0 && quality <= 1))
    throw new RalphError("wrong-use", `Quality is a number from 0 to 1, not ${quality}`);
}
