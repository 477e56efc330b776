import { omitAbsent } from '@tollfree/contract/omit-absent';
import { PolicyRequestSchema } from '@tollfree/contract/policy-fields';
import { z } from 'zod';
import { mistake } from '../terminal/cli-error.ts';
import { paymaster, type Tool, tool } from './read-tools.ts';

const methods = z
  .array(z.string())
  .describe('Names of methods, which mean every overload, or full signatures like transfer(address,uint256).');

/** Tools that change settings; only offered with `--allow-writes`. None of them moves coin. */
export const writeTools: readonly Tool[] = [
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
      const read = PolicyRequestSchema.safeParse(policy);
      if (!read.success)
        throw mistake(`The policy is not valid: ${read.error.issues[0]?.message ?? 'it has no fields'}.`);
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
