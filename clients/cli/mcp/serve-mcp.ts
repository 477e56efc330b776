import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { ManagementClient } from '@tollfree/sdk/management';
import { openManagement } from '../open-management.ts';
import { CliError, mistake } from '../terminal/cli-error.ts';
import type { Flags } from '../terminal/flags.ts';
import { bigintAsText } from '../terminal/print-answer.ts';
import { readVersion } from '../terminal/read-version.ts';
import { readTools, type Tool, type ToolContext } from './read-tools.ts';
import { writeTools } from './write-tools.ts';

const instructions =
  'Tollfree pays the gas of user operations (ERC-4337). A paymaster sponsors whitelisted methods of registered contracts, within its policy, out of its gas tank. Amounts are wei as decimal text.';

/** `tollfree mcp`: answers on stdin and stdout until stdin ends. stdout only carries the protocol. */
export async function serveMcp(flags: Flags): Promise<void> {
  const { client, baseUrl, apiKey } = openManagement(flags);
  const server = new McpServer({ name: 'tollfree', version: readVersion() }, { instructions });
  const context: ToolContext = { client, baseUrl, apiKeyOf: (wanted) => findApiKey(client, { wanted, usual: apiKey }) };
  for (const each of readTools) offer(server, context, { tool: each, readOnly: true });
  if (flags.allowWrites === true)
    for (const each of writeTools) offer(server, context, { tool: each, readOnly: false });
  await server.connect(new StdioServerTransport());
}

function offer(server: McpServer, context: ToolContext, { tool, readOnly }: { tool: Tool; readOnly: boolean }): void {
  const { name, description, input, run } = tool;
  const annotations = { readOnlyHint: readOnly, openWorldHint: false };
  server.registerTool(name, { description, inputSchema: input.shape, annotations }, async (given) => {
    try {
      // The server has checked them with this tool's input schema.
      return answer(JSON.stringify(await run(context, given as never), bigintAsText, 2));
    } catch (error) {
      return { ...answer(sentenceOf(error)), isError: true };
    }
  });
}

function answer(text: string) {
  return { content: [{ type: 'text' as const, text }] };
}

/**
 * Messages of the service and of this program; of other errors only that they happened, since an assistant repeats what it
 * reads.
 */
function sentenceOf(error: unknown): string {
  const isSentence =
    error instanceof CliError ||
    (error instanceof Error && (error.name === 'TollfreeApiError' || error.name === 'TransportError'));
  if (isSentence) return error.message;
  process.stderr.write(`tollfree: ${error instanceof Error ? (error.stack ?? error.message) : 'an unknown error'}\n`);
  return "An unexpected error occurred. The server's stderr has the details.";
}

async function findApiKey(
  client: ManagementClient,
  { wanted, usual }: { readonly wanted: string | undefined; readonly usual: string | undefined },
): Promise<string> {
  if (wanted === undefined && usual !== undefined) return usual;
  const all = await client.listPaymasters();
  const found = all.filter(
    ({ name, paymasterId }) => wanted === undefined || name === wanted || paymasterId === wanted,
  );
  const [one] = found;
  if (one !== undefined && found.length === 1) return one.apiKey;
  const names = all.map(({ name, paymasterId }) => `${name} (${paymasterId})`).join(', ');
  if (all.length === 0) throw mistake('The account has no paymaster yet. Create one first.');
  throw mistake(`Name the paymaster by its paymasterId. Known: ${names}.`);
}
