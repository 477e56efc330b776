import { type Address, parseEther, parseGwei } from 'viem';
import type { ChainConfig, CoreConfig, PriceConfig } from '../../core/domain/core-config.ts';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import type { DevPaymaster } from '../../server/dev/dev-file.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import type { RunningService } from '../support/service/running-service.ts';

/** What the RPC tests work on: a service, and a funded paymaster for each EntryPoint version. */
export type RpcBench = {
  service(): RunningService;
  /** RPC address of the paymaster for this EntryPoint version. */
  url(version?: EntryPointVersion): string;
  paymaster(version?: EntryPointVersion): DevPaymaster;
};

/** Tokens that exist on no chain: one whose amounts no double holds, one whose price cannot be read. */
export const dustToken: Address = '0x00000000000000000000000000000000000D0575';
export const blindToken: Address = '0x0000000000000000000000000000000000B111D0';

/** Ceilings of the operator in the service under test. */
export const ceilings = { maxFeePerGas: parseGwei('1000'), maxCostPerOperation: parseEther('0.5') };

/** A feed at a contract that is none. */
function unreadablePrice(devnet: Devnet): PriceConfig {
  const feed = { kind: 'chainlink', aggregator: devnet.target.address, maxAgeSeconds: 60 } as const;
  return { sources: [feed], minimumSources: 1, maximumDeviationBasisPoints: 0 };
}

/** The development configuration with more tokens, ceilings, and little patience with webhooks. */
export function configureRpcBench(config: CoreConfig, devnet: Devnet): CoreConfig {
  const [chain] = config.chains;
  if (chain === undefined) throw new Error('The development configuration has no chain.');
  const [first, second] = chain.tokens;
  if (first === undefined || second === undefined) throw new Error('The development chain has two tokens.');
  const dust = { symbol: 'DUST', address: dustToken, decimals: 36, logoUrl: 'https://logo.example/dust.png' };
  const blind = { symbol: 'BLIND', address: blindToken, decimals: 18, logoUrl: '' };
  const tokens: ChainConfig['tokens'] = [
    { ...dust, premiumBasisPoints: 1_525, price: first.price },
    first,
    { ...second, premiumBasisPoints: 250 },
    { ...blind, premiumBasisPoints: 0, price: unreadablePrice(devnet) },
  ];
  return {
    ...config,
    chains: [
      {
        ...chain,
        tokens,
        // What is far above the chain's price is refused by the ceilings, as it is where no price is compared.
        gasPrice: 'none',
        maxFeePerGasCeiling: ceilings.maxFeePerGas,
        maxCostPerOperation: ceilings.maxCostPerOperation,
      },
    ],
    webhooks: { ...config.webhooks, timeoutMs: 600, connectTimeoutMs: 300 },
  };
}
