import { DecisionOutcomeSchema } from '@tollfree/contract/decision-fields';
import { errorRemedies } from '@tollfree/contract/error-remedies';
import { managementErrors } from '@tollfree/contract/errors';
import { maxPreview, maxPreviewDays } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { DefaultPolicyRequestSchema, PolicyRequestSchema } from '@tollfree/contract/policy-fields';
import { rpcRefusals } from '@tollfree/contract/rpc/refusals';
import type { ExplainSponsorshipRequest } from '@tollfree/contract/sponsorship';
import { usageDimensions } from '@tollfree/contract/usage';
import type { ManagementClient } from '@tollfree/sdk/management';
import { z } from 'zod';
import { policyProblem } from '../policy-commands.ts';
import { mistake } from '../terminal/cli-error.ts';
import { readPolicySchema } from './service-documents.ts';

export const paymaster = z.string().optional().describe('Name or paymasterId; the configured one by default.');
/** A policy as JSON. Its fields are in {@link readPolicySchema}. */
export const policy = z.record(z.string(), z.unknown()).describe('A whole policy; read_policy_schema has its fields.');
const none = z.object({});
const ofPaymaster = z.object({ paymaster });

/** Most reasons returned by a search. */
const maxFound = 20;

/** Tools that change nothing. */
export const readTools: readonly Tool[] = [
  tool({
    name: 'list_chains',
    description: 'Lists the supported chains, and the EntryPoints and paymaster versions for create_paymaster.',
    input: none,
    run: ({ client }) => client.listChains(),
  }),
  tool({
    name: 'list_paymasters',
    description: 'Lists the paymasters of the account with their RPC URLs.',
    input: none,
    run: async ({ client, baseUrl }) =>
      (await client.listPaymasters()).map((one) => ({
        ...one,
        rpcUrl: new URL(`/api/v2/${one.chainId}/${one.apiKey}`, baseUrl).href,
      })),
  }),
  tool({
    name: 'list_contracts',
    description: 'Lists the contracts that a paymaster sponsors calls to, with the methods that are whitelisted.',
    input: ofPaymaster,
    run: async ({ client, apiKeyOf }, given) => {
      const contracts = await client.listSmartContracts({ apiKey: await apiKeyOf(given.paymaster) });
      // An ABI can be larger than the rest of a conversation.
      return contracts.map(({ abi: _, ...contract }) => contract);
    },
  }),
  tool({
    name: 'read_policy',
    description:
      'Reads the policy of a paymaster: limits, blocked senders, tokens and all other settings of what is sponsored.',
    input: ofPaymaster,
    run: async ({ client, apiKeyOf }, given) => client.readPolicy({ apiKey: await apiKeyOf(given.paymaster) }),
  }),
  tool({
    name: 'list_api_keys',
    description: 'Lists the apiKeys of a paymaster with their rules; the keys themselves are not shown.',
    input: ofPaymaster,
    run: async ({ client, paymasterIdOf }, given) =>
      client.listApiKeys({ paymasterId: await paymasterIdOf(given.paymaster) }),
  }),
  tool({
    name: 'read_policy_schema',
    description: 'Reads the JSON Schema of policies: every field of a policy, what it does and its bounds.',
    input: none,
    run: ({ baseUrl }) => readPolicySchema(baseUrl),
  }),
  tool({
    name: 'preview_policy',
    description:
      'Decides recent requests again with a proposed policy: whom it would cut off, by which rule, what higher amounts would change, and whom it would let in. Sets nothing.',
    input: z.object({
      paymaster,
      policy,
      last: z.int().min(1).max(maxPreview).optional(),
      days: z.int().min(1).max(maxPreviewDays).optional(),
    }),
    run: async ({ client, apiKeyOf }, { paymaster: wanted, policy: given, last, days }) =>
      client.previewPolicy({
        apiKey: await apiKeyOf(wanted),
        policy: readPolicy(given),
        ...omitAbsent({ last, days }),
      }),
  }),
  tool({
    name: 'list_named_policies',
    description: 'Lists the policies that requests choose by their policyId. The default policy is not among them.',
    input: ofPaymaster,
    run: async ({ client, apiKeyOf }, given) => client.listPolicies({ apiKey: await apiKeyOf(given.paymaster) }),
  }),
  tool({
    name: 'list_budgets',
    description: 'Lists the budgets of the account in USD, with the use of each in its window.',
    input: none,
    run: ({ client }) => client.listBudgets(),
  }),
  tool({
    name: 'list_webhooks',
    description: 'Lists the webhooks of a paymaster that decide before something is signed.',
    input: ofPaymaster,
    run: async ({ client, paymasterIdOf }, given) =>
      client.listAccountWebhooks({ paymasterId: await paymasterIdOf(given.paymaster) }),
  }),
  tool({
    name: 'test_webhook',
    description: 'Calls a webhook with data that says it is a test, and shows its answer. Nothing is sponsored.',
    input: z.object({ paymaster, webhookId: z.string() }),
    run: async ({ client, apiKeyOf }, { paymaster: wanted, webhookId }) =>
      client.testWebhook({ apiKey: await apiKeyOf(wanted), webhookId }),
  }),
  tool({
    name: 'list_ticket_keys',
    description: 'Lists the keys that verify the tickets of a paymaster, without secrets.',
    input: ofPaymaster,
    run: async ({ client, paymasterIdOf }, given) =>
      client.listTicketKeys({ paymasterId: await paymasterIdOf(given.paymaster) }),
  }),
  tool({
    name: 'list_decisions',
    description: "Lists the service's answers, newest first: the sender, whether it was signed or refused, and why.",
    input: z.object({
      paymaster,
      outcome: DecisionOutcomeSchema.optional(),
      reason: z.string().optional().describe('Reason of a refusal, such as LIMIT_EXCEEDED.'),
      sender: z.string().optional(),
      limit: z.int().min(1).max(50).default(10),
      cursor: z.string().optional().describe('The nextCursor of the previous page.'),
    }),
    run: async ({ client, apiKeyOf }, { paymaster: wanted, ...filter }) =>
      client.listDecisions({ apiKey: await apiKeyOf(wanted), ...omitAbsent(filter) }),
  }),
  tool({
    name: 'read_operation',
    description:
      'Reads what became of a user operation by its userOpHash: its status, each step with its time, cost, transaction and why it failed.',
    input: z.object({ paymaster, userOperationHash: z.string().regex(/^0x[0-9a-fA-F]{64}$/) }),
    run: async ({ client, apiKeyOf }, { paymaster: wanted, userOperationHash }) =>
      client.getOperation({ apiKey: await apiKeyOf(wanted), userOperationHash }),
  }),
  tool({
    name: 'read_decision',
    description:
      'Reads one decision by its decisionId, which every answer and refusal carries: each rule and its verdict.',
    input: z.object({ paymaster, decisionId: z.string() }),
    run: async ({ client, apiKeyOf }, { paymaster: wanted, decisionId }) =>
      client.getDecision({ apiKey: await apiKeyOf(wanted), decisionId }),
  }),
  tool({
    name: 'explain_sponsorship',
    description: 'Explains how the service would answer a sponsorship request now, rule by rule. Nothing is signed.',
    input: z.object({
      paymaster,
      method: z.string().optional().describe('RPC method; pm_getFeeQuoteOrData by default.'),
      params: z.array(z.unknown()).describe('The params of the RPC method: a user operation and a context.'),
    }),
    run: async ({ client, apiKeyOf }, { paymaster: wanted, ...request }) =>
      // The service checks the content, and names the invalid field.
      client.explainSponsorship({ apiKey: await apiKeyOf(wanted), ...(request as ExplainSponsorshipRequest) }),
  }),
  tool({
    name: 'read_usage',
    description:
      'Reads the usage and cost of a paymaster in wei, by day, sender, contract, method, token, attribution code or apiKey; relayed operations by `relayedMethod`; how many cost how much by `cost`; or in `total` with the number of users and what 95 of 100 operations cost at most.',
    input: z.object({
      paymaster,
      by: z.enum(usageDimensions),
      from: z.string().optional().describe('First UTC day, YYYY-MM-DD; 30 days in all by default.'),
      until: z.string().optional().describe('Last UTC day.'),
    }),
    run: async ({ client, apiKeyOf }, { paymaster: wanted, ...query }) =>
      client.getUsage({ apiKey: await apiKeyOf(wanted), ...query }),
  }),
  tool({
    name: 'read_gas_tank',
    description: 'Reads the gas tank of a paymaster in wei, how many days it lasts, and the call that fills it.',
    input: ofPaymaster,
    run: async ({ client, apiKeyOf }, given) => client.readGasTank({ apiKey: await apiKeyOf(given.paymaster) }),
  }),
  tool({
    name: 'look_up_refusal',
    description: 'Explains a reason or an error message, and how to fix it. Takes a reason or a word.',
    input: z.object({ words: z.string().min(2).max(200) }),
    run: async (_, { words }) => lookUp(words),
  }),
];

