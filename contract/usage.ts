import { z } from 'zod';
import { managementErrors } from './errors.ts';
import { exactly } from './fields/exactly.ts';
import { withForm } from './fields/form.ts';
import { count, usdForm, wei } from './fields/forms.ts';
import { defaultUsageDays, maxChosenUsageKeys, maxUsageDays, maxUsageDaysByHour, maxUsageRows } from './limits.ts';
import { readOperation } from './operation.ts';
import { dayQuery } from './text-field.ts';

/** Dimensions of usage reports. */
export const usageDimensions = [
  'day',
  'hour',
  'sender',
  'contract',
  'method',
  'relayedMethod',
  'token',
  'attribution',
  'via',
  'apiKey',
  'cost',
  'total',
  'outcome',
] as const;

const usd = withForm(z.string().regex(/^\d+\.\d{2,6}$/), usdForm);

export const UsageRowSchema = z.object({
  key: z
    .string()
    .describe(
      'The day, hour (`2026-01-31T23:00Z`), sender, contract, method (`address:selector`), token, attribution code or ' +
        'outcome; of `relayedMethod` the method of relayed operations, of `via` `paymaster` or `relay`, of `cost` USD that an ' +
        'operation cost at most, rounded up to two digits, of `apiKey` the `apiKeyId` of the newest apiKey, which ' +
        'counts for those it replaced, and `other` for those that have ended; of `total` it is `total`. `none` for rows ' +
        'without one, `other` for what is neither registered nor signed, and for what comes after the first ' +
        `${maxChosenUsageKeys} keys of a day. ` +
        'The selector of a plain transfer of the chain’s coin is `0x`. Operations without an attribution ' +
        'code are in no row of `attribution`.',
    ),
  decisions: z
    .object({ signed: z.int(), quoted: z.int(), stub: z.int(), refused: z.int() })
    .describe('Number of requests with this answer; none in rows of `cost`, which count operations alone.'),
  landed: count.describe('Operations that landed.'),
  charge: wei.describe('Cost of landed operations for the gas tank, in wei.'),
  usersPaid: wei.describe(
    'The part of `charge` that users paid for in tokens, in wei; the rest was sponsored. Operations recorded by an earlier version are not included.',
  ),
  chargeUsd: usd.describe(
    'Cost in USD, each operation at the price when it was recorded. Operations counted by `unpriced` ' +
      'are left out.',
  ),
  unpriced: count.describe('Operations that landed without a known price.'),
  held: wei.describe('Held for operations that may still land, in wei.'),
  users: count
    .optional()
    .describe(
      `Of \`total\` alone: number of senders whose operations landed, each once. Senders of a day after its first ${maxChosenUsageKeys} keys are left out.`,
    ),
  costOf95PercentUsd: usd
    .optional()
    .describe(
      'Of `total` alone: at least 95 of 100 operations cost this or less, in USD, rounded up to two digits. Operations counted by `unpriced` are left out. Absent if there is no other.',
    ),
});
export type UsageItem = z.infer<typeof UsageRowSchema>;

export const ReadUsageQuerySchema = exactly({
  by: z
    .enum(usageDimensions, { error: `by must be ${usageDimensions.slice(0, -1).join(', ')} or outcome` })
    .describe(
      '`total` is one row of all, with the number of users. `via` tells operations paid by a paymaster contract from relayed ones, and `relayedMethod` has the relayed part of each `method`. `cost` tells how many operations cost how much. An operation that calls several contracts or methods, or names several attribution codes (ERC-8021), counts ' +
        'with its whole cost for each of them. The rows of `contract`, `method`, `relayedMethod` and `attribution` therefore do not add ' +
        'up to the total.',
    ),
  from: dayQuery('from').describe(
    `First UTC day, \`YYYY-MM-DD\`; ${defaultUsageDays} days in all by default, ${maxUsageDays} at most. By hour: 2 by default, ${maxUsageDaysByHour} at most.`,
  ),
  until: dayQuery('until').describe('Last UTC day; today by default.'),
});
export type ReadUsageQuery = z.infer<typeof ReadUsageQuerySchema>;

/** The use of a paymaster, and its cost. */
export const usageOperations = {
  /**
   * The paymaster's usage and cost, highest first, 1,000 rows at most. An operation that calls several contracts or methods
   * counts once for each. Amounts are wei as decimal text.
   */
  read: readOperation('getUsage', {
    path: '/usage',
    summary:
      'Read usage and cost by day, hour, sender, contract, method, token, attribution code, way, cost or outcome, or in all',
    credentials: 'paymaster',
    query: ReadUsageQuerySchema,
    message: 'Usage fetched',
    data: z.array(UsageRowSchema).describe(`Highest cost first; at most ${maxUsageRows}, the rest is left out.`),
    errors: [managementErrors.paymasterNotFound],
    rpc: 'readUsage',
  }),
} as const;
