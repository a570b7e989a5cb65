interface SqliteOnly {
  because: string;
  /** By file, the names of its tests. */
  tests: Record<string, readonly string[]>;
}

/** Tests that can only pass with the records in a file of this machine; `npm run test:postgres` leaves them out. */
export const sqliteOnly: readonly SqliteOnly[] = [
  {
    because: "it moves the machine's clock, but a team's leases go by the server's (see machines.test.ts)",
    tests: {
      "test/memory/runs/leases.test.ts": [
        "holds its task until its lease lapses; then another takes over, and its attempt",
        "lets others start or complete by hand once its lease has lapsed",
        "records nothing more when it was taken over",
        "records nothing into an attempt that was started by hand meanwhile",
        "is renewed again and again, until it is lost",
        "elsewhere is over when nothing was recorded for half an hour, and can be ended before",
      ],
    },
  },
  {
    because: "it changes the records in the database file behind Ralph's back",
    tests: {
      "test/memory/runs/leases.test.ts": [
        "and has no lease, as with an older version, is taken over a minute after the last record",
        "and has no lease, as with an older version, is taken over not before",
        "is not renewed while another process writes: that is given up at once",
      ],
      "test/memory/learnings/altered-learnings.test.ts": [
        "is not recalled, which the recall says",
        "is not given to loops of other tools",
        "is named by the doctor, with what can be done",
        "does not become a note",
        "stays one, whatever Ralph records about it",
        "takes no part in merging: what is learned again is a learning of its own",
        "is neither exported nor in the way of an import that has it unchanged",
        "is shown again once it is accepted, restored or imported; a deleted one is gone",
        "is no reason to recall nothing when its record cannot even be read",
        "throws when no backup has them",
      ],
      "test/semantic/exchange/learning-backups.test.ts": [
        "of damaged learnings does not count as a good one",
      ],
      "test/scenario/learning-commands.test.ts": [
        "is left out of briefs with a remark, marked in lists, and reported until it is accepted",
      ],
      "test/ui/report.test.ts": ["holds no secret, also if one is stored"],
      "test/scenario/run-leases.test.ts": [
        "is taken over when its lease has lapsed, and no command sends you in a circle before",
        "is taken over at once by resume --force",
        "is taken over at once by stop --force",
        "that was taken over ends its agent, says so, and records nothing more",
        "signals no process that is not provably the recorded one",
      ],
    },
  },
  {
    because: "it is about the database file itself: its secrets, its damage, its lock, its disk",
    tests: {
      "test/memory/health/check-secrets.test.ts": [
        "tells kinds and places, and changes nothing",
        "replaces them everywhere, in deleted pages and backups as well, and keeps all other bytes",
        "looks into a database that was kept, whatever its size, also by an earlier version",
      ],
      "test/store/sqlite/repair.test.ts": [
        "finds a record that cannot be read, and takes it from the backup",
        "names the tool for rows that are out of its reach",
        "reads what it can around damaged pages, and the rest from the backup",
      ],
      "test/scenario/hook-commands.test.ts": [
        "record what happens while others keep the database busy as soon as they can, once",
        "keep a first prompt that comes while others lock the database, and record all that is done as its task",
      ],
      "test/scenario/bad-input.test.ts": [
        "changes nothing, at whatever moment it is full",
        "stops the command and is restored only on request",
        "goes on writing ahead after a repair, and protects what is private",
      ],
    },
  },
  {
    because: "it moves between the records of this machine and a server by its own settings",
    tests: {
      "test/ui/settings.test.ts": [
        "name a team's server that cannot be reached, and then no longer: the records of this machine are back",
      ],
    },
  },
];

export function reasonToSkip(path: string, name: string): string | undefined {
  return sqliteOnly.find(({ tests }) =>
    Object.entries(tests).some(([file, names]) => path.endsWith(file) && names.includes(name)),
  )?.because;
}
