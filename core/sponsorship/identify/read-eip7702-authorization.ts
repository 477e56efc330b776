import { zeroAddress } from 'viem';
import type { Eip7702Authorization, RawEip7702Authorization } from '../../domain/user-operation.ts';
import { FieldError, readAddress, readOptional, readRequired } from './field-readers.ts';

const maxWord = 2n ** 256n - 1n;
/** EIP-7702 takes no authorization with the highest nonce there is: it could not be followed by another. */
const maxAccountNonce = 2n ** 64n - 2n;

/**
 * The form of an authorization, as clients send it. Its signature may be missing or a placeholder; whether `chainId` is
 * the right one is decided where the chain is known. Throws `FieldError` naming `eip7702Auth.<field>`.
 */
export function readEip7702Authorization(raw: RawEip7702Authorization): Eip7702Authorization {
  const address = readAddress('eip7702Auth.address', raw.address);
  if (address === zeroAddress) {
    throw new FieldError('eip7702Auth.address', 'must not be the zero address, which removes the code of the sender');
  }
  const yParity = readOptional('eip7702Auth.yParity', raw.yParity, 1n) ?? 0n;
  return {
    address,
    chainId: readRequired('eip7702Auth.chainId', raw.chainId, maxWord),
    nonce: readRequired('eip7702Auth.nonce', raw.nonce, maxAccountNonce),
    r: readOptional('eip7702Auth.r', raw.r, maxWord) ?? 0n,
    s: readOptional('eip7702Auth.s', raw.s, maxWord) ?? 0n,
    yParity: yParity === 0n ? 0 : 1,
  };
}
