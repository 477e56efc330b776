import { z } from 'zod';
import { exactly } from './fields/exactly.ts';
import { ofScalar, withForm } from './fields/form.ts';
import { address, chainId, count, decimalForm, hex, jsonForm, namedForm, seconds, wei } from './fields/forms.ts';
import { FixSchema } from './fix.ts';
import { operationStatuses } from './operation-status.ts';
import { TokenOffersSchema } from './rpc/refusals.ts';
import { pageQuery } from './text-field.ts';

/** A transaction's hash, or a user operation's. */
export const hashForm = /^0x[0-9a-fA-F]{64}$/;

/** Who pays: the gas tank, or the user in a token. */
export const decisionModes = ['SPONSORED', 'ERC20'] as const;

export const decisionOutcomes = ['signed', 'quoted', 'stub', 'refused'] as const;
export const DecisionOutcomeSchema = z.enum(decisionOutcomes);
export type DecisionOutcome = z.infer<typeof DecisionOutcomeSchema>;

/** The result of a rule. */
export const traceVerdicts = ['passed', 'refused'] as const;

export const TraceStepSchema = z.object({
  rule: z.string().describe('Stable name of the rule.'),
  verdict: z.enum(traceVerdicts),
  checked: z.string().describe('What the rule checks.'),
  limit: z.string().optional().describe('What the rule allows.'),
  used: z.string().optional().describe('What the request asks for or would use.'),
  remedy: z.string().optional().describe('How to fix a refusal, in a sentence. `fix` says where.'),
  fix: FixSchema.optional().describe('The fix in machine-readable form. Absent if only the application can fix it.'),
});
export type TraceStepItem = z.infer<typeof TraceStepSchema>;

/** For a signature: its operation is pending, has landed, or can no longer land. */
export const settlementStates = ['live', 'settled', 'released'] as const;

/** How an operation is paid for: by our paymaster contract, relayed without one, or by the vendor's paymaster. */
export const payers = ['CONTRACT', 'RELAY', 'VENDOR'] as const;

export const TokenPaymentSchema = z.object({ token: address, amount: wei.describe('In the token’s base units.') });

export const SettlementSchema = z.object({
  state: z.enum(settlementStates).describe('Pending, landed or released.'),
  payer: z
    .enum(payers)
    .optional()
    .describe(
      'Who pays on chain: CONTRACT the paymaster contract, RELAY the operator’s executors without a contract, VENDOR another paymaster. Absent if the core is older than the gateway.',
    ),
  held: wei.describe('The maximum cost, in wei.'),
  charge: wei.optional().describe('What the gas tank paid, in wei.'),
  success: z.boolean().optional().describe('Whether the operation’s own calls succeeded.'),
  txHash: hex.optional().describe('The transaction that included it.'),
  tokenPayment: TokenPaymentSchema.optional().describe('What the user paid.'),
  unpaid: z.literal(true).optional().describe('True: the user should have paid but did not.'),
});
export type SettlementItem = z.infer<typeof SettlementSchema>;

/** Methods of the RPC endpoint that make decisions about an operation, with their core operations. */
const decidingMethods = {
  pm_getFeeQuoteOrData: 'getFeeQuoteOrData',
  pm_sponsorUserOperation: 'sponsorUserOperation',
  pm_getPaymasterStubData: 'getPaymasterStubData',
  pm_getPaymasterData: 'getPaymasterData',
  tollfree_relayUserOperation: 'relayUserOperation',
  tollfree_prepareRelay: 'prepareRelay',
} as const;

/** The core operations that make decisions about an operation. */
export const decisionMethods = Object.values(decidingMethods);

export const DecidedCallSchema = z.object({
  target: address,
  selector: hex.optional(),
  value: wei.optional().describe('What it sends of the chain’s coin, in wei. Absent if not recorded.'),
  data: hex.optional().describe('Its call data. Absent if not recorded: there is room for 2 kB of an operation.'),
});

export const FirstCallSchema = DecidedCallSchema.pick({ target: true, selector: true })
  .extend({ count: count.describe('Number of calls of the operation, this one included.') })
  .describe('The operation’s first call. Absent if it makes none, or none was read.');
export type FirstCallItem = z.infer<typeof FirstCallSchema>;

export const DecidedAccountSchema = z.object({
  known: z.boolean(),
  text: z.string().describe('The type of account, or why it is unknown.'),
  codeHash: hex.optional().describe('Hash of the unknown code.'),
  setting: z.string().optional().describe('The configuration list that would make it known.'),
  entry: z.string().optional().describe('`accounts` of the configuration with all missing code, as JSON to paste.'),
});

