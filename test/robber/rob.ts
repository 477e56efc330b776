import { mainnetPrices } from '../../core/domain/unit-prices.ts';
import { type Cell, mostOfKnown } from './cells.ts';
import { type Mutation, mutations } from './plan/mutations.ts';
import { seededRandom } from './random.ts';
import { type Climb, createClimb } from './search/climb.ts';
import { openTarget, seePrices } from './search/open-target.ts';
import { createScorer } from './search/score.ts';
import type { World } from './world.ts';

export type RobberOptions = {
  readonly cells: readonly Cell[];
  readonly seed: number;
  /** Whether to go on, asked before each try. */
  readonly goesOn: (tries: number) => boolean;
  readonly mutations?: readonly Mutation[];
};

/** A cell and its search. */
export type Climbed = { readonly cell: Cell; readonly climb: Climb };

/** Tries of one cell before it is the next one's turn. */
const turn = 5;

/** Searches all cells in turns. The same seed tries the same plans. */
export async function rob(world: World, options: RobberOptions): Promise<readonly Climbed[]> {
  const { cells, seed, goesOn, mutations: allowed = mutations } = options;
  const climbs: Climbed[] = [];
  const more = Number(world.prices.newSlot - mainnetPrices.newSlot);
  for (const [index, cell] of cells.entries()) {
    const target = await openTarget(world, cell);
    const usable = allowed.filter(
      ({ ofModule = false, ofTarget = false, ofBundler = false, ofContract = false, ofSignature = false }) =>
        (!ofContract || cell.isRelayed !== true) &&
        (!ofModule || cell.account.hasModule === true) &&
        (!ofTarget || cell.method !== undefined) &&
        (!ofBundler || world.bundler !== undefined) &&
        (!ofSignature || cell.most !== mostOfKnown),
    );
    climbs.push({
      cell,
      climb: createClimb(createScorer(target), { random: seededRandom(seed + index), allowed: usable, more }),
    });
  }
  await seePrices(world);
  let tries = 0;
  while (goesOn(tries)) {
    for (const { climb } of climbs) {
      for (let left = turn; left > 0 && goesOn(tries); left -= 1) {
        await climb.step();
        tries += 1;
      }
    }
  }
  return climbs;
}
