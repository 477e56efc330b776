import { z } from 'zod';
import { FirstCallSchema } from './decision-fields.ts';
import { managementErrors } from './errors.ts';
import { exactly } from './fields/exactly.ts';
import { address, seconds, wei } from './fields/forms.ts';
import { defaultPreview, maxIdLength, maxPreview, maxPreviewDays } from './limits.ts';
import { manageOperation, operation, readOperation } from './operation.ts';
import { DefaultPolicyRequestSchema, PolicyInForceSchema } from './policy-fields.ts';
import { countQuery } from './text-field.ts';

export type PolicyItem = z.infer<typeof PolicyInForceSchema>;
export type PolicyRequest = z.input<typeof DefaultPolicyRequestSchema>;

export const ChangedDecisionSchema = z.object({
  decisionId: z.string(),
  decidedAt: seconds,
  sender: address,
  reason: z.string().describe('Reason of the refusal that would be added or removed.'),
  rule: z.string().describe('The policy rule that decides.'),
  message: z.string(),
  firstCall: FirstCallSchema.optional(),
  offeredTokenPayment: z.literal(true).optional().describe('The user would be offered to pay in a token.'),
  worstCase: wei.optional().describe('Its maximum cost, in wei. Absent: it was refused before that was known.'),
  charge: wei
    .optional()
    .describe(
      'What the gas tank paid for its operation, in wei. Absent if that has not landed, or if a later decision signed for it again.',
    ),
  usdMicrosPerCoin: wei
    .optional()
    .describe('The price that its cost was counted at: millionths of a USD per 10^18 wei. Absent if none was known.'),
});

export const CutOffSenderSchema = z.object({ sender: address, cutOff: z.int() });

export const RaisedValueSchema = z.object({
  value: z.string().describe('A higher value of the field, written as in the policy.'),
  cutOff: z.int().describe('Decisions that the rule would still refuse with it.'),
});

export const RefusingRuleSchema = z.object({
  rule: z.string().describe('The policy rule that decides.'),
  field: z
    .string()
    .optional()
    .describe(
      'The amount that is too low, such as `maxCostPerOperation.usd` or `limits[0].max`. Absent: it is not about an amount.',
    ),
  cutOff: z.int().describe('Decisions that it would refuse, of those in `cutOff`.'),
  raised: z
    .array(RaisedValueSchema)
    .describe('Round values that refuse fewer, highest first. Empty if no higher value helps.'),
});

export const MethodGasUseSchema = z.object({
  contract: address,
  method: z.string().optional().describe('As in the proposed policy. Absent: every call of the contract.'),
  operations: z.int().describe('Signed operations that called it.'),
  usualCallGas: z.int().optional().describe('Median of their `callGasLimit`. Absent: no operation called it.'),
  suggestedMaxCallGas: z.int().optional().describe('A `maxCallGas` with room: one and a half of the median.'),
});

export const PolicyPreviewSchema = z.object({
  replayed: z.int().describe('Decisions replayed: those signed in either mode, and those that the policy refused.'),
  since: seconds.optional().describe('Unix seconds of the oldest one; limits count from there.'),
  unpriced: z.int().describe('Decisions without a known value in USD. USD caps and limits did not count for them.'),
  unread: z.int().describe('Decisions whose arguments were not recorded. Rules on arguments did not count for them.'),
  cutOff: z.array(ChangedDecisionSchema).describe('Signed then, refused under the proposed policy.'),
  letIn: z.array(ChangedDecisionSchema).describe('Refused then, not refused under the proposed policy.'),
  methodGas: z
    .array(MethodGasUseSchema)
    .optional()
    .describe('What operations used, for each of `methodGas` of the proposed policy. Absent: it has none.'),
  senders: z.array(CutOffSenderSchema).describe('Decisions that would be refused, by sender, most first.'),
  replayedSenders: z.int().describe('Senders of the decisions replayed.'),
  rules: z.array(RefusingRuleSchema).describe('Decisions that would be refused, by what refuses them, most first.'),
});
export type PolicyPreviewItem = z.infer<typeof PolicyPreviewSchema>;

