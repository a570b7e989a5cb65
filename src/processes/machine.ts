import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** Where process ids mean the same: one boot of one machine, and one space of process ids, as each container has its own. */
export interface Machine {
  host: string;
  boot?: string;
  space?: string;
}

let known: Machine | undefined;

/** This one. Boot and space are known on Linux only. */
export function thisMachine(): Machine {
  known ??= {
    host: hostname(),
    ...read("boot", () => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
    ...read("space", () => readlinkSync("/proc/self/ns/pid")),
  };
  return known;
}

/** By the host's name only if there is nothing better: containers change it, and share it. */
export function isOnThisMachine({ host, boot, space }: Machine): boolean {
  const here = thisMachine();
  if (boot === undefined || here.boot === undefined) return host === here.host;
  return boot === here.boot && space === here.space;
}

function read(name: "boot" | "space", look: () => string): Partial<Machine> {
  try {
    return { [name]: look() };
  } catch {
    return {};
  }
}
