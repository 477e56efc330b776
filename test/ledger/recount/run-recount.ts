import { checkAllLedgers } from '../../../core/ledger/checking/check-ledger.ts';
import { ensureContractTotals } from '../../../core/ledger/posting/pass-block.ts';
import { createSeededRandom } from '../../support/arbitrary/seeded-random.ts';
import { openLedger } from '../../support/core/ledger-lab.ts';
import { ask } from './ask.ts';
import {
  archive,
  compareTanks,
  deposit,
  endQuestion,
  expireAll,
  landSome,
  passTime,
  releaseByOperator,
  rollBackSome,
  sweep,
} from './chain-steps.ts';
import { changeSettings } from './settings.ts';
import { contracts, tenants, timeOf, type World } from './world.ts';

/** How often rules let requests through and refused them, and how often other things happened. */
export type Tally = Pick<World, 'decided' | 'happened'>;

/** Adds what happened in some rounds. */
export function addUp(tallies: readonly Tally[]): Tally {
  const decided: Tally['decided'] = new Map();
  const happened: Tally['happened'] = new Map();
  for (const tally of tallies) {
    for (const [rule, { passed, refused }] of tally.decided) {
      const before = decided.get(rule) ?? { passed: 0, refused: 0 };
      decided.set(rule, { passed: before.passed + passed, refused: before.refused + refused });
    }
    for (const [what, times] of tally.happened) happened.set(what, (happened.get(what) ?? 0) + times);
  }
  return { decided, happened };
}

/** A table for people: each rule with how often it let a request through and refused it, then what else happened. */
export function tableOf({ decided, happened }: Tally): string {
  const rules = [...decided].map(([rule, { passed, refused }]) => [rule, `${passed}`, `${refused}`]);
  const others = [...happened].map(([what, times]) => [what, `${times}`, '']);
  const rows = [['rule', 'let through', 'refused'], ...rules.sort(), ['what happened', 'times', ''], ...others.sort()];
  return rows
    .map(([name = '', ...times]) => name.padEnd(44) + times.map((one) => one.padStart(12)).join(''))
    .join('\n');
}

/** Sunday, 1 November 2026, 20:00:00 UTC. */
const beginning = Date.UTC(2026, 10, 1, 20) / 1000;

type Step = readonly [weight: number, take: (world: World) => Promise<void>];

const steps: readonly Step[] = [
  [50, ask],
  [17, landSome],
  [6, expireAll],
  [2, releaseByOperator],
  [4, rollBackSome],
  [5, endQuestion],
  [6, changeSettings],
  [4, sweep],
  [2, archive],
  [4, (world) => deposit(world)],
];

/**
 * Random requests, events, settings and background work on a ledger and on a model that keeps a list of operations and recounts
 * everything from it. They decide each request alike, to the sums that their rules add up.
 *
 * @throws Error that says what differs, with the seed and the step.
 */
export async function runRecount({
  seed,
  steps: count,
  checks = true,
}: {
  readonly seed: number;
  readonly steps: number;
  readonly checks?: boolean;
}): Promise<Tally> {
  const ledger = await openLedger();
  const world = newWorld(ledger.store, seed);
  try {
    await begin(world);
    for (let step = 0; step < count; step += 1) {
      world.step = step;
      passTime(world);
      const take = pickStep(world);
      try {
        await take(world);
        await compareTanks(world);
        if (checks && step % 25 === 24) await checkLedgers(world);
      } catch (cause) {
        throw new Error(`Seed ${seed}, step ${step} (${take.name}): ${String(cause)}`, { cause });
      }
    }
    return world;
  } finally {
    await ledger.close();
  }
}

function newWorld(store: World['store'], seed: number): World {
  return {
    store,
    random: createSeededRandom(seed),
    model: {
      owners: new Map(tenants.map(({ paymasterId, accountId }) => [paymasterId, accountId])),
      operations: [],
      landings: [],
      deposits: [],
      limits: new Map(),
      enabled: new Set(),
      budgets: new Map(),
      ticketUses: [],
      forgottenTickets: new Map(),
    },
    questions: [],
    used: [],
    blocks: new Map(),
    watches: new Map(),
    keyLimits: new Map(),
    policies: 0,
    decided: new Map(),
    happened: new Map(),
    chainTime: beginning,
    clockAhead: 0,
    prunedAt: 0,
    step: 0,
    serial: 1,
  };
}

/** The tenants, some of their settings, and money in their tanks. */
async function begin(world: World): Promise<void> {
  const { store, random } = world;
  await ensureContractTotals(store, contracts);
  for (const accountId of new Set(tenants.map((tenant) => tenant.accountId)))
    await store.db.insertInto('accounts').values({ account_id: accountId, name: 'account', created_at: 1 }).execute();
  for (const { paymasterId, accountId, tank } of tenants) {
    const row = {
      paymaster_id: paymasterId,
      account_id: accountId,
      name: `paymaster ${paymasterId}`,
      chain_id: tank.chainId,
      version: '1',
      created_at: 1,
    };
    await store.db.insertInto('paymasters').values(row).execute();
  }
  for (const { tank, relay } of tenants)
    for (const one of relay === undefined ? [tank] : [tank, relay])
      await deposit(world, one, random.pick([15_000n, 60_000n, 400_000n]) * 10n ** 12n);
  for (let left = 10; left > 0; left -= 1) await changeSettings(world);
}

function pickStep({ random }: World): Step[1] {
  let lot = random.below(steps.reduce((sum, [weight]) => sum + weight, 0));
  for (const [weight, take] of steps) {
    if (lot < weight) return take;
    lot -= weight;
  }
  return ask;
}

/** The ledger's own check of its sums. */
async function checkLedgers(world: World): Promise<void> {
  const faults = await checkAllLedgers(world.store);
  if (faults.length > 0) throw new Error(`At ${timeOf(world)}: ${faults.slice(0, 3).join('; ')}`);
}
