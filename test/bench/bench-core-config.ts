import { Secret } from '../../core/base/values/secret.ts';
import { defaultHoldCaps } from '../../core/domain/chain-config.ts';
import type { CoreConfig } from '../../core/domain/core-config.ts';
import { type ConfiguredDevnet, devCoreConfig } from '../../server/dev/dev-core-config.ts';
import type { DevState } from '../../server/dev/dev-state.ts';

/** What is the same for all cores that are measured together. The database is a file of the state where there is no URL. */
export type BenchChain = {
  readonly devnet: ConfiguredDevnet;
  readonly startBlock: bigint;
  readonly databaseUrl?: string | undefined;
};

/** Enough for the data of the largest request, which the default caps refuse. */
const accounts = { gas: { KNOWN: { preVerification: 1_000_000n } } };

/** As in production, but with caps on open operations and on the data of one out of the way. */
export function benchCoreConfig({ devnet, startBlock, databaseUrl }: BenchChain, state: DevState): CoreConfig {
  const config = devCoreConfig(devnet, state, startBlock);
  return {
    ...config,
    chains: config.chains.map((chain) => ({ ...chain, accounts })),
    ...(databaseUrl === undefined ? {} : { database: { kind: 'postgres', url: new Secret(databaseUrl) } }),
    holds: { ...defaultHoldCaps, maxOpenHoldsPerSender: 1_000_000, maxShareOfTankPerSender: 1 },
  };
}
