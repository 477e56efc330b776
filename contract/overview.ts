import { z } from 'zod';
import { DecisionSchema, FirstCallSchema } from './decision-fields.ts';
import { exactly } from './fields/exactly.ts';
import { count, wei } from './fields/forms.ts';
import { GasTankSchema, RelayTankSchema } from './gas-tank.ts';
import { defaultPageSize, defaultUsageDays, maxOverviewDecisions, maxOverviewReasons, overviewDays } from './limits.ts';
import { readOperation } from './operation.ts';
import { pageQuery } from './text-field.ts';
import { UsageRowSchema } from './usage.ts';

export const OverviewDaySchema = UsageRowSchema.pick({
  landed: true,
  charge: true,
  usersPaid: true,
  chargeUsd: true,
  unpriced: true,
})
  .extend({
    day: z.string().describe('UTC day, `YYYY-MM-DD`.'),
    signed: count.describe('Requests that were signed.'),
    refused: count.describe('Requests that were refused.'),
  })
  .describe('A day of a paymaster.');
export type OverviewDay = z.infer<typeof OverviewDaySchema>;

export const OverviewTankSchema = GasTankSchema.pick({
  fundingWallet: true,
  funded: true,
  settled: true,
  available: true,
  daysLeft: true,
}).extend({
  relay: RelayTankSchema.pick({ funded: true, available: true })
    .optional()
    .describe('The tank that pays for relayed operations. Absent where the operator relays none of this EntryPoint.'),
});
export type OverviewTank = z.infer<typeof OverviewTankSchema>;

export const RefusalCountSchema = z.object({
  reason: z.string().describe('As in `error.data.reason` of the RPC.'),
  count: count.describe('Number of requests that were refused for it.'),
  today: count.describe('Those of them on this UTC day.'),
});

export const OverviewPaymasterSchema = z.object({
  paymasterId: z.string(),
  days: z
    .array(OverviewDaySchema)
    .describe(`The last ${overviewDays} UTC days, oldest first. Days without requests are left out.`),
  tank: OverviewTankSchema.optional().describe('Absent if the operator no longer has a contract of this version.'),
  refusals: z
    .array(RefusalCountSchema)
    .describe(
      `Refusals of the last ${defaultUsageDays} days among the last ${maxOverviewReasons} requests, by reason.`,
    ),
  bounded: z
    .boolean()
    .describe(
      'A budget, or a total limit in each policy that requests can choose, bounds what all senders together can spend.',
    ),
  suggestedDailyUsd: UsageRowSchema.shape.chargeUsd
    .optional()
    .describe(
      `Suggested \`max\` of a limit \`{ per: TOTAL, window: DAY, unit: USD }\`: above the most expensive of the last ${defaultUsageDays} days, at least 50. Absent if \`bounded\`.`,
    ),
});

export const OverviewDecisionSchema = DecisionSchema.omit({ facts: true, request: true, trace: true }).extend({
  paymasterId: z.string(),
  usdMicrosPerCoin: wei.optional().describe('The price at that time: millionths of a USD per 10^18 wei.'),
  firstCall: FirstCallSchema.optional(),
});
export type OverviewDecision = z.infer<typeof OverviewDecisionSchema>;

export const OverviewSchema = z.object({
  paymasters: z
    .array(OverviewPaymasterSchema)
    .describe(`Those that are not retired, in the order of their creation; ${defaultPageSize} a page.`),
  recent: z
    .array(OverviewDecisionSchema)
    .describe(`The last ${maxOverviewDecisions} decisions for the paymasters of this page, newest first.`),
  nextCursor: z.string().optional().describe('The `cursor` of the next page. Absent on the last one.'),
});
export type OverviewPage = z.infer<typeof OverviewSchema>;

/** All paymasters of an account at a glance. */
export const overviewOperations = {
  /**
   * What the account's paymasters did and what their tanks have, all in one answer; `nextCursor` leads to further paymasters.
   * Amounts are wei as decimal text.
   */
  read: readOperation('getOverview', {
    path: '/overview',
    summary: 'Read usage, gas tanks and recent decisions of all paymasters at once',
    credentials: 'account',
    query: exactly({ cursor: pageQuery('Paymasters').cursor }),
    message: 'Overview fetched',
    data: OverviewSchema,
  }),
} as const;
