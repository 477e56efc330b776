import { type Address, getAddress } from 'viem';
import type { ChainConfig } from '../core-config.ts';
import type { Clock } from '../domain/clock.ts';
import type { Logger } from '../domain/logger.ts';
import { createGasEstimator } from '../gas/create-gas-estimator.ts';
import { ensureContractTotals } from '../ledger/ensure-contract-totals.ts';
import { paymasterContractFamilies } from '../paymaster-contracts/families.ts';
import { createTokenRates } from '../quotes/token-rates.ts';
import { createSigner } from '../signer/create-signer.ts';
import { SignerConfigError } from '../signer/signer-config-error.ts';
import { StartError } from '../start-error.ts';
import type { Store } from '../store/store.ts';
import { createChainClient } from './chain-client.ts';
import type { ChainRuntime, PaymasterContractRuntime } from './chain-runtime.ts';
import { startChainWatcher, type Watched } from './chain-watcher.ts';
import { checkChain } from './check-chain.ts';

/**
 * Opens one chain: its key, its node, its paymaster contracts, and begins to watch it.
 *
 * @throws StartError when something the configuration promises is not there.
 */
export async function openChain(
  config: ChainConfig,
  context: { readonly store: Store; readonly clock: Clock; readonly logger: Logger },
): Promise<ChainRuntime> {
  const contracts = new Map(config.paymasterContracts.map((entry) => [entry.version, toRuntime(entry, config)]));
  const signer = await createSigner(config.signer).catch((cause: unknown) => {
    if (cause instanceof SignerConfigError) throw new StartError(cause.message, { tryAgain: false });
    throw cause;
  });
  const client = createChainClient(config);
  await checkChain({ client, config, contracts: [...contracts.values()], signer: signer.address });
  const places = [...contracts.values()].map((contract) => contract.place);
  await ensureContractTotals(context.store, places);
  return {
    config,
    client,
    signer,
    contracts,
    rates: createTokenRates(config, { client, clock: context.clock }),
    estimator: createGasEstimator({ client, config }),
    watcher: startChainWatcher({
      chainId: config.chainId,
      client,
      watched: groupByEntryPoint(places),
      confirmations: config.confirmations,
      pollIntervalMs: config.pollIntervalMs,
      startBlock: config.startBlock,
      ...context,
    }),
  };
}

function toRuntime(entry: ChainConfig['paymasterContracts'][number], config: ChainConfig): PaymasterContractRuntime {
  const family = paymasterContractFamilies.get(entry.family);
  if (family === undefined) {
    const known = [...paymasterContractFamilies.keys()].join(', ');
    throw new StartError(`There is no paymaster contract family "${entry.family}". Known: ${known}.`, {
      tryAgain: false,
    });
  }
  const entryPoint = config.entryPoints[family.entryPointVersion];
  if (entryPoint === undefined) {
    throw new StartError(
      `Chain ${config.chainId} has no EntryPoint ${family.entryPointVersion} configured, which ${entry.family} works with.`,
      { tryAgain: false },
    );
  }
  return {
    version: entry.version,
    family,
    treasury: getAddress(entry.treasury),
    place: { chainId: config.chainId, address: getAddress(entry.address), entryPoint: getAddress(entryPoint) },
  };
}

function groupByEntryPoint(
  places: readonly { readonly entryPoint: Address; readonly address: Address }[],
): readonly Watched[] {
  const groups = new Map<Address, Set<Address>>();
  for (const { entryPoint, address } of places) {
    const group = groups.get(entryPoint) ?? new Set();
    groups.set(entryPoint, group.add(address));
  }
  return [...groups].map(([entryPoint, contracts]) => ({ entryPoint, contracts: [...contracts] }));
}
