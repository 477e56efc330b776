import { z } from 'zod';
import { DecisionPageSchema, DecisionSchema, ListDecisionsQuerySchema } from './decision-fields.ts';
import { managementErrors } from './errors.ts';
import { readOperation } from './operation.ts';

const DecisionParamsSchema = z.object({
  decisionId: z.string().describe('As in an answer or a refusal of the RPC endpoint (`error.data.decisionId`).'),
});

/** The RPC endpoint's answers for a paymaster, and the reasons. */
export const decisionOperations = {
  /**
   * A page of the service's answers for the paymaster, newest first, each with its reasons and outcome. A page can have
   * fewer than `limit`, even none: continue while there is a `nextCursor`. Amounts are wei as decimal text.
   */
  list: readOperation('listDecisions', {
    path: '/decision',
    summary: 'List decisions, signed and refused',
    credentials: 'paymaster',
    query: ListDecisionsQuerySchema,
    queryAs: 'filter',
    message: 'Decision list fetched',
    data: DecisionPageSchema,
    errors: [managementErrors.paymasterNotFound],
  }),
  /**
   * One answer of the service: the rules that decided, in order, and its outcome on chain. Throws with status 404 if the
   * paymaster has no decision with this id, or no longer has it.
   */
  read: readOperation('getDecision', {
    path: '/decision/:decisionId',
    summary: 'Read one decision with its reasons and outcome',
    credentials: 'paymaster',
    pathParams: DecisionParamsSchema,
    message: 'Decision fetched',
    data: DecisionSchema,
    errors: [managementErrors.decisionNotFound],
    rpc: 'readDecision',
  }),
} as const;
