import { z } from 'zod';
import { limitPers, limitUnits, limitWindows } from '../policy-fields.ts';

const text = z.string({ error: 'must be a string' });

export const TollfreeGetAllowanceParamsSchema = z.tuple(
  [
    z.object(
      {
        ticket: text.nullish().describe('The user’s ticket. Absent: the bearer token.'),
        sender: text.nullish().describe('Address of the account.'),
        policyId: text.nullish().describe('The policy to check. Absent: the default policy.'),
      },
      { error: 'must be an object' },
    ),
  ],
  { error: 'must be an array of an object' },
);
export type TollfreeGetAllowanceParams = z.infer<typeof TollfreeGetAllowanceParamsSchema>;

export const TollfreeGetAllowanceResultSchema = z.object({
  operationsLeft: z
    .int()
    .optional()
    .describe(
      'How many operations are left, by the tightest limit on all operations; 0 if `budget` reports that nothing is left. An estimate for limits in WEI and USD, from what operations of the last week cost on average. The ticket’s own uses and budget do not count. Absent if no limit says so.',
    ),
  ticketExpiresAt: z.int().optional().describe('Unix seconds.'),
  budget: z
    .object({
      state: z
        .enum(['USED_UP', 'NOT_COUNTED'])
        .describe('The limit is used up, or the price of the chain’s coin is unknown.'),
      until: z.int().optional().describe('Unix seconds when the next window begins. Absent if the window never ends.'),
    })
    .optional()
    .describe('Present if the account’s budgets are used up. Their remaining amounts are not disclosed.'),
  limits: z.array(
    z.object({
      per: z
        .enum([...limitPers, 'KEY', 'TICKET'])
        .describe('As in the policy. `KEY`: a limit of the apiKey. `TICKET`: the uses or the budget of the ticket.'),
      window: z.enum(limitWindows),
      unit: z.enum(limitUnits),
      max: z.string().describe('As in the policy.'),
      left: z.string().describe('In the same format.'),
      until: z.int().optional().describe('Unix seconds when the next window begins. Absent if the window never ends.'),
      contract: z.string().optional().describe('The contract whose calls count. Absent if all operations count.'),
      method: z
        .string()
        .optional()
        .describe('The method that counts, as named in the policy. Absent if all methods count.'),
    }),
  ),
});
export type TollfreeGetAllowanceResult = z.infer<typeof TollfreeGetAllowanceResultSchema>;

/** What remains for a user or an account in each limit, and until when, for display in a wallet. */
export const tollfreeGetAllowance = {
  method: 'tollfree_getAllowance',
  params: TollfreeGetAllowanceParamsSchema,
  result: TollfreeGetAllowanceResultSchema,
} as const;
