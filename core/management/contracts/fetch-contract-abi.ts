import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Address } from 'viem';
import type { Logger } from '../../base/logger.ts';
import { inOwnTurns } from '../../base/time/in-own-turn.ts';
import { parseAddress } from '../../base/values/parse-address.ts';
import type { Core } from '../../domain/core.ts';
import type { ChainConfig, WebhookConfig } from '../../domain/core-config.ts';
import { accept, invalidField, type Result, refuse } from '../../domain/result/result.ts';
import { parseAbiInSteps } from '../../evm/abi/parse-abi.ts';
import { ownPaymasterId, paymasterNotFound } from '../../store/own-paymaster.ts';
import type { Store } from '../../store/store.ts';
import { createReadExplorer, type ReadExplorer } from './read-explorer.ts';

/** The current target of a proxy at an address; undefined for any other contract. Refuses when no node answers. */
type ImplementationOf = (chainId: number, address: Address) => Promise<Result<Address | undefined>>;

const notSetUp = refuse({
  reason: 'EXPLORER_NOT_SET_UP',
  message: 'No explorer is set up for this chain. Send the ABI itself.',
});

/**
 * `Core.fetchContractAbi`. A proxy's target is read from the chain, or from the explorer if the chain has none; the ABI must
 * be valid for registration.
 */
export function fetchContractAbi(parts: {
  readonly store: Store;
  readonly chains: readonly ChainConfig[];
  readonly rules: WebhookConfig;
  readonly implementationOf: ImplementationOf;
  readonly logger: Logger;
}): Core['fetchContractAbi'] {
  const { store, chains, rules, implementationOf, logger } = parts;
  const explorers = new Map(
    chains.flatMap(({ chainId, explorer }) =>
      explorer === undefined ? [] : [[chainId, createReadExplorer(explorer, chainId, rules)] as const],
    ),
  );
  return async (input) => {
    const address = parseAddress(input.address);
    if (address === undefined) return invalidField('address', 'must be a valid address');
    const paymaster = await ownPaymasterId(store.db, input).select('chain_id').executeTakeFirst();
    if (paymaster === undefined) return paymasterNotFound;
    const { chain_id: chainId } = paymaster;
    const ask = explorers.get(chainId);
    if (ask === undefined) return notSetUp;
    const onChain = await implementationOf(chainId, address);
    if (!onChain.ok) return onChain;
    const found = await findAbi({ ask, accountId: input.accountId }, address, onChain.value);
    if (!found.ok) {
      const { reason, message } = found.refusal;
      if (reason === 'EXPLORER_UNAVAILABLE') logger.warn({ chainId, problem: message }, 'explorer unavailable');
      return found;
    }
    const { abi, implementation } = found.value;
    return accept({ address, abi, ...omitAbsent({ implementation }) });
  };
}

type Found = { readonly abi: string; readonly implementation?: Address | undefined };

/** The ABI of the code that runs at the address. The chain determines a proxy's `implementation`, or else the explorer. */
async function findAbi(
  asker: { readonly ask: ReadExplorer; readonly accountId: string },
  address: Address,
  implementation: Address | undefined,
): Promise<Result<Found>> {
  const answer = await asker.ask(implementation ?? address);
  if (answer.kind === 'unavailable') return unavailable(answer.problem);
  if (answer.kind === 'not verified') return notVerified(address, implementation);
  if (implementation === undefined && answer.implementation !== undefined) {
    return findAbi(asker, address, answer.implementation);
  }
  if (!(await inOwnTurns(asker.accountId, parseAbiInSteps(answer.abi))).ok)
    return unavailable('has no usable ABI for this contract');
  return accept({ abi: answer.abi, implementation });
}

function unavailable(problem: string) {
  return refuse({ reason: 'EXPLORER_UNAVAILABLE', message: `The explorer ${problem}` });
}

function notVerified(address: Address, implementation: Address | undefined) {
  const what = implementation === undefined ? '' : ` is a proxy of ${implementation}, which`;
  const message = `The contract ${address}${what} is not verified at the explorer. Send the ABI itself`;
  return refuse({ reason: 'ABI_NOT_VERIFIED', message });
}
