import type { Address } from 'viem';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { Eip7702Authorization } from '../../domain/user-operation.ts';
import { delegateOf } from '../../evm/entry-point/eip7702-delegation.ts';
import { isEip7702InitCode } from '../../evm/entry-point/eip7702-init-code.ts';
import type { ChainRuntime } from '../run/chain-runtime.ts';
import type { ReadOperation } from './read-user-operation.ts';

type Chain = Pick<ChainRuntime, 'client'> & { readonly config: Pick<ChainRuntime['config'], 'chainId'> };

/**
 * Whose code the sender of an EIP-7702 operation runs. The authorization says so where there
 * is one, which must be for this chain or for all; else the sender's code on chain does. Nothing is asked of the chain for
 * other operations. `INVALID_PARAMS` for the marker without a delegate, `CHAIN_UNAVAILABLE` when the node does not tell.
 */
export async function findEip7702Delegate(chain: Chain, read: ReadOperation): Promise<Result<ReadOperation>> {
  const { eip7702Auth, initCode, sender } = read.operation;
  if (eip7702Auth === undefined && !isEip7702InitCode(initCode)) return accept(read);
  const delegate =
    eip7702Auth === undefined
      ? await readDelegate(chain, sender)
      : authorizedDelegate(eip7702Auth, chain.config.chainId);
  if (!delegate.ok) return delegate;
  return accept({ ...read, operation: { ...read.operation, eip7702Delegate: delegate.value } });
}

function authorizedDelegate({ address, chainId }: Eip7702Authorization, ownChainId: number): Result<Address> {
  if (chainId === 0n || chainId === BigInt(ownChainId)) return accept(address);
  const field = 'eip7702Auth.chainId';
  return refuse({ reason: 'INVALID_PARAMS', message: `${field} must be ${ownChainId}, or 0 for every chain`, field });
}

async function readDelegate({ client, config }: Chain, sender: Address): Promise<Result<Address>> {
  let delegate: Address | undefined;
  try {
    delegate = delegateOf(await client.getCode({ address: sender }));
  } catch {
    // The words of the node or the library may hold its URL.
    return refuse({
      reason: 'CHAIN_UNAVAILABLE',
      message: `The code of the sender could not be read on chain ${config.chainId}; nothing is signed until it can.`,
    });
  }
  if (delegate !== undefined) return accept(delegate);
  return refuse({
    reason: 'INVALID_PARAMS',
    message: 'eip7702Auth must be given: factory is the EIP-7702 marker, and the sender has not delegated its code yet',
    field: 'eip7702Auth',
  });
}
