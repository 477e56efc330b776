import type { Action } from './actions/action.ts';
import { createRandom, type Random } from './random.ts';
import { countedEpisodes } from './scenarios/counted.ts';
import { elsewhereEpisodes } from './scenarios/elsewhere.ts';
import { paidEpisodes } from './scenarios/paid.ts';
import type { Script } from './scenarios/script.ts';
import { setUp } from './scenarios/set-up.ts';
import { sponsoredEpisodes } from './scenarios/sponsored.ts';

const episodes = [...sponsoredEpisodes, ...paidEpisodes, ...countedEpisodes, ...elsewhereEpisodes];
/** Everything that is said about accounts and money is read once in this many requests. */
const betweenObservations = 100;

/** Actions for a recording of about this many requests, the same for the same seed. Every episode comes before one comes again. */
export function generate(seed: number, requests: number): readonly Action[] {
  const random = createRandom(seed);
  const actions = [...setUp()];
  let asked = 0;
  const add = (action: Action) => {
    if (action.do === 'ask') asked += 1;
    return actions.push(action) - 1;
  };
  const deal = createDealer(random);
  for (let observed = 0; asked < requests; ) {
    const episode = deal('episodes', episodes);
    episode({ random, add, deal });
    if (asked - observed < betweenObservations) continue;
    add({ do: 'observe' });
    observed = asked;
  }
  add({ do: 'observe' });
  return actions;
}

/** Deals the values of lists, each list by its name. One that is used up is dealt again. */
function createDealer(random: Random): Script['deal'] {
  const left = new Map<string, number[]>();
  return (name, values) => {
    const known = left.get(name) ?? [];
    const indexes = known.length === 0 ? values.map((_, index) => index) : known;
    const [index = 0] = indexes.splice(random.below(indexes.length), 1);
    left.set(name, indexes);
    return values[index] as (typeof values)[number];
  };
}
