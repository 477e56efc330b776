import { omitAbsent } from '@tollfree/contract/omit-absent';
import {
  type NamedPolicyItem,
  type NamedPolicyRequestSchema,
  NamedPolicySchema,
} from '@tollfree/contract/policies/named-policy';
import { managementRouter } from '@tollfree/contract/router';
import { initServer } from '@ts-rest/express';
import type { z } from 'zod';
import type { Core } from '../../core/domain/core.ts';
import type { NamedPolicy } from '../../core/domain/policies/named-policy.ts';
import { answer, done, doneWith } from './answer.ts';
import { ownedBy } from './caller.ts';
import { policyItem, policyPreviewItem, readPolicyRequest } from './json/policy-json.ts';
import { sendList } from './send-list.ts';

function item({ policy, ...fields }: NamedPolicy): NamedPolicyItem {
  return { ...fields, policy: policyItem(policy) };
}

function proposed({ policy, ...head }: z.output<typeof NamedPolicyRequestSchema>) {
  return { head: omitAbsent(head), policy: readPolicyRequest(policy) };
}

/** The policies next to the default one of the paymaster that the apiKey names. */
export function createNamedPolicyRoutes(core: Core) {
  return initServer().router(managementRouter.namedPolicy, {
    create: async ({ body, req }) =>
      answer(await core.createPolicy({ ...ownedBy(req), ...proposed(body) }), (policy) =>
        doneWith('Policy created', item(policy)),
      ),
    list: async ({ req, res }) => {
      const readPage = async (cursor?: string) => {
        const page = await core.listPolicies({ ...ownedBy(req), ...omitAbsent({ cursor }) });
        if (!page.ok) return page;
        const { policies: values, nextCursor } = page.value;
        return { ok: true as const, value: { values, nextCursor } };
      };
      return sendList(res, readPage, { message: 'Policy list fetched', schema: NamedPolicySchema, item });
    },
    read: async ({ params, req }) =>
      answer(await core.readNamedPolicy({ ...ownedBy(req), ...params }), (policy) =>
        doneWith('Policy fetched', item(policy)),
      ),
    replace: async ({ params, body, req }) =>
      answer(await core.replacePolicy({ ...ownedBy(req), ...params, ...proposed(body) }), (policy) =>
        doneWith('Policy updated', item(policy)),
      ),
    delete: async ({ params, req }) =>
      answer(await core.deletePolicy({ ...ownedBy(req), ...params }), () => done('Policy deleted')),
    preview: async ({ params, body, query, req }) => {
      const last = query.last === undefined ? {} : { last: Number(query.last) };
      const input = { ...ownedBy(req), ...params, policy: readPolicyRequest(body), ...last };
      return answer(await core.previewPolicy(input), (preview) =>
        doneWith('Policy previewed', policyPreviewItem(preview)),
      );
    },
  });
}
