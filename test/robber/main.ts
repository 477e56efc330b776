import { parseArgs } from 'node:util';
import { formatGwei, parseGwei } from 'viem';
import {
  anyAccountCells,
  anyBytesCells,
  type Cell,
  costlyMethodCells,
  hookCells,
  longSignatureCells,
  otherFamilyCells,
  ownFamilyCells,
  relayCells,
  upgradedCells,
} from './cells.ts';
import { mutations } from './plan/mutations.ts';
import type { Plan } from './plan/plan.ts';
import { findBroken, type Row, renderReport } from './report.ts';
import { rob } from './rob.ts';
import { openTarget, seePrices } from './search/open-target.ts';
import { createScorer } from './search/score.ts';
import { openWorld, type World } from './world.ts';

/**
 * `npm run test:robber -- --minutes 20` searches for operations that cost a gas tank more than an honest one, and fails where one is
 * above the bound.
 *
 * `--seed 7` repeats a search, `--base-fee 1 --tip 0.1` set the chain's prices in gwei, `--cells 'Safe|Kernel'` searches cells whose name has
 * one of the texts, `--families` adds the other paymaster contracts, `--named-bundlers` names a bundler that is not the attacker,
 * `--lying-bundler` has the service ask the attacker's bundler for limits,
 * `--any-account` searches policies that take any account instead, `--without 'a, b'` leaves mutations out, and `--plan '{…}'` tries one plan of an
 * earlier report.
 */
const { values: flags } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    'base-fee': { type: 'string', default: '20' },
    tip: { type: 'string', default: '1' },
    cells: { type: 'string', default: '' },
    families: { type: 'boolean', default: false },
    'any-account': { type: 'boolean', default: false },
    'named-bundlers': { type: 'boolean', default: false },
    'lying-bundler': { type: 'boolean', default: false },
    without: { type: 'string', default: '' },
    plan: { type: 'string' },
  },
});
const seed = Number(flags.seed);
const usual = [
  ...[
    ownFamilyCells,
    longSignatureCells,
    upgradedCells,
    costlyMethodCells,
    hookCells,
    anyBytesCells,
    relayCells,
  ].flat(),
];
const searched = flags['any-account'] ? anyAccountCells : [...usual, ...(flags.families ? otherFamilyCells : [])];
const chosen = searched.filter(({ name }) => flags.cells.split('|').some((text) => name.includes(text)));

const world = await openWorld({
  baseFee: parseGwei(flags['base-fee']),
  tip: parseGwei(flags.tip),
  allFamilies: flags.families,
  namesBundlers: flags['named-bundlers'],
  asksBundler: flags['lying-bundler'],
});
for (const signal of ['SIGINT', 'SIGTERM']) {
  // The chain is a process of its own, which would stay.
  process.once(signal, () => void world.close().finally(() => process.exit(130)));
}
const isBroken = flags.plan === undefined ? await search(world) : await replay(world, JSON.parse(flags.plan));
await world.close();
process.exit(isBroken ? 1 : 0);

async function search(world: World): Promise<boolean> {
  const without = flags.without.split(',').map((name) => name.trim());
  const allowed = mutations.filter(({ name }) => !without.includes(name));
  console.log(
    `seed ${seed}, base fee ${flags['base-fee']} gwei, tip ${flags.tip} gwei, ${chosen.length} cells, ${allowed.length} mutations`,
  );
  let end: number | undefined;
  let tries = 0;
  const climbs = await rob(world, {
    cells: chosen,
    seed,
    mutations: allowed,
    goesOn: (made) => {
      tries = made;
      // Opening the cells takes time of its own.
      end ??= Date.now() + Number(flags.minutes) * 60_000;
      return Date.now() < end;
    },
  });
  const rows: Row[] = [];
  const named = { namesBundlers: flags['named-bundlers'] };
  for (const { cell, climb } of climbs) {
    // A plan is made simpler where it has to be explained.
    const isBroken = findBroken([{ cell, findings: climb.findings() }], named).length > 0;
    rows.push({ cell, findings: isBroken ? await climb.shrunk() : climb.findings() });
  }
  console.log(renderReport(rows));
  const broken = findBroken(rows, named);
  const paidByOthers = await world.paidByOthers();
  console.log(`${tries} tries; ${broken.length} of ${rows.length} cells are above their bound or flagged.`);
  console.log(`Other tenants, of whom nothing landed, paid ${formatGwei(paidByOthers)} gwei.`);
  return broken.length > 0 || paidByOthers !== 0n;
}

async function replay(world: World, plan: Plan): Promise<boolean> {
  const tried = (cell: Cell) => openTarget(world, cell).then(createScorer);
  for (const cell of chosen) {
    const score = await tried(cell);
    await seePrices(world);
    console.log(cell.name, await score(plan));
  }
  return false;
}
