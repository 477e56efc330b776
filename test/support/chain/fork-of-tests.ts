import { type DevFork, devForks } from '../../../server/dev/devnet/devnet.ts';
import { startEthereumJs } from '../../../server/dev/devnet/ethereumjs/start-ethereumjs.ts';
import { startAnvil } from '../../../server/dev/devnet/start-anvil.ts';
import { madeUpPrices } from './made-up-prices.ts';

/** Whose gas prices chains of the tests can have. Those of `made-up` are of no chain. */
const forks = [...devForks, 'made-up'] as const;

/** Whose gas prices the chains of the tests have: `DEV_FORK=amsterdam` has the tests run on those of Ethereum's Sepolia. */
export const forkOfTests: DevFork | 'made-up' = read(process.env.DEV_FORK);

function read(name = 'osaka'): (typeof forks)[number] {
  const fork = forks.find((one) => one === name);
  if (fork === undefined) throw new Error(`DEV_FORK is ${name}. Set one of ${forks.join(', ')}.`);
  return fork;
}

/** Starts an empty node with those prices. */
export async function startNodeOfTests() {
  const chain = { port: 0, chainId: 31_337 };
  if (forkOfTests === 'osaka') return startAnvil(chain);
  return startEthereumJs(forkOfTests === 'made-up' ? { ...chain, prices: madeUpPrices } : chain);
}