export const LimitUseNowSchema = z.object({
  limit: z.int().describe('Position of the limit in `limits` of the policy, from 0.'),
  used: z
    .string()
    .optional()
    .describe(
      'Used in this window, written as `max`: by all together, or by who used most of it. Held for signatures that may still land, plus the cost of landed operations. Absent: too many senders have used it to say.',
    ),
  sender: address.optional().describe('Who used most of a limit per sender. Absent if no one did.'),
  until: seconds.optional().describe('Unix seconds when the next window begins. Absent if the window never ends.'),
});
export type LimitUseNowItem = z.infer<typeof LimitUseNowSchema>;

export const ReadPolicyUseQuerySchema = exactly({
  policyId: z
    .string()
    .max(maxIdLength, { error: `policyId must be at most ${maxIdLength} characters` })
    .optional()
    .describe('A named policy. Absent: the default policy.'),
});

export const PreviewPolicyQuerySchema = exactly({
  last: countQuery('last', maxPreview)
    .optional()
    .describe(`How many recent decisions, 1 to ${maxPreview}; ${defaultPreview} by default.`),
  days: countQuery('days', maxPreviewDays)
    .optional()
    .describe(
      `Decisions of the last days, 1 to ${maxPreviewDays}. Without \`last\`: the newest ${maxPreview} of them at most.`,
    ),
});
export type PreviewPolicyQuery = z.input<typeof PreviewPolicyQuerySchema>;

const { paymasterNotFound, policyNotFound, scopeFundsMissing } = managementErrors;

/** What a paymaster's owner allows to be sponsored, in addition to contracts and webhooks. */
export const policyOperations = {
  /** The paymaster's policy. Wei and USD are decimal text. */
  read: readOperation('readPolicy', {
    path: '/policy',
    summary: 'Read the policy',
    credentials: 'paymaster',
    message: 'Policy fetched',
    data: PolicyInForceSchema,
    errors: [paymasterNotFound],
  }),
  /** Replaces the paymaster's policy as a whole: a field that is left out is no longer set. It is in force from the next request. */
  set: manageOperation('setPolicy', {
    method: 'PUT',
    path: '/policy',
    summary: 'Replace the policy',
    credentials: 'paymaster',
    body: DefaultPolicyRequestSchema,
    bodyAs: 'policy',
    // Full lists of senders exceed the usual body limit.
    bodyLimit: 'abi',
    versioned: true,
    message: 'Policy updated',
    data: PolicyInForceSchema,
    errors: [paymasterNotFound, scopeFundsMissing],
    repeatable: false,
    changes: 'policy',
  }),
  /** How full the limits of the default policy or of a named one are now, in the order of its `limits`. */
  readUse: readOperation('readPolicyUse', {
    path: '/policy/use',
    summary: 'Read how full the limits of a policy are',
    credentials: 'paymaster',
    query: ReadPolicyUseQuerySchema,
    message: 'Policy use fetched',
    data: z.array(LimitUseNowSchema),
    errors: [paymasterNotFound, policyNotFound],
  }),
  /** Which of the paymaster's recent decisions a proposed policy would change. Sets nothing. */
  preview: operation('previewPolicy', {
    method: 'POST',
    path: '/policy/preview',
    summary: 'See which recent decisions a proposed policy would change',
    credentials: 'paymaster',
    scopes: ['read'],
    query: PreviewPolicyQuerySchema,
    body: DefaultPolicyRequestSchema,
    bodyAs: 'policy',
    bodyLimit: 'abi',
    message: 'Policy previewed',
    data: PolicyPreviewSchema,
    errors: [paymasterNotFound],
    repeatable: true,
  }),
} as const;
