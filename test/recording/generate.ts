import type { Action } from './actions/action.ts';
import { createRandom, type Random } from './random.ts';
import { countedEpisodes } from './scenarios/counted.ts';
import { elsewhereEpisodes } from './scenarios/elsewhere.ts';
import { paidEpisodes } from './scenarios/paid.ts';
import type { Episode } from './scenarios/script.ts';
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
  let deck: readonly Episode[] = [];
  for (let observed = 0; asked < requests; ) {
    if (deck.length === 0) deck = shuffled(episodes, random);
    const [episode, ...others] = deck;
    deck = others;
    episode?.({ random, add });
    if (asked - observed < betweenObservations) continue;
    add({ do: 'observe' });
    observed = asked;
  }
  add({ do: 'observe' });
  return actions;
}

function shuffled<T>(values: readonly T[], random: Random): readonly T[] {
  const left = [...values];
  return values.map(() => left.splice(random.below(left.length), 1)[0] as T);
}
