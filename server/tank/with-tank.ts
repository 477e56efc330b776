import { toWire } from '@tollfree/contract/fields/form';
import type { GasTankEntryPage, GasTankItem } from '@tollfree/contract/gas-tank';
import {
  type GasTankDayItem,
  GasTankDaySchema,
  type GasTankStatementItem,
  GasTankStatementSchema,
} from '@tollfree/contract/gas-tank-statement';
import { defaultPageSize } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { openPaymaster } from '../../clients/cli/open-management.ts';
import { readDevTarget } from '../../clients/cli/read-dev-target.ts';
import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import { processEnvironment } from '../../clients/cli/terminal/environment.ts';
import { type Flags, textFlag } from '../../clients/cli/terminal/flags.ts';
import { bigintAsText } from '../../clients/cli/terminal/print-answer.ts';
import type { Core } from '../../core/domain/core.ts';
import type { Paymaster } from '../../core/domain/paymaster.ts';
import type { DayQuery } from '../../core/domain/utc-days.ts';
import { accepted } from '../accepted.ts';
import { hasOwnConfig, namesService } from '../config/load-config.ts';
import { findPaymaster } from '../find-paymaster.ts';
import { withCore } from '../with-core.ts';

/** A gas tank, as returned by the management API. */
type TankReader = {
  readTank(): Promise<GasTankItem>;
  readEntries(page: { readonly cursor?: string; readonly limit?: number }): Promise<GasTankEntryPage>;
  readDays(days: DayQuery): Promise<readonly GasTankDayItem[]>;
  readStatement(of: { readonly month?: string }): Promise<GasTankStatementItem>;
};

/**
 * Reads a paymaster's tank: as its holder over the management API if a URL is given or a development service runs here, else
 * as the operator from the configured core.
 */
export async function withTank(flags: Flags, work: (tank: TankReader) => Promise<void>): Promise<void> {
  if (!isOperators(flags)) {
    const { client } = await openPaymaster(flags);
    return work({
      readTank: () => client.readGasTank(),
      readEntries: (page) => client.listGasTankEntries(page),
      readDays: (days) => client.listGasTankDays(days),
      readStatement: (of) => client.readGasTankStatement(of),
    });
  }
  await withCore(flags, async (core) => work(tankOf(core, await findPaymaster(core, flags))));
}

function isOperators(flags: Flags): boolean {
  if (textFlag(flags, 'url') !== undefined || textFlag(flags, 'authTokenFile') !== undefined) return false;
  if (textFlag(flags, 'config') !== undefined || textFlag(flags, 'core') !== undefined) return true;
  if ((processEnvironment().TOLLFREE_URL ?? '') !== '') return false;
  return namesService(flags) || (hasOwnConfig(flags) && readDevTarget() === undefined);
}

function tankOf(core: Core, { accountId, paymasterId }: Paymaster): TankReader {
  const owned = { accountId, paymasterId };
  return {
    readTank: async () => asText<GasTankItem>(accepted(await core.readGasTank(owned))),
    readDays: async (days) =>
      accepted(await core.listGasTankDays({ ...owned, ...days })).map(
        (day) => toWire(GasTankDaySchema, day) as GasTankDayItem,
      ),
    readStatement: async (of) =>
      toWire(
        GasTankStatementSchema,
        accepted(await core.readGasTankStatement({ ...owned, ...of })),
      ) as GasTankStatementItem,
    async readEntries({ cursor, limit = defaultPageSize }) {
      if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) throw mistake('--cursor is not from an earlier page.');
      const before = omitAbsent({ beforeEntryId: cursor === undefined ? undefined : Number(cursor) });
      // One more than requested, to see whether there are more.
      const read = accepted(await core.listGasTankEntries({ ...owned, ...before, limit: limit + 1 }));
      const entries = read.slice(0, limit);
      const last = read.length > limit ? entries.at(-1) : undefined;
      const nextCursor = last === undefined ? undefined : String(last.entryId);
      return asText<GasTankEntryPage>({ entries, ...omitAbsent({ nextCursor }) });
    },
  };
}

/** The API's form of the core's values, with amounts as decimal text. */
function asText<Item>(value: unknown): Item {
  return JSON.parse(JSON.stringify(value, bigintAsText)) as Item;
}
