// A client of the TypeScript kind: node client.mjs DIRECTORY-OF-NPM (KEN | ADDRESS TOKEN).
import { createRequire } from "node:module";

const [npm, where, token] = process.argv.slice(2);
const need = createRequire(npm + "/package.json");
const { Client } = need("@modelcontextprotocol/sdk/client/index.js");
let transport;
if (token) {
  const { StreamableHTTPClientTransport } = need("@modelcontextprotocol/sdk/client/streamableHttp.js");
  transport = new StreamableHTTPClientTransport(new URL(where), { requestInit: { headers: { Authorization: "Bearer " + token } } });
} else {
  const { StdioClientTransport } = need("@modelcontextprotocol/sdk/client/stdio.js");
  transport = new StdioClientTransport({ command: where, args: ["mcp"], env: process.env });
}

function want(what, ok) {
  if (!ok) {
    console.error(what);
    process.exit(1);
  }
}

const client = new Client({ name: "TS Client", version: "1" }, { capabilities: {} });
await client.connect(transport);
want("greeting", client.getInstructions().includes("kettle"));
const { tools } = await client.listTools();
want("tools", tools.map((t) => t.name).sort().join() === "edit,forget,pin,recall,remember,status,why");
const page = await client.readResource({ uri: "ken://page/1" });
want("page", page.contents[0].text.includes("kettle"));
const call = async (name, args) => {
  const r = await client.callTool({ name, arguments: args });
  return [r.content[0].text, !!r.isError];
};
const [found, bad] = await call("recall", { query: "staging host" });
want("recall: " + found, !bad && found.includes("kettle"));
for (const [name, args] of [
  ["remember", { text: "the fax is called " + (token ? "flute" : "lute"), source: "user" }],
  ["forget", { ref: "1" }],
]) {
  const [text, failed] = await call(name, args);
  want(name + ": " + text, !failed && text.includes("proposed as"));
}
let refused = false;
try {
  refused = (await call("erase", { ref: "1" }))[1];
} catch {
  refused = true;
}
want("erase", refused);
const prompt = await client.getPrompt({ name: "recall", arguments: { query: "staging host" } });
want("prompt", prompt.messages[0].content.text.includes("kettle"));
await client.close();
console.log("well");
