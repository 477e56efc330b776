import type { Hex } from 'viem';
import { accept } from '../../domain/result/result.ts';
import type { UserOperation } from '../../domain/user-operation.ts';
import type { Identified } from '../request/identify.ts';
import type { Asked } from '../run/asked.ts';
import { notedIfRefused } from '../run/noted.ts';
import type { Step } from '../run/steps.ts';
import { readContractState } from './read-contract-state.ts';

/** The word of the paymaster contract's state that its digest holds, where it holds one. */
export type DigestState = { readonly state: Hex | undefined };

/** Asks the paymaster contract for what its digest needs of its state. */
export const readDigestState: Step<Asked & Identified & { readonly operation: UserOperation }, DigestState> =
  notedIfRefused(
    { rule: 'contract-state', checked: 'the contract’s own state' },
    async (request: Asked & Identified & { readonly operation: UserOperation }) => {
      const state = await readContractState(request, request.operation);
      return state.ok ? accept({ state: state.value }) : state;
    },
  );
