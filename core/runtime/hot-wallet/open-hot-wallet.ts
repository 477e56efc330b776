import type { HotWalletStatus } from '../../domain/chain-config.ts';
import type { ChainConfig } from '../../domain/core-config.ts';
import { StartError } from '../../domain/start-error.ts';
import type { PaymasterContractRuntime } from '../../evm/paymaster-contracts/family/family.ts';
import { openHotWallet } from '../../evm/signer/open-keystore.ts';
import { SignerConfigError } from '../../evm/signer/signer.ts';
import type { ChainHotWallet } from '../../sponsorship/run/sponsorship-parts.ts';
import type { Running } from '../leading/while-leading.ts';
import { refillTargets } from './refill-targets.ts';
import { startRefilling, type Turn } from './start-refilling.ts';

/** The inputs of topping up besides the configuration. */
type Parts = Pick<Turn, 'client' | 'nodes' | 'store' | 'clock' | 'logger' | 'fault'>;

/** The hot wallet of a chain, with its key open. */
export type OpenedHotWallet = ChainHotWallet & { start(parts: Parts): Running };

/**
 * The hot wallet of a chain. Undefined if none is configured.
 *
 * @throws StartError when its key cannot be opened, or when the chain has no executors to top up.
 */
export async function openChainHotWallet(
  { chainId, hotWallet, relay, confirmations, pollIntervalMs, maxFeePerGasCeiling }: ChainConfig,
  contracts: readonly PaymasterContractRuntime[],
): Promise<OpenedHotWallet | undefined> {
  if (hotWallet === undefined) return undefined;
  if (relay === undefined && hotWallet.executors !== undefined) {
    throw new StartError(`hotWallet.executors of chain ${chainId} needs a relay, which the chain does not have.`, {
      tryAgain: false,
    });
  }
  const wallet = await openHotWallet(hotWallet.wallet).catch((cause: unknown) => {
    if (!(cause instanceof SignerConfigError)) throw cause;
    throw new StartError(`The hot wallet of chain ${chainId}: ${cause.message}`, { tryAgain: false, cause });
  });
  const places = { executors: relay?.executors ?? [], contracts: contracts.map(({ location }) => location) };
  const { maxPerDay } = hotWallet;
  const chain = { chainId, confirmations, pollIntervalMs, maxFeePerGasCeiling };
  let status: HotWalletStatus | undefined;
  const onStatus = (now: HotWalletStatus | undefined) => {
    status = now;
  };
  return {
    address: wallet.address,
    maxPerDay,
    status: () => status,
    start: (parts) =>
      startRefilling({ ...chain, ...parts, wallet, maxPerDay, targets: refillTargets(hotWallet, places), onStatus }),
  };
}
