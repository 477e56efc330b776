import { omitAbsent } from '@tollfree/contract/omit-absent';
import { managementRouter } from '@tollfree/contract/router';
import type { UsageItem } from '@tollfree/contract/usage';
import { initServer } from '@ts-rest/express';
import type { Core } from '../../core/domain/core.ts';
import type { UsageRow } from '../../core/domain/usage.ts';
import { answer, doneWith } from './answer.ts';
import { ownedBy } from './caller.ts';
import { usdText } from './money/usd-text.ts';

function usageItem({ charge, usersPaid, chargeUsdMicros, held, ...row }: UsageRow): UsageItem {
  return {
    ...row,
    charge: charge.toString(),
    usersPaid: usersPaid.toString(),
    chargeUsd: usdText(chargeUsdMicros),
    held: held.toString(),
  };
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
