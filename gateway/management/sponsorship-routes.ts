import { managementRouter } from '@tollfree/contract/router';
import { initServer } from '@ts-rest/express';
import type { Core } from '../../core/domain/core.ts';
import { answer, doneWith, refusalResponse } from './answer.ts';
import { ownedBy } from './caller.ts';
import { explanationItem } from './decision-json.ts';
import { explainRequest } from './explain-request.ts';

/** What a request of the paymaster that the apiKey names would be answered now. */
export function createSponsorshipRoutes(core: Core) {
  return initServer().router(managementRouter.sponsorship, {
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
