import { type Hex, size } from 'viem';
import { accept } from '../../domain/result/result.ts';
import type { UserOperation } from '../../domain/user-operation.ts';
import type { Identified } from '../identify/identify.ts';
import type { Asked } from '../run/asked.ts';
import { notedIfRefused, type Step } from '../run/steps.ts';
import type { WithContractState } from './choose-gas.ts';
import { readContractState } from './read-contract-state.ts';

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
