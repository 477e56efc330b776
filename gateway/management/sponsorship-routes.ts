import { initServer } from '@ts-rest/express';
import { managementRouter } from '../../contract/router.ts';
import { type ListSponsorshipsQuery, usualSponsorshipPage } from '../../contract/sponsorship-decision.ts';
import type { Core } from '../../core/domain/core.ts';
import type { DecisionFilter } from '../../core/domain/decision.ts';
import { answer, doneWith, refusalResponse } from './answer.ts';
import { ownedBy } from './caller.ts';
import { explainRequest } from './explain-request.ts';
import { explanationItem, sponsorshipItem } from './sponsorship-json.ts';

function decisionFilter({ outcome, reason, sender, mode, from, until }: ListSponsorshipsQuery): DecisionFilter {
  return {
    ...(outcome === undefined ? {} : { outcome }),
    ...(reason === undefined ? {} : { reason }),
    ...(sender === undefined ? {} : { sender }),
    ...(mode === undefined ? {} : { mode }),
    ...(from === undefined ? {} : { from: Number(from) }),
    ...(until === undefined ? {} : { until: Number(until) }),
  };
}

/** What was decided for the paymaster that the apiKey names, and what would be. */
export function createSponsorshipRoutes(core: Core) {
  return initServer().router(managementRouter.sponsorship, {
    list: async ({ query, req }) => {
      const { cursor, limit } = query;
      const input = {
        ...ownedBy(req),
        filter: decisionFilter(query),
        limit: limit === undefined ? usualSponsorshipPage : Number(limit),
        ...(cursor === undefined ? {} : { cursor }),
      };
      return answer(await core.listDecisions(input), ({ decisions, ...page }) =>
        doneWith('Sponsorship list fetched', { sponsorships: decisions.map(sponsorshipItem), ...page }),
      );
    },
    read: async ({ params, req }) =>
      answer(await core.readDecision({ ...ownedBy(req), decisionId: params.decisionId }), (decision) =>
        doneWith('Sponsorship fetched', sponsorshipItem(decision)),
      ),
    explain: async ({ body, req }) => {
      const request = await explainRequest(core, ownedBy(req), body);
      if (!request.ok) {
        return refusalResponse(request.refusal);
      }
      return answer(await core.explainSponsorship(request.value), (explanation) =>
        doneWith('Sponsorship explained', explanationItem(explanation)),
      );
    },
  });
}
