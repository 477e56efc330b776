import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { DefaultPolicyRequestSchema } from '@tollfree/contract/policy-fields';
import type { ManagementClient } from '@tollfree/sdk/management';
import { z } from 'zod';
import { openManagement } from '../open-management.ts';
import { policyProblem } from '../policy-commands.ts';
import { CliError, mistake } from '../terminal/cli-error.ts';
import type { Flags } from '../terminal/flags.ts';
import { bigintAsText } from '../terminal/print-answer.ts';
import { readVersion } from '../terminal/read-version.ts';
import { paymaster, readTools, type Tool, type ToolContext, tool } from './read-tools.ts';

const methods = z
  .array(z.string())
  .describe('Names of methods, which mean every overload, or full signatures like transfer(address,uint256).');

/** Tools that change settings; only offered with `--allow-writes`. None of them moves coin. */
const writeTools: readonly Tool[] = [
  tool({
    name: 'create_paymaster',
    description:
      'Creates a paymaster and returns its apiKey and paymasterId. It sponsors nothing until contracts are registered and its gas tank is filled.',
    input: z.object({
      name: z.string(),
      chainId: z.int(),
      version: z.string().describe('A version that list_chains returns.'),
    }),
    run: ({ client }, given) => client.createPaymaster(given),
  }),
  tool({
    name: 'register_contract',
    description:
      'Registers a contract whose whitelisted methods a paymaster sponsors. Without an ABI, it is fetched from the explorer.',
    input: z.object({
      paymaster,
      name: z.string(),
      address: z.string(),
      abi: z.string().optional().describe('JSON text of the ABI.'),
      whitelistedMethods: methods.optional(),
    }),
    run: async ({ client, apiKeyOf }, { paymaster: wanted, name, address, abi, whitelistedMethods }) => {
      const apiKey = await apiKeyOf(wanted);
      const text = abi ?? (await client.fetchContractAbi({ apiKey, address })).abi;
      const whitelist = omitAbsent({ whitelistedMethods });
      return client.registerSmartContract({ apiKey, name, address, abi: text, ...whitelist });
    },
  }),
  tool({
    name: 'whitelist_methods',
    description: 'Replaces the sponsored methods of a registered contract.',
    input: z.object({ paymaster, address: z.string(), whitelistedMethods: methods }),
    run: async ({ client, apiKeyOf }, { paymaster: wanted, ...change }) =>
      client.updateSmartContract({ apiKey: await apiKeyOf(wanted), ...change }),
  }),
  tool({
    name: 'set_policy',
    description: 'Replaces the whole policy of a paymaster. Read it first: fields that are left out are unset.',
    input: z.object({ paymaster, policy: z.record(z.string(), z.unknown()) }),
    run: async ({ client, apiKeyOf }, { paymaster: wanted, policy }) => {
      const read = DefaultPolicyRequestSchema.safeParse(policy);
      if (!read.success) throw mistake(`The policy is not valid: ${policyProblem(read.error)}`);
      return client.setPolicy({ apiKey: await apiKeyOf(wanted), policy: read.data });
    },
  }),
  tool({
    name: 'create_api_key',
    description: 'Creates another apiKey for a paymaster. It is shown only in this answer.',
    input: z.object({ paymasterId: z.string(), name: z.string() }),
    run: ({ client }, given) => client.createApiKey(given),
  }),
  tool({
    name: 'end_api_key',
    description: 'Ends an apiKey of a paymaster permanently.',
    input: z.object({ paymasterId: z.string(), apiKeyId: z.string() }),
    run: ({ client }, given) => client.endApiKey(given),
  }),
];

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
  server.registerTool(name, { description, inputSchema: z.strictObject(input.shape), annotations }, async (given) => {
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
