import type { ChainConfig } from '../../domain/core-config.ts';
import { StartError } from '../../domain/start-error.ts';
import type { PaymasterContractRuntime } from '../../evm/paymaster-contracts/paymaster-contract-runtime.ts';
import { openHotWallet } from '../../evm/signer/open-hot-wallet.ts';
import { SignerConfigError } from '../../evm/signer/signer-config-error.ts';
import { refillTargets } from './refill-targets.ts';
import type { Treasury } from './treasury-parts.ts';

/**
 * The hot wallet of a chain, with what it tops up. Undefined where none is configured.
 *
 * @throws StartError when its key cannot be opened, or it has no executors to top up.
 */
export async function openTreasury(
  { chainId, treasury, relay }: ChainConfig,
  contracts: readonly PaymasterContractRuntime[],
): Promise<Treasury | undefined> {
  if (treasury === undefined) return undefined;
  if (treasury.executors !== undefined && relay === undefined) {
    throw new StartError(`treasury.executors of chain ${chainId} needs a relay, which the chain does not have.`, {
      tryAgain: false,
    });
  }
  const wallet = await openHotWallet(treasury.wallet).catch((cause: unknown) => {
    if (!(cause instanceof SignerConfigError)) throw cause;
    throw new StartError(`The treasury of chain ${chainId}: ${cause.message}`, { tryAgain: false, cause });
  });
  const places = { executors: relay?.executors ?? [], contracts: contracts.map(({ location }) => location) };
  return { wallet, maxPerDay: treasury.maxPerDay, targets: refillTargets(treasury, places) };
}
