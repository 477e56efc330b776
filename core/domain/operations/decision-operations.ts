import { decisionOperations as decisions } from '@tollfree/contract/decision';
import { overviewOperations as overview } from '@tollfree/contract/overview';
import { usageOperations as usage } from '@tollfree/contract/usage';
import { userOperationOperations as userOperations } from '@tollfree/contract/user-operation';
import { z } from 'zod';
import { flag, integer, listMessage, request, text } from '../../base/message-schema.ts';
import { owned } from '../access/actor.ts';
import {
  DecisionFilterSchema,
  DecisionPageSchema,
  DecisionSchema,
  decisionMethods,
  ExplanationSchema,
  OperationLifeSchema,
} from '../decision.ts';
import { OverviewSchema } from '../overview.ts';
import { emptyContext, SponsorshipContextSchema } from '../sponsorship.ts';
import { UsageRowSchema, usageDimensions } from '../usage.ts';
import { RawUserOperationSchema } from '../user-operation.ts';
import { type CoreMethods, inputOf } from './core-methods.ts';

/** Past decisions, explanations, and usage. */
export const decisionOperations = {
  /** The paymaster's decisions, newest first: 1 to 200 of them (50 by default), from `cursor` on. */
  listDecisions: {
    input: request({
      ...owned,
      filter: DecisionFilterSchema.default({}),
      cursor: text.exactOptional(),

      limit: integer.exactOptional(),
    }),
    value: DecisionPageSchema,
  },
  /** `DECISION_NOT_FOUND` also for another paymaster's, and once it is pruned. */
  getDecision: { input: inputOf(decisions.read), value: DecisionSchema },
  /** The life of a signed operation. `OPERATION_NOT_FOUND` also for another paymaster's. */
  getOperation: { input: inputOf(userOperations.read), value: OperationLifeSchema },
  /**
   * What the request would be answered now, and why. Holds and signs nothing. Calls the webhooks only with `askWebhooks`,
   * else assumes that they approve. `entryPoint` goes with the two methods of ERC-7677. `API_KEY_NOT_FOUND`.
   */
  explainSponsorship: {
    input: request({
      ...owned,
      method: z.enum(decisionMethods),

      /** Absent is read as an operation without fields. */
      userOperation: RawUserOperationSchema.default({}),

      /** Absent is read as a context without fields. */
      context: SponsorshipContextSchema.default(emptyContext),

      /** Address of the EntryPoint, for the two methods of ERC-7677. */
      entryPoint: text.exactOptional(),
      askWebhooks: flag,
      /** Explains it for a caller with this apiKey; otherwise with the paymaster's own. */
      apiKeyId: text.exactOptional(),
      /** The origin of the request. Absent: an allowed one. */
      origin: text.exactOptional(),
      address: text.exactOptional(),
    }),
    value: ExplanationSchema,
  },
  /** Decisions and spending, grouped by one dimension. The last 30 days when no days are given; at most 366. */
  getUsage: {
    input: inputOf(usage.read, { by: z.enum(usageDimensions) }),
    value: listMessage('UsageRowList', 'rows', UsageRowSchema),
  },
  /** Usage, gas tanks and recent decisions of the account's paymasters, 50 of them, from `cursor` on. */
  getOverview: { input: inputOf(overview.read), value: OverviewSchema },
} as const satisfies CoreMethods;
