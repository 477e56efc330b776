import type { Logger } from '../base/logger.ts';
import { type Clock, unixSeconds } from '../base/time/clock.ts';
import type { PaymasterContractRuntime } from '../evm/paymaster-contracts/paymaster-contract-runtime.ts';
import { readSigners } from '../ledger/signers/read-signers.ts';
import { recordSigner } from '../ledger/signers/record-signer.ts';
import type { Store } from '../store/store.ts';
import { type Asked, checkContract } from './checking/check-contract.ts';

/**
 * Writes down who signs for each contract of a chain, before anything is signed, and warns of a contract that no longer
 * accepts a former key whose signatures have not ended: what it has signed fails on chain.
 *
 * @throws StartError when the node does not answer.
 */
export async function recordSigners(
  asked: Asked,
  contracts: readonly PaymasterContractRuntime[],
  { store, clock, logger }: { readonly store: Store; readonly clock: Clock; readonly logger: Logger },
): Promise<void> {
  const working = contracts.filter(({ fault }) => fault === undefined);
  for (const { location, signer } of working) {
    const { chainId, address: contract } = location;
    await recordSigner(store, { chainId, contract, signer: signer.address, now: unixSeconds(clock) });
  }
  for (const { chainId, contract, signer, until, openUntil } of await readSigners(store)) {
    const location = working.find((one) => one.location.chainId === chainId && one.location.address === contract);
    if (location === undefined || until === undefined || openUntil === undefined) continue;
    if ((await checkContract(asked, location, signer)) === undefined) continue;
    const fields = { chainId, contract, signer, openUntil };
    logger.warn(
      fields,
      'The contract no longer accepts a former key whose signatures have not expired; they fail on chain',
    );
  }
}
