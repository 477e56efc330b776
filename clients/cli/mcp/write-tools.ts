import { budgetWindows } from '@tollfree/contract/budget';
import { entryPointVersions } from '@tollfree/contract/entry-point-version';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { PolicyItem } from '@tollfree/contract/policy';
import { z } from 'zod';
import { findVersion } from '../find-version.ts';
import { paymaster, policy, readDefaultPolicy, readPolicy, type Tool, tool } from './read-tools.ts';

const methods = z
  .array(z.string())
  .describe('Names of methods, which mean every overload, or full signatures like transfer(address,uint256).');

const versionFields = { entryPointField: 'entryPoint', versionField: 'version', listing: 'list_chains' } as const;

/** Tools that change settings; only offered with `--allow-writes`. None of them moves coin, and none answers a secret but a new apiKey. */
export const writeTools: readonly Tool[] = [
  tool({
    name: 'create_paymaster',
    description:
      'Creates a paymaster and returns its apiKey and paymasterId. It sponsors nothing until contracts are registered and its gas tank is filled.',
    input: z.object({
      name: z.string(),
      chainId: z.int(),
      entryPoint: z.enum(entryPointVersions).optional().describe('EntryPoint of the accounts, like 0.8.'),
      version: z.string().optional().describe('A version that list_chains returns; instead of entryPoint.'),
    }),
    run: async ({ client }, { name, chainId, entryPoint, version }) => ({
      ...(await client.createPaymaster({
        name,
        chainId,
        version: version ?? (await findVersion(client, { chainId, entryPoint }, versionFields)),
      })),
      next: 'register_contract, then set_policy with a limit per TOTAL and day. A person sets the funding wallet and fills the tank: read_gas_tank has the call.',
    }),
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
      const registered = await client.registerSmartContract({ apiKey, name, address, abi: text, ...whitelist });
      return { ...registered, next: 'explain_sponsorship with an operation that calls it, before a user does.' };
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
    description:
      'Replaces the whole policy of a paymaster. Read it first: fields that are left out are unset. preview_policy shows what it would change; read_policy_schema has the fields.',
    input: z.object({ paymaster, policy }),
    run: async ({ client, apiKeyOf }, { paymaster: wanted, policy: given }) => {
      const set = await client.setPolicy({ apiKey: await apiKeyOf(wanted), policy: readDefaultPolicy(given) });
      return { ...set, ...adviceOn(set) };
    },
  }),
  tool({
    name: 'create_named_policy',
    description: 'Creates a policy that requests choose by its policyId. Anyone with the apiKey can choose it.',
    input: z.object({ paymaster, name: z.string(), description: z.string().optional(), policy }),
    run: async ({ client, apiKeyOf }, { paymaster: wanted, policy: given, ...head }) => {
      const created = { ...omitAbsent(head), enabled: true, policy: readPolicy(given) };
      return client.createPolicy({ apiKey: await apiKeyOf(wanted), ...created });
    },
  }),
  tool({
    name: 'set_named_policy',
    description: 'Replaces the rules of a named policy, or enables or disables it. Name and description stay.',
    input: z.object({ paymaster, policyId: z.string(), policy: policy.optional(), enabled: z.boolean().optional() }),
    run: async ({ client, apiKeyOf }, { paymaster: wanted, policyId, policy: given, enabled }) => {
      const apiKey = await apiKeyOf(wanted);
      const { createdAt: _, updatedAt: __, ...before } = await client.readNamedPolicy({ apiKey, policyId });
      const changes = omitAbsent({ enabled, policy: given === undefined ? undefined : readPolicy(given) });
      return client.replacePolicy({ apiKey, ...before, ...changes });
    },
  }),
  tool({
    name: 'create_budget',
    description: 'Bounds in USD what paymasters of the account sponsor together. Without a list it covers all of them.',
    input: z.object({
      name: z.string(),
      maxUsd: z.string().describe('Like 250.00.'),
      window: z.enum(budgetWindows),
      paymasters: z.array(z.string()).optional().describe('Names or paymasterIds.'),
    }),
    run: async ({ client, paymasterIdOf }, { paymasters, ...terms }) => {
      const paymasterIds = paymasters && (await Promise.all(paymasters.map(paymasterIdOf)));
      return client.createBudget({ ...terms, ...omitAbsent({ paymasterIds }) });
    },
  }),
  tool({
    name: 'delete_budget',
    description: 'Deletes a budget.',
    input: z.object({ budgetId: z.string() }),
    run: ({ client }, given) => client.deleteBudget(given),
  }),
  tool({
    name: 'create_webhook',
    description:
      'Registers a URL that decides before anything is signed. It is called from now on, and refuses until it answers.',
    input: z.object({ paymaster, webhookUrl: z.string(), requestType: z.enum(['GET', 'POST']).default('POST') }),
    run: async ({ client, apiKeyOf }, { paymaster: wanted, ...webhook }) => ({
      ...(await client.createWebhook({ apiKey: await apiKeyOf(wanted), ...webhook })),
      next: 'A person reads its signing secret (tollfree webhook secret <webhookId>) into the server. Then test_webhook.',
    }),
  }),
  tool({
    name: 'set_webhook_active',
    description: 'Activates or deactivates a webhook. An inactive one is not called: operations are signed without it.',
    input: z.object({ paymaster, webhookId: z.string(), active: z.boolean() }),
    run: async ({ client, apiKeyOf }, { paymaster: wanted, ...change }) =>
      client.updateWebhook({ apiKey: await apiKeyOf(wanted), ...change }),
  }),
  tool({
    name: 'create_ticket_key',
    description:
      'Registers the public key or the key list of a login, whose tokens are tickets then. A key that the service generates has a secret: a person creates it with tollfree ticket-key create.',
    input: z.object({
      paymaster,
      name: z.string(),
      publicKey: z.record(z.string(), z.unknown()).optional().describe('JWK (RFC 7517), without private parts.'),
      jwksUrl: z.string().optional().describe('Instead of publicKey: https, at a public address.'),
      issuer: z.string().optional().describe('Required iss of tickets. Mandatory with jwksUrl.'),
      audience: z
        .string()
        .optional()
        .describe('Required aud of tickets; the paymasterId by default. Mandatory with jwksUrl.'),
    }),
    run: async ({ client, paymasterIdOf }, { paymaster: wanted, name, jwksUrl, ...rest }) => {
      const paymasterId = await paymasterIdOf(wanted);
      const kind = jwksUrl === undefined ? 'JWK' : 'JWKS';
      const key = await client.createTicketKey({ paymasterId, name, kind, ...omitAbsent({ jwksUrl, ...rest }) });
      return { ...key, next: 'set_policy with requireTicket true, once clients send tickets.' };
    },
  }),
  tool({
    name: 'delete_ticket_key',
    description: 'Deletes a ticket key: its tickets are no longer accepted.',
    input: z.object({ paymaster, ticketKeyId: z.string() }),
    run: async ({ client, paymasterIdOf }, { paymaster: wanted, ticketKeyId }) =>
      client.deleteTicketKey({ paymasterId: await paymasterIdOf(wanted), ticketKeyId }),
  }),
  tool({
    name: 'create_api_key',
    description: 'Creates another apiKey for a paymaster. It is shown only in this answer.',
    input: z.object({ paymaster, name: z.string() }),
    run: async ({ client, paymasterIdOf }, { paymaster: wanted, name }) =>
      client.createApiKey({ paymasterId: await paymasterIdOf(wanted), name }),
  }),
  tool({
    name: 'end_api_key',
    description: 'Ends an apiKey of a paymaster permanently.',
    input: z.object({ paymaster, apiKeyId: z.string() }),
    run: async ({ client, paymasterIdOf }, { paymaster: wanted, apiKeyId }) =>
      client.endApiKey({ paymasterId: await paymasterIdOf(wanted), apiKeyId }),
  }),
];

/** What a policy without a total limit lacks. */
function adviceOn({ limits }: PolicyItem): { readonly next?: string } {
  const isBounded = limits.some(({ per, contract }) => per === 'TOTAL' && contract === undefined);
  return isBounded
    ? {}
    : { next: 'It has no limit per TOTAL, so strangers can spend the whole gas tank. Add one, or create_budget.' };
}
