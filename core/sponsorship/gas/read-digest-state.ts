import { type Hex, size } from 'viem';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { UserOperation } from '../../domain/user-operation.ts';
import type { PaymasterContractRuntime } from '../../evm/paymaster-contracts/family/family.ts';
import type { Identified } from '../identify/identify.ts';
import type { ChainRuntime } from '../run/sponsorship-parts.ts';
import { type Asked, notedIfRefused, type Step } from '../run/steps.ts';
import type { WithContractState } from './choose-gas.ts';

/** The word of the paymaster contract's state that its digest includes, if any. */
export type DigestState = { readonly state: Hex | undefined };

type Asking = Asked & Identified & { readonly operation: UserOperation } & WithContractState;

/** The contract state for the digest: from the simulation, or else read now. */
export const readDigestState: Step<Asking, DigestState> = notedIfRefused(
  { rule: 'contract-state', finding: ['contract-state'] },
  async (request: Asking) => {
    const { contractState } = request;
    if (contractState !== undefined && size(contractState) === 32) return accept({ state: contractState });
    const state = await readContractState(request, request.operation);
    return state.ok ? accept({ state: state.value }) : state;
  },
);

/** Whom to ask, and where. */
type StateSource = {
  readonly chain: Pick<ChainRuntime, 'client' | 'config'>;
  readonly contract: Pick<PaymasterContractRuntime, 'family' | 'location'>;
};

/**
 * The word of the contract's state that its digest includes, for families with one (`stateData`); undefined for others.
 * `CHAIN_UNAVAILABLE` when the node does not answer.
 */
export async function readContractState(
  { chain, contract }: StateSource,
  operation: UserOperation,
): Promise<Result<Hex | undefined>> {
  const data = contract.family.stateData?.(operation);
  if (data === undefined) return accept(undefined);
  try {
    const answer = await chain.client.call({ to: contract.location.address, data });
    if (answer.data !== undefined && size(answer.data) === 32) return accept(answer.data);
  } catch {
    // Answered below: texts of the node or the library may contain its URL.
  }
  return refuse({
    reason: 'CHAIN_UNAVAILABLE',
    message: `The paymaster contract could not be read on chain ${chain.config.chainId}. Nothing is signed until it can be.`,
  });
}
