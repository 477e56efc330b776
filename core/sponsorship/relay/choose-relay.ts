import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { PaymasterContractRuntime } from '../../evm/paymaster-contracts/paymaster-contract-runtime.ts';
import type { ChainRelay } from '../../node/followed-chain.ts';
import type { Identified } from '../identify/identify.ts';
import type { ReadOperation } from '../identify/read-user-operation.ts';
import type { Asked } from '../run/asked.ts';
import { noted, type Step } from '../run/steps.ts';

/** The relay for an operation, in the role of its paymaster contract. */
export type Relaying = { readonly relay: ChainRelay; readonly contract: PaymasterContractRuntime };

/** Whether the chain relays operations of this EntryPoint now. */
export const chooseRelay: Step<Asked & Identified, Relaying> = noted(
  { rule: 'mode', finding: ['mode', 'RELAY'] },
  ({ chain, contract }: Asked & Identified): Result<Relaying> => {
    const { relay } = chain;
    const { chainId } = chain.config;
    if (relay === undefined) return refuseRelay(`Operations are not relayed on chain ${chainId}.`);
    if (relay.contract.location.entryPoint !== contract.location.entryPoint) {
      const { entryPointVersion } = relay.contract.family;
      return refuseRelay(`Only operations of EntryPoint ${entryPointVersion} are relayed on chain ${chainId}.`);
    }
    const fault = relay.bundler.fault();
    if (fault === undefined) return accept({ relay, contract: relay.contract });
    return refuse({ reason: 'BUNDLER_UNAVAILABLE', message: `Nothing is relayed on chain ${chainId} now: ${fault}.` });
  },
);

function refuseRelay(why: string): Result<never> {
  return refuse({
    reason: 'INVALID_PARAMS',
    message: `${why} Ask for paymaster data, and send the operation with it.`,
    field: 'paymaster',
  });
}

const paymasterFields = [
  'paymasterAndData',
  'paymaster',
  'paymasterData',
  'paymasterVerificationGasLimit',
  'paymasterPostOpGasLimit',
] as const;

/**
 * The account must have signed it without a paymaster and without fees: otherwise the EntryPoint would charge the account.
 */
export const checkUnpaid: Step<Asked & ReadOperation, object> = noted(
  { rule: 'operation', finding: ['bare-operation'] },
  ({ request: { userOperation }, operation }: Asked & ReadOperation): Result<object> => {
    const given = paymasterFields.find((field) => !isNothing(userOperation[field]));
    if (given !== undefined) return refuseField(given, 'must be left out of an operation that is relayed');
    if (operation.maxFeePerGas > 0n) return refuseField('maxFeePerGas', 'must be 0 for an operation that is relayed');
    return accept({});
  },
);

function isNothing(text: string | undefined): boolean {
  return text === undefined || /^(0x)?0*$/.test(text);
}

function refuseField(field: string, must: string): Result<never> {
  return refuse({ reason: 'INVALID_PARAMS', message: `${field} ${must}`, field });
}
