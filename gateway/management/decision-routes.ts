import type { ListDecisionsQuery } from '@tollfree/contract/decision-fields';
import { defaultPageSize } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { managementRouter } from '@tollfree/contract/router';
import { initServer } from '@ts-rest/express';
import type { Core } from '../../core/domain/core.ts';
import type { DecisionFilter } from '../../core/domain/decision.ts';
import { answer, doneWith } from './answer.ts';
import { ownedBy } from './caller.ts';
import { decisionItem } from './decision-json.ts';

function decisionFilter({ outcome, reason, sender, mode, from, until }: ListDecisionsQuery): DecisionFilter {
  return omitAbsent({
    outcome,
    reason,
    sender,
    mode,
    from: from === undefined ? undefined : Number(from),
    until: until === undefined ? undefined : Number(until),
  });
}

/** What was decided for the paymaster that the apiKey names. */
export function createDecisionRoutes(core: Core) {
  return initServer().router(managementRouter.decision, {
    list: async ({ query, req }) => {
      const { cursor, limit } = query;
      const input = {
        ...ownedBy(req),
        filter: decisionFilter(query),
        limit: limit === undefined ? defaultPageSize : Number(limit),
        ...omitAbsent({ cursor }),
      };
      return answer(await core.listDecisions(input), ({ decisions, ...page }) =>
        doneWith('Decision list fetched', { decisions: decisions.map(decisionItem), ...page }),
      );
    },
    read: async ({ params, req }) =>
      answer(await core.readDecision({ ...ownedBy(req), decisionId: params.decisionId }), (decision) =>
        doneWith('Decision fetched', decisionItem(decision)),
      ),
  });
}
