// Ralph in a process of its own: each message is one update of the file.
const [library, kind, mode] = process.argv.slice(2);
const { openMemory } = await import(library);
const memory = await openMemory();
const update = async (text) => {
  if (kind === "continuity") {
    await memory.working.updateContinuity({ note: text });
    return "";
  }
  return (await memory.notes.add({ content: text })).note.id;
};
if (mode === "endless") {
  for (let number = 0; ; number += 1) process.send(await update(`${process.pid} ${number}`));
}
process.on("message", async (text) => {
  try {
    const id = await update(text);
    process.send({ id });
  } catch (error) {
    process.send({ problem: `${error.message}; ${error.hint ?? ""} ${error.stack}` });
  }
});
process.on("disconnect", () => process.exit());
process.send("open");
