// Drives a server over stdio with the client of the official TypeScript SDK. See
// README.md.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { parseArgs } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";

const { values: options, positionals: command } = parseArgs({
  allowPositionals: true,
  options: {
    call: { type: "string", multiple: true, default: [] },
    error: { type: "string", multiple: true, default: [] },
    slow: { type: "string" },
    cwd: { type: "string" },
  },
});
if (command.length === 0 || options.call.length === 0) {
  console.error(
    "usage: node sdk-client.test.mjs --call 'TOOL={…}'… [--error 'TOOL={…}'…] [--slow 'TOOL={…}'] [--cwd DIR] -- BINARY [ARGUMENT…]",
  );
  process.exit(2);
}

// invocation reads TOOL={JSON}; the arguments may be left out.
function invocation(text) {
  const at = text.indexOf("=");
  return at < 0 ? { name: text, arguments: {} } : { name: text.slice(0, at), arguments: JSON.parse(text.slice(at + 1)) };
}

const firstText = (result) => result.content.find((c) => c.type === "text")?.text ?? "";

let client, transport;
let stderr = "";
const stray = []; // what the client could not read as a message

before(async () => {
  transport = new StdioClientTransport({
    command: command[0], args: command.slice(1), cwd: options.cwd, stderr: "pipe", env: process.env,
  });
  transport.stderr.on("data", (chunk) => (stderr += chunk));
  client = new Client({ name: "sdk-client", version: "1.0.0" });
  await client.connect(transport);
  client.onerror = (error) => stray.push(String(error));
});

after(async () => {
  await client?.close();
  if (stderr) console.error("standard error of the server:\n" + stderr);
});

test("the handshake names the server", () => {
  assert.ok(client.getServerVersion()?.name, "no name");
  assert.ok(client.getServerVersion()?.version, "no version");
  assert.ok(client.getServerCapabilities()?.tools, "no tools declared");
});

test("list: every tool has a name of its own, a description and an object schema", async () => {
  const { tools } = await client.listTools(); // compiles the output schemas, too
  assert.ok(tools.length > 0, "no tools");
  assert.equal(new Set(tools.map((t) => t.name)).size, tools.length, "names repeat");
  for (const tool of tools) {
    assert.ok(tool.description, `${tool.name} has no description`);
    assert.equal(tool.inputSchema.type, "object", `${tool.name} takes no object`);
  }
});

for (const text of options.call) {
  test(`call: ${text}`, async () => {
    await client.listTools(); // the client then checks results against the output schemas
    const result = await client.callTool(invocation(text));
    assert.ok(!result.isError, firstText(result));
    assert.ok(result.content.length > 0, "no content");
  });
}

for (const text of options.error) {
  test(`error: ${text}`, async () => {
    const result = await client.callTool(invocation(text));
    assert.equal(result.isError, true, `it succeeded: ${firstText(result)}`);
    assert.ok(firstText(result), "the error has no text");
  });
}

test("error: an argument that does not exist is named", async () => {
  const call = invocation(options.call[0]);
  const result = await client.callTool({ ...call, arguments: { ...call.arguments, no_such_argument: 1 } });
  assert.equal(result.isError, true);
  assert.match(firstText(result), /no_such_argument/);
});

test("error: a tool that does not exist is a protocol error", async () => {
  await assert.rejects(client.callTool({ name: "no_such_tool", arguments: {} }), (error) => {
    assert.ok(error instanceof McpError);
    assert.equal(error.code, ErrorCode.InvalidParams);
    return true;
  });
});

test("cancel: an aborted call rejects, and the server goes on", async () => {
  const abort = new AbortController();
  const call = client.callTool(invocation(options.slow ?? options.call[0]), undefined, { signal: abort.signal });
  setTimeout(() => abort.abort("no longer needed"), options.slow ? 100 : 0);
  if (options.slow) {
    await assert.rejects(call);
  } else {
    await call.catch(() => {}); // a quick call may be faster than its cancellation
  }
  await client.ping();
  const result = await client.callTool(invocation(options.call[0]));
  assert.ok(!result.isError, firstText(result));
});

test("many calls at once are all answered", async () => {
  const results = await Promise.all(Array.from({ length: 50 }, () => client.callTool(invocation(options.call[0]))));
  assert.ok(results.every((r) => !r.isError));
});

test("standard output held messages only", () => {
  // The answer of a quick call may cross its cancellation on the way: the client
  // then meets one answer that it no longer waits for.
  const crossed = options.slow ? -1 : stray.findIndex((e) => e.includes("response for an unknown message ID"));
  assert.deepEqual(stray.filter((_, i) => i !== crossed), []);
});

test("closing ends the server by itself", async () => {
  const begin = Date.now();
  await client.close();
  // The transport waits two seconds before it sends a signal.
  assert.ok(Date.now() - begin < 1900, "it had to be killed");
});
