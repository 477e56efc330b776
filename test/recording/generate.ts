import type { Action, Ask, CallName } from './actions/action.ts';
import { createRandom, type Random } from './random.ts';
import { setUp } from './scenarios/set-up.ts';

/** Actions for a recording of about this many requests: the same for the same seed. */
export function* generate(seed: number, requests: number): Generator<Action> {
  yield* setUp();
  const random = createRandom(seed);
  let line = setUp().length;
  let open: number[] = [];
  for (let asked = 0; asked < requests; asked += 1) {
    yield randomAsk(random);
    open.push(line);
    line += 1;
    if (asked % 10 === 9) {
      yield { do: 'land', lines: open.filter(() => random.chance(0.6)) };
      open = [];
      line += 1;
    }
    if (asked % 50 === 49) {
      yield { do: 'observe' };
      line += 1;
    }
  }
  yield { do: 'observe' };
}
const versions = { six: '0.6', seven: '0.7', eight: '0.8', nine: '0.9' } as const;
const calls: readonly CallName[] = ['increment', 'pay', 'record', 'fail', 'unknown'];

function randomAsk(random: Random): Ask {
  const of = random.pick(['six', 'seven', 'eight', 'nine'] as const);
  const method = random.pick([
    'sponsorUserOperation',
    'getPaymasterData',
    'getPaymasterStubData',
    'getFeeQuoteOrData',
  ] as const);
  return {
    do: 'ask',
    method,
    of,
    operation: {
      version: versions[of],
      owner: `user ${random.below(6)}`,
      calls: random.chance(0.8) ? ['increment'] : [random.pick(calls)],
      limits: random.pick(['plain', 'plain', 'none', 'tight', 'huge'] as const),
    },
    context: { mode: 'SPONSORED' },
    client: `10.0.0.${random.below(4)}`,
  };
}
