import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { RalphError } from "../../domain/ralph-error.js";
import { accepts, safeHeaders } from "./send.js";

const types = {
  "index.html": "text/html; charset=utf-8",
  "app.js": "text/javascript; charset=utf-8",
  "app.css": "text/css; charset=utf-8",
  "icon.svg": "image/svg+xml",
} as const;

export type PageFile = keyof typeof types;

/** The files of the page, by name; no other file of the folder is ever sent. */
export type PageFiles = Readonly<Record<PageFile, Buffer>>;

export function loadPageFiles(folder: string): PageFiles {
  const names = Object.keys(types) as PageFile[];
  try {
    return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name))])) as Record<
      PageFile,
      Buffer
    >;
  } catch (cause) {
    throw new RalphError("file-unusable", `The page is missing from ${folder}`, {
      hint: "install Ralph again",
      cause,
    });
  }
}

export function isPageFile(name: string): name is PageFile {
  return Object.hasOwn(types, name);
}

export async function sendPageFile(
  files: PageFiles,
  name: PageFile,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const head = { ...safeHeaders, "content-type": types[name] };
  if (!accepts(request, "gzip")) {
    response.writeHead(200, head).end(files[name]);
    return;
  }
  const { gzipSync } = await import("node:zlib");
  response.writeHead(200, { ...head, "content-encoding": "gzip" }).end(gzipSync(files[name]));
}
