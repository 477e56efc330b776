import { type DevFork, devForks } from '../../../server/dev/devnet/devnet.ts';

/** Whose gas prices the chains of the tests have: `DEV_FORK=amsterdam` has the tests run on those of Ethereum's Sepolia. */
export const forkOfTests: DevFork = devForks.find((fork) => fork === process.env.DEV_FORK) ?? 'osaka';