export const DecisionFactsSchema = z.object({
  calls: z.array(DecidedCallSchema),
  deploysOnly: z.boolean().describe('True: the operation deploys its account and makes no call.'),
  maxFeePerGas: wei.describe('In wei.'),
  account: DecidedAccountSchema.optional().describe('The address whose code runs for the sender.'),
  attribution: z
    .array(z.string())
    .optional()
    .describe('The attribution codes (ERC-8021) in its call data, at most 4. They are not verified.'),
  subject: z.string().optional().describe('Digest of the ticket’s subject.'),
  gas: wei.optional().describe('The sum of its gas limits, in gas.'),
  callGas: wei.optional().describe('Its `callGasLimit`.'),
  worstCase: wei.optional().describe('The maximum cost, in wei.'),
  usdMicrosPerCoin: wei.optional().describe('The price at that time: millionths of a USD per 10^18 wei.'),
});

const decisionShape = {
  decisionId: z.string(),
  decidedAt: seconds,
  method: withForm(z.string(), namedForm(decidingMethods)).describe('The RPC method that was called.'),
  chainId,
  outcome: DecisionOutcomeSchema,
  mode: z.enum(decisionModes).optional(),
  policyId: z.string().optional().describe('The named policy that decided. Absent: the default policy.'),
  reason: z.string().optional().describe('For refusals, as in `error.data.reason` of the RPC.'),
  message: z.string().optional().describe('For refusals.'),
  sender: address.optional(),
  nonce: withForm(z.string(), decimalForm).optional().describe('Decimal digits.'),
  token: address.optional().describe('The fee token in ERC20 mode.'),
  facts: DecisionFactsSchema.optional().describe('Absent if the operation could not be read.'),
} as const;

const trace = z.array(TraceStepSchema).describe('The rules in the order they ran.');

/** One answer of the RPC endpoint, signed or refused, with its reasons and outcome. */
export const DecisionSchema = z.object({
  ...decisionShape,
  status: z.enum(operationStatuses).optional().describe('How far the operation came.'),
  userOperationHash: hex
    .optional()
    .describe(
      'The hash of the operation that was signed. Absent if nothing was signed, or not with this request first.',
    ),
  settlement: SettlementSchema.optional(),
  request: withForm(z.object({ method: z.string(), params: z.array(z.unknown()) }), jsonForm)
    .optional()
    .describe(
      'What was asked, as sent to the RPC endpoint. Tickets, data for webhooks and signatures that could be used again are left out or `[redacted]`. ' +
        'Absent in lists, and if the request was too long to be kept.',
    ),
  trace,
});
export type DecisionItem = z.infer<typeof DecisionSchema>;

export const DecisionPageSchema = z.object({
  decisions: z
    .array(DecisionSchema)
    .describe('Newest first. A page can have fewer than `limit` items even if another page follows.'),
  nextCursor: z.string().optional().describe('The `cursor` of the next page. Absent on the last one.'),
});
export type DecisionPage = z.infer<typeof DecisionPageSchema>;

/** How a request would be answered now, and why. */
export const ExplanationSchema = z.object({ ...decisionShape, tokenOffers: TokenOffersSchema.optional(), trace });
export type ExplanationItem = z.infer<typeof ExplanationSchema>;

export function secondsQuery(name: string) {
  const digits = z.string().regex(/^\d{1,12}$/, { error: `${name} must be Unix seconds` });
  return ofScalar(digits.transform(Number), 'seconds').optional();
}

export const ListDecisionsQuerySchema = exactly({
  ...pageQuery('Decisions'),
  outcome: z.enum(decisionOutcomes, { error: 'outcome must be signed, quoted, stub or refused' }).optional(),
  reason: z
    .string()
    .regex(/^[A-Z_]{1,64}$/, { error: 'reason must be a reason of a refusal' })
    .optional()
    .describe('Reason of a refusal, e.g. `LIMIT_EXCEEDED`.'),
  sender: z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/, { error: 'sender must be a valid address' })
    .optional(),
  mode: z.enum(decisionModes, { error: 'mode must be SPONSORED or ERC20' }).optional(),
  status: z
    .enum(operationStatuses, { error: `status must be one of ${operationStatuses.join(', ')}` })
    .optional()
    .describe('How far the operation came.'),
  txHash: z
    .string()
    .regex(hashForm, { error: 'txHash must be a transaction hash' })
    .optional()
    .describe('Only operations that landed in this transaction.'),
  from: secondsQuery('from').describe('Unix seconds, inclusive.'),
  until: secondsQuery('until').describe('Unix seconds, exclusive.'),
});
export type ListDecisionsQuery = z.input<typeof ListDecisionsQuerySchema>;
