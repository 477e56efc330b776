import { managementRouter } from '@tollfree/contract/router';
import { initServer } from '@ts-rest/express';
import type { Core } from '../../core/domain/core.ts';
import { answer, doneWith } from './answer.ts';
import { ownedBy } from './caller.ts';
import { policyItem, policyPreviewItem, readPolicyRequest } from './json/policy-json.ts';

/** The policy of the paymaster that the apiKey names. */
export function createPolicyRoutes(core: Core) {
  return initServer().router(managementRouter.policy, {
    read: async ({ req }) =>
      answer(await core.readPolicy(ownedBy(req)), (policy) => doneWith('Policy fetched', policyItem(policy))),
    set: async ({ body, req }) =>
      answer(await core.setPolicy({ ...ownedBy(req), policy: readPolicyRequest(body) }), (policy) =>
        doneWith('Policy updated', policyItem(policy)),
      ),
    preview: async ({ body, query, req }) => {
      const last = query.last === undefined ? {} : { last: Number(query.last) };
      const input = { ...ownedBy(req), policy: readPolicyRequest(body), ...last };
      return answer(await core.previewPolicy(input), (preview) =>
        doneWith('Policy previewed', policyPreviewItem(preview)),
      );
    },
  });
}
