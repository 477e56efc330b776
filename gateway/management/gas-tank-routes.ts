import type { GasTankItem } from '@tollfree/contract/gas-tank';
import { defaultPageSize } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { managementRouter } from '@tollfree/contract/router';
import { initServer } from '@ts-rest/express';
import type { Core } from '../../core/domain/core.ts';
import type { GasTank, GasTankEntry } from '../../core/domain/gas-tank.ts';
import { answer, doneWith } from './answer.ts';
import { ownedBy } from './caller.ts';
import { dayItem, statementItem } from './money/statement-json.ts';

function tankItem({ chainDeposit, formerTanks, strayDeposits, ...tank }: GasTank): GasTankItem {
  return {
    ...tank,
    funded: tank.funded.toString(),
    settled: tank.settled.toString(),
    held: tank.held.toString(),
    available: tank.available.toString(),
    ...omitAbsent({ chainDeposit: chainDeposit?.toString() }),
    ...(formerTanks === undefined
      ? {}
      : {
          formerTanks: formerTanks.map(({ fundingWallet, left, held }) => ({
            fundingWallet,
            left: left.toString(),
            held: held.toString(),
          })),
        }),
    ...(strayDeposits === undefined
      ? {}
      : {
          strayDeposits: strayDeposits.map(({ txHash, amount, wayBack }) => ({
            txHash,
            amount: amount.toString(),
            wayBack,
          })),
        }),
  };
}

/** The first `limit` of the entries; one more was asked for, to know whether that is all. */
function entryPage(entries: readonly GasTankEntry[], limit: number) {
  const page = entries.slice(0, limit).map((entry) => ({ ...entry, amount: entry.amount.toString() }));
  const last = page.at(-1);
  return entries.length > limit && last !== undefined
    ? { entries: page, nextCursor: String(last.entryId) }
    : { entries: page };
}

/** The gas tank of the paymaster that the apiKey names. */
export function createGasTankRoutes(core: Core) {
  return initServer().router(managementRouter.gasTank, {
    read: async ({ req }) =>
      answer(await core.readGasTank(ownedBy(req)), (tank) => doneWith('Gas tank fetched', tankItem(tank))),
    listEntries: async ({ query, req }) => {
      const limit = query.limit === undefined ? defaultPageSize : Number(query.limit);
      const before = query.cursor === undefined ? {} : { beforeEntryId: Number(query.cursor) };
      return answer(await core.listGasTankEntries({ ...ownedBy(req), ...before, limit: limit + 1 }), (entries) =>
        doneWith('Gas tank entries fetched', entryPage(entries, limit)),
      );
    },
    listDays: async ({ query: { from, until }, req }) =>
      answer(await core.listGasTankDays({ ...ownedBy(req), ...omitAbsent({ from, until }) }), (days) =>
        doneWith('Gas tank days fetched', days.map(dayItem)),
      ),
    readStatement: async ({ query: { month }, req }) =>
      answer(await core.readGasTankStatement({ ...ownedBy(req), ...omitAbsent({ month }) }), (statement) =>
        doneWith('Gas tank statement fetched', statementItem(statement)),
      ),
  });
}
