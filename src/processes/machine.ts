import { readFileSync, readlinkSync } from "node:fs";
import { givenHostName, hostName } from "./host-name.js";

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
    host: hostName(),
    ...read("boot", () => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
    ...read("space", () => readlinkSync("/proc/self/ns/pid")),
  };
  return known;
}

/** By the host's own name only if there is nothing better: containers change it, and share it. A given name tells machines apart. */
export function isOnThisMachine({ host, boot, space }: Machine): boolean {
  const here = thisMachine();
  if (givenHostName() !== undefined && host !== here.host) return false;
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
