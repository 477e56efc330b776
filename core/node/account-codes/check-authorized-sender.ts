import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { UserOperation } from '../../domain/user-operation.ts';
import { delegateOf } from '../../evm/entry-point/eip7702-delegation.ts';
import type { ChainClient } from '../chain-client.ts';
import { explainNodeError } from '../node-error.ts';

/**
 * Whether an EIP-7702 authorization can give the sender code, as it is simulated with: it cannot where a contract is already
 * (EIP-7702, behaviour of the set code transaction), whose own code would run when the operation lands. Asks the node only of
 * operations that have one.
 */
export async function checkAuthorizedSender(
  client: ChainClient,
  { sender, eip7702Auth }: Pick<UserOperation, 'sender' | 'eip7702Auth'>,
): Promise<Result<object>> {
  if (eip7702Auth === undefined) return accept({});
  try {
    const code = (await client.getCode({ address: sender })) ?? '0x';
    return code === '0x' || delegateOf(code) !== undefined ? accept({}) : isContract;
  } catch (error) {
    return refuse(explainNodeError(error));
  }
}

const isContract = refuse({
  reason: 'INVALID_PARAMS',
  message: 'eip7702Auth is of a sender that is a contract, which no authorization gives other code',
  field: 'eip7702Auth',
});
