import { z } from 'zod';
import { TokenOffersSchema } from './rpc/refusal-data/then-pay-in-token.ts';
import { pageQuery } from './text-field.ts';

const wei = z.string().regex(/^(0|[1-9]\d*)$/);
const seconds = z.int().describe('Unix seconds.');

export const DecisionOutcomeSchema = z.enum(['signed', 'quoted', 'stub', 'refused']);
export type DecisionOutcome = z.infer<typeof DecisionOutcomeSchema>;

/** What an account holder can do about a refusal. */
export const mendActions = [
  'register-contract',
  'whitelist-method',
  'change-policy',
  'look-at-webhook',
  'deposit',
] as const;

export const MendSchema = z.object({
  action: z.enum(mendActions),
  target: z.string().optional().describe('The address that was called.'),
  selector: z.string().optional().describe('The method that was called.'),
  policyField: z.string().optional().describe('The field of the policy that says no.'),
  webhookId: z.string().optional().describe('The webhook that said no, or nothing that can be relied on.'),
  neededWei: wei.optional().describe('What has to be available in the gas tank, in wei.'),
});
export type MendItem = z.infer<typeof MendSchema>;

export const TraceStepSchema = z.object({
  rule: z.string().describe('Stable name of the rule.'),
  verdict: z.enum(['passed', 'refused']),
  checked: z.string().describe('What the rule checked.'),
  limit: z.string().optional().describe('What was allowed.'),
  used: z.string().optional().describe('What was asked for or used.'),
  remedy: z.string().optional().describe('What would change a refusal.'),
  mend: MendSchema.optional().describe('The same for programs. Absent where it is not for the account holder to do.'),
});
export type TraceStepItem = z.infer<typeof TraceStepSchema>;

export const SettlementSchema = z.object({
  state: z.enum(['live', 'settled', 'released']).describe('Still open, landed, or given back.'),
  held: wei.describe('The most it can cost, in wei.'),
  charge: wei.optional().describe('What the gas tank paid, in wei.'),
  success: z.boolean().optional().describe('Whether the operation’s own calls succeeded.'),
  txHash: z.string().optional().describe('The transaction that it landed in.'),
  tokenPayment: z
    .object({ token: z.string(), amount: wei.describe('In the token’s base units.') })
    .optional()
    .describe('What the user paid for it.'),
  unpaid: z.literal(true).optional().describe('That the user was to pay and did not.'),
});
export type SettlementItem = z.infer<typeof SettlementSchema>;

const decisionShape = {
  decisionId: z.string(),
  decidedAt: seconds,
  method: z.string().describe('The RPC method that was called.'),
  chainId: z.int(),
  outcome: DecisionOutcomeSchema,
  mode: z.enum(['SPONSORED', 'ERC20']).optional(),
  policyId: z.string().optional().describe('The named policy that decided. Absent: the default one.'),
  reason: z.string().optional().describe('Of a refusal, as in `error.data.reason` of the RPC.'),
  message: z.string().optional().describe('Of a refusal.'),
  sender: z.string().optional(),
  nonce: z.string().optional().describe('Decimal digits.'),
  token: z.string().optional().describe('The fee token of ERC20 mode.'),
  facts: z
    .object({
      calls: z.array(z.object({ target: z.string(), selector: z.string().optional() })),
      deploysOnly: z.boolean().describe('An operation that deploys its account and calls nothing.'),
      maxFeePerGas: wei.describe('In wei.'),
      account: z
        .object({
          known: z.boolean(),
          text: z.string().describe('The kind of account, or why it is not known.'),
          codeHash: z.string().optional().describe('Of the code that is not known.'),
          setting: z.string().optional().describe('The list of the configuration that would make it known.'),
          entry: z
            .string()
            .optional()
            .describe('`accounts` of the configuration with all code that is missing, as JSON to paste.'),
        })
        .optional()
        .describe('Whose code runs for the sender.'),
      attribution: z
        .array(z.string())
        .optional()
        .describe('The attribution codes (ERC-8021) that its call data names, at most 4. No one checks them.'),
      subject: z.string().optional().describe('Whose ticket it was made with, as a digest.'),
      withoutWebhooks: z
        .array(z.string())
        .optional()
        .describe('The webhooks that were down, which it was sponsored without.'),
      gas: wei.optional().describe('The sum of its gas limits, in gas.'),
      worstCase: wei.optional().describe('The most it can cost, in wei.'),
      usdMicrosPerCoin: wei.optional().describe('Millionths of a USD for 10^18 wei, at that time.'),
    })
    .optional()
    .describe('Absent when the operation could not be read.'),
} as const;

const trace = z.array(TraceStepSchema).describe('The rules in the order they decided.');

/** One answer of the RPC endpoint, yes or no, with its reasons and what became of it. */
export const DecisionSchema = z.object({ ...decisionShape, settlement: SettlementSchema.optional(), trace });
export type DecisionItem = z.infer<typeof DecisionSchema>;

export const DecisionPageSchema = z.object({
  decisions: z.array(DecisionSchema).describe('Newest first. May be fewer than `limit`, even with a next page.'),
  nextCursor: z.string().optional().describe('The `cursor` of the next page. Absent on the last one.'),
});
export type DecisionPage = z.infer<typeof DecisionPageSchema>;

/** What a request would be answered now, and why. */
export const ExplanationSchema = z.object({ ...decisionShape, tokenOffers: TokenOffersSchema.optional(), trace });
export type ExplanationItem = z.infer<typeof ExplanationSchema>;

export function secondsQuery(name: string) {
  return z
    .string()
    .regex(/^\d{1,12}$/, { error: `${name} must be Unix seconds` })
    .optional();
}

export const ListDecisionsQuerySchema = z.object({
  ...pageQuery('Decisions'),
  outcome: z
    .enum(DecisionOutcomeSchema.options, { error: 'outcome must be signed, quoted, stub or refused' })
    .optional(),
  reason: z
    .string()
    .regex(/^[A-Z_]{1,64}$/, { error: 'reason must be a reason of a refusal' })
    .optional()
    .describe('Reason of a refusal, e.g. `LIMIT_EXCEEDED`.'),
  sender: z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/, { error: 'sender must be a valid address' })
    .optional(),
  mode: z.enum(['SPONSORED', 'ERC20'], { error: 'mode must be SPONSORED or ERC20' }).optional(),
  from: secondsQuery('from').describe('Unix seconds; from it on.'),
  until: secondsQuery('until').describe('Unix seconds; before it.'),
});
export type ListDecisionsQuery = z.infer<typeof ListDecisionsQuerySchema>;
