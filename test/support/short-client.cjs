// A client of MCP that starts a server, says hello to it, tells of the processes, and waits to be killed.
const { spawn } = require("node:child_process");

const [program, between] = process.argv.slice(2);
const hello = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "short", version: "1" },
};
const said = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: hello });
const server = [process.execPath, program, "mcp"];
const tell = (told) => process.stdout.write(`${JSON.stringify(told)}\n`);

/** The server, once it is started, and the process between. */
const starts = {
  nobody(started) {
    const child = spawn(server[0], server.slice(1), { stdio: ["pipe", "pipe", "ignore"] });
    started(child, child.pid);
  },
  // Keeps the input open when the client is gone.
  holder(started) {
    const holder = spawn("sh", ["-c", 'echo "$0"; exec sleep 100', said], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    const child = spawn(server[0], server.slice(1), { stdio: [holder.stdout, "pipe", "ignore"] });
    started(child, child.pid, holder.pid);
  },
  // Starts the server, as launchers of packages do.
  shell(started) {
    const script = 'exec 4<&0; "$@" <&4 4<&- 3>&- & echo $! >&3; wait';
    const child = spawn("sh", ["-c", script, "sh", ...server], { stdio: ["pipe", "pipe", "ignore", "pipe"] });
    child.stdio[3].once("data", (text) => started(child, Number(text), child.pid));
  },
};

starts[between]((child, serverPid, betweenPid) => {
  child.stdin?.write(`${said}\n`);
  tell({ server: serverPid, between: betweenPid });
  child.stdout.once("data", () => tell({ isAnswered: true }));
});
setInterval(() => undefined, 1000);
