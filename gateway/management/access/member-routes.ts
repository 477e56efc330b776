import { omitAbsent } from '@tollfree/contract/omit-absent';
import { managementRouter } from '@tollfree/contract/router';
import { initServer } from '@ts-rest/express';
import type { Core } from '../../../core/domain/core.ts';
import { answer, doneWith } from '../answer.ts';
import { callerOf } from '../caller.ts';

/** Who signs in to the account, and as what. */
export function createMemberRoutes(core: Core) {
  return initServer().router(managementRouter.member, {
    list: async ({ req }) => {
      const { accountId } = callerOf(req);
      return answer(await core.listMembers({ accountId }), (members) => doneWith('Member list fetched', [...members]));
    },
    add: async ({ body, req }) => {
      const { accountId } = callerOf(req);
      return answer(await core.addMember({ ...omitAbsent(body), accountId }), (member) =>
        doneWith('Member added', member),
      );
    },
    change: async ({ params: { wallet }, body: { role }, req }) => {
      const { accountId } = callerOf(req);
      return answer(await core.changeMember({ accountId, wallet, role }), (member) =>
        doneWith('Member changed', member),
      );
    },
    remove: async ({ params: { wallet }, req }) => {
      const { accountId } = callerOf(req);
      return answer(await core.removeMember({ accountId, wallet }), (member) => doneWith('Member removed', member));
    },
  });
}