/**
 * The refusals of both APIs whose name, meaning or remedy contains the words; only the one with exactly that name, if any.
 */
function lookUp(words: string): object {
  const wanted = words.trim().toLowerCase();
  const all = [
    ...Object.entries(rpcRefusals).map(([reason, { code, httpStatus, meaning, remedy }]) => ({
      reason,
      code,
      httpStatus,
      meaning,
      remedy,
    })),
    ...Object.entries(managementErrors).map(([reason, { status, message }]) => ({
      reason,
      httpStatus: status,
      meaning: String(message),
      remedy: errorRemedies[reason as keyof typeof managementErrors],
    })),
  ];
  const exact = all.filter(({ reason }) => reason.toLowerCase() === wanted);
  const found = all.filter((one) => Object.values(one).join(' ').toLowerCase().includes(wanted));
  return { found: (exact.length > 0 ? exact : found).slice(0, maxFound) };
}

/** A named or proposed policy that an assistant has written, checked in the service's words. */
export function readPolicy(given: Readonly<Record<string, unknown>>) {
  return checked(PolicyRequestSchema.safeParse(given));
}

/** A default policy, with the version of the one that it replaces if `read_policy` returned it. */
export function readDefaultPolicy(given: Readonly<Record<string, unknown>>) {
  return checked(DefaultPolicyRequestSchema.safeParse(given));
}

function checked<Policy>(read: z.ZodSafeParseResult<Policy>): Policy {
  if (!read.success) throw mistake(`The policy is not valid: ${policyProblem(read.error)}`);
  return read.data;
}

/** The dependencies of tools. */
export type ToolContext = {
  readonly client: ManagementClient;
  /** The address of the service, for links in answers. */
  readonly baseUrl: string;
  /** The apiKey of the paymaster with this name or id; of the default one if none is named. */
  apiKeyOf(paymaster: string | undefined): Promise<string>;
  /** Its id, in the same way. */
  paymasterIdOf(paymaster: string | undefined): Promise<string>;
};

/** An action of the assistant. */
export type Tool<Input extends z.ZodObject = z.ZodObject, Given = never> = {
  readonly name: string;
  /** For the assistant, which selects tools by it. */
  readonly description: string;
  readonly input: Input;
  /** `given` has passed `input`. The result is sent as JSON. */
  readonly run: (context: ToolContext, given: Given) => Promise<unknown>;
};

/** Ties the type of a tool's input to its function. */
export function tool<Input extends z.ZodObject>(parts: Tool<Input, z.output<Input>>): Tool {
  return parts;
}
