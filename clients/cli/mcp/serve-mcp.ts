import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import type { ManagementClient } from '@tollfree/sdk/management';
import { z } from 'zod';
import { openManagement, openPaymaster } from '../open-management.ts';
import { CliError, mistake } from '../terminal/cli-error.ts';
import { describeAnswer } from '../terminal/describe-answer.ts';
import { type Flags, textFlag } from '../terminal/flags.ts';
import { bigintAsText } from '../terminal/print-answer.ts';
import { readVersion } from '../terminal/read-version.ts';
import { readTools, type Tool, type ToolContext } from './read-tools.ts';
import { listPages, readDocument } from './service-documents.ts';
import { writeTools } from './write-tools.ts';

const instructions =
  'Tollfree pays the gas of user operations (ERC-4337). A paymaster sponsors whitelisted methods of registered contracts, within its policy, out of its gas tank. Amounts are wei as decimal text. `paymaster` of a tool is a name or a paymasterId. The resources are the documentation of the service that runs; look_up_refusal explains a refusal.';

/** `tollfree mcp`: answers on stdin and stdout until stdin ends. stdout only carries the protocol. */
export async function serveMcp(flags: Flags): Promise<void> {
  const target = openManagement(flags);
  const { client, baseUrl } = target;
  const isChosen = textFlag(flags, 'paymaster') !== undefined || target.chosen !== undefined;
  const { apiKey } = isChosen ? await openPaymaster(flags, target) : target;
  const server = new McpServer({ name: 'tollfree', version: readVersion() }, { instructions });
  const find = (wanted: string | undefined) => findPaymaster(client, { wanted, usual: apiKey });
  const context: ToolContext = {
    client,
    baseUrl,
    apiKeyOf: async (wanted) => (wanted === undefined && apiKey !== undefined ? apiKey : (await find(wanted)).apiKey),
    paymasterIdOf: async (wanted) => (await find(wanted)).paymasterId,
  };
  for (const each of readTools) offer(server, context, { tool: each, readOnly: true });
  if (flags.allowWrites === true)
    for (const each of writeTools) offer(server, context, { tool: each, readOnly: false });
  offerPages(server, baseUrl);
  await server.connect(new StdioServerTransport());
}

/** The documentation of the service that runs, as resources: one for each page. */
function offerPages(server: McpServer, baseUrl: string): void {
  const uriOf = (path: string) => new URL(path, baseUrl).href;
  const template = new ResourceTemplate(`${uriOf('/docs/')}{+page}`, {
    list: async () => ({
      resources: (await listPages(baseUrl)).map(({ path, title, about }) => ({
        uri: uriOf(path),
        name: title,
        description: about,
        mimeType: 'text/markdown',
      })),
    }),
  });
  const about = {
    title: 'Documentation',
    description: 'A page of the documentation as Markdown.',
    mimeType: 'text/markdown',
  };
  server.registerResource('docs', template, about, async ({ href, pathname }) => {
    if (href !== uriOf(pathname)) throw mistake('Only pages of the service are read.');
    return { contents: [{ uri: href, mimeType: 'text/markdown', text: await readDocument(baseUrl, pathname) }] };
  });
}

function offer(server: McpServer, context: ToolContext, { tool, readOnly }: { tool: Tool; readOnly: boolean }): void {
  const { name, description, input, run } = tool;
  const annotations = { readOnlyHint: readOnly, openWorldHint: false };
  server.registerTool(name, { description, inputSchema: z.strictObject(input.shape), annotations }, async (given) => {
    try {
      // The server has checked them with this tool's input schema.
      // A deletion answers nothing.
      return answer(JSON.stringify((await run(context, given as never)) ?? { done: true }, bigintAsText, 2));
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
  if (error instanceof CliError || (error instanceof Error && error.name === 'TransportError')) return error.message;
  if (error instanceof Error && error.name === 'TollfreeApiError') return describeAnswer(error.message);
  process.stderr.write(`tollfree: ${error instanceof Error ? (error.stack ?? error.message) : 'an unknown error'}\n`);
  return "An unexpected error occurred. The server's stderr has the details.";
}

/** The paymaster with a name or id; the configured one, or the only one, if none is named. */
async function findPaymaster(
  client: ManagementClient,
  { wanted, usual }: { readonly wanted: string | undefined; readonly usual: string | undefined },
): Promise<PaymasterItem> {
  const all = await client.listPaymasters();
  const isMeant = ({ name, paymasterId, apiKey }: PaymasterItem) =>
    wanted === undefined ? usual === undefined || apiKey === usual : name === wanted || paymasterId === wanted;
  const found = all.filter(isMeant);
  const [one] = found;
  if (one !== undefined && found.length === 1) return one;
  const names = all.map(({ name, paymasterId }) => `${name} (${paymasterId})`).join(', ');
  if (all.length === 0) throw mistake('The account has no paymaster yet. Create one first.');
  throw mistake(`Name the paymaster by its paymasterId. Known: ${names}.`);
}
