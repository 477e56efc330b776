import { initServer } from '@ts-rest/express';
import { omitAbsent } from '../../contract/omit-absent.ts';
import { managementRouter } from '../../contract/router.ts';
import type { UsageItem } from '../../contract/usage.ts';
import type { Core } from '../../core/domain/core.ts';
import type { UsageRow } from '../../core/domain/usage.ts';
import { answer, doneWith } from './answer.ts';
import { ownedBy } from './caller.ts';

function usageItem({ charge, held, ...row }: UsageRow): UsageItem {
  return { ...row, charge: charge.toString(), held: held.toString() };
}

/** Usage of the paymaster that the apiKey names. */
export function createUsageRoutes(core: Core) {
  return initServer().router(managementRouter.usage, {
    read: async ({ query: { by, from, until }, req }) => {
      const days = omitAbsent({ from, until });
      return answer(await core.readUsage({ ...ownedBy(req), by, ...days }), (rows) =>
        doneWith('Usage fetched', rows.map(usageItem)),
      );
    },
  });
}
