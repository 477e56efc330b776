import type { Core } from '../../core/domain/core.ts';
import type { Result } from '../../core/domain/result/result.ts';
import { usageDimensions } from '../../core/domain/usage.ts';
import type { RunState } from './actions/run-state.ts';

type Owned = { readonly accountId: string; readonly paymasterId: string };

/** What the service says about its accounts and their money, whatever its tables are. */
export async function observe(state: RunState): Promise<object> {
  const { world, paymasters } = state;
  const core = world.core();
  const { chainId } = world.devnet;
  const ofPaymasters: Record<string, object> = {};
  for (const [name, owned] of paymasters) ofPaymasters[name] = await observePaymaster(core, state, name, owned);
  const accounts = new Set([...paymasters.values()].map(({ accountId }) => accountId));
  const ofAccounts: object[] = [];
  for (const accountId of accounts) {
    ofAccounts.push({
      budgets: saidOf(await core.listBudgets({ accountId })),
      overview: saidOf(await core.getOverview({ accountId })),
      changes: saidOf(await core.listAuditLog({ accountId, filter: {}, limit: 20 })),
    });
  }
  return {
    paymasters: ofPaymasters,
    accounts: ofAccounts,
    openHolds: saidOf(await core.listOpenHolds({ chainId, limit: 200 })),
    ledger: saidOf(await core.checkLedger({ allRows: true })),
    states: saidOf(await core.readLedgerStates()),
    // Which process keeps the ledger is a matter of PostgreSQL alone.
    status: (await core.status()).filter(({ part }) => part !== 'ledger'),
  };
}

async function observePaymaster(core: Core, state: RunState, name: string, owned: Owned): Promise<object> {
  const usage: Record<string, unknown> = {};
  for (const by of usageDimensions) usage[by] = saidOf(await core.getUsage({ ...owned, by }));
  const decisions = await core.listDecisions({ ...owned, filter: {}, limit: 50 });
  return {
    tank: saidOf(await core.readGasTank(owned)),
    entries: await newEntries(core, state, name, owned),
    days: saidOf(await core.listGasTankDays(owned)),
    statement: saidOf(await core.readGasTankStatement(owned)),
    policy: saidOf(await core.readPolicy(owned)),
    usage,
    lives: decisions.ok ? await readLives(core, owned, decisions.value.decisions) : decisions.refusal,
  };
}

/** Entries since the last time, newest first. */
async function newEntries(core: Core, { seenEntries }: RunState, name: string, owned: Owned): Promise<unknown> {
  const listed = await core.listGasTankEntries({ ...owned, limit: 200 });
  if (!listed.ok) return listed.refusal;
  const last = seenEntries.get(name) ?? 0;
  const [newest] = listed.value;
  if (newest !== undefined) seenEntries.set(name, newest.entryId);
  return listed.value.filter(({ entryId }) => entryId > last);
}

type Listed = { readonly userOperationHash?: string; readonly status?: unknown; readonly settlement?: unknown };

/** How the newest operations that were signed have ended. */
async function readLives(core: Core, owned: Owned, decisions: readonly Listed[]): Promise<readonly object[]> {
  const lives: object[] = [];
  for (const { userOperationHash, status, settlement } of decisions) {
    if (userOperationHash === undefined) continue;
    const life = saidOf(await core.getOperation({ ...owned, userOperationHash }));
    lives.push({ status, settlement, life });
  }
  return lives;
}

function saidOf(result: Result<unknown>): unknown {
  return result.ok ? result.value : result.refusal;
}
