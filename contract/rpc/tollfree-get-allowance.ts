import { z } from 'zod';

const text = z.string({ error: 'must be a string' });

export const TollfreeGetAllowanceParamsSchema = z.tuple(
  [
    z.object(
      {
        ticket: text.nullish().describe('The user’s ticket; else what was sent as a bearer token.'),
        sender: text.nullish().describe('Address of the account.'),
        policyId: text.nullish().describe('The policy that is asked about; the default one without it.'),
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
      'The least that is left of those limits that count all operations; 0 where `budget` says that nothing is. Absent where none does.',
    ),
  ticketExpiresAt: z.int().optional().describe('Unix seconds.'),
  budget: z
    .object({
      state: z
        .enum(['USED_UP', 'NOT_COUNTED'])
        .describe('All of it is used, or the price of the coin is not known to count with.'),
      until: z
        .int()
        .optional()
        .describe('Unix seconds at which the next window begins. Absent of one that never ends.'),
    })
    .optional()
    .describe('There where budgets of the account leave nothing; of what they leave otherwise nothing is told.'),
  limits: z.array(
    z.object({
      per: z
        .enum(['SENDER', 'SUBJECT', 'TOTAL', 'KEY', 'TICKET'])
        .describe('As in the policy; `KEY`: of the apiKey that asks; `TICKET`: the uses or the budget of the ticket.'),
      window: z.enum(['HOUR', 'DAY', 'WEEK', 'MONTH', 'EVER']),
      unit: z.enum(['OPERATIONS', 'WEI', 'USD']),
      max: z.string().describe('As in the policy.'),
      left: z.string().describe('In the same form. 0 also while it is being counted.'),
      until: z
        .int()
        .optional()
        .describe('Unix seconds at which the next window begins. Absent of one that never ends.'),
      contract: z
        .string()
        .optional()
        .describe('The contract whose calls it counts. Absent of one that counts all operations.'),
      method: z.string().optional().describe('The method, as the policy names it. Absent where all of them count.'),
    }),
  ),
});
export type TollfreeGetAllowanceResult = z.infer<typeof TollfreeGetAllowanceResultSchema>;

/** What is left for a user or an account in each limit, and until when: for a wallet that shows it. */
export const tollfreeGetAllowance = {
  method: 'tollfree_getAllowance',
  params: TollfreeGetAllowanceParamsSchema,
  result: TollfreeGetAllowanceResultSchema,
} as const;
