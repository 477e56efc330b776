import { type Address, type Hex, hexToBigInt } from 'viem';
import type { Result } from '../../domain/result/result.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import { callSimulated } from './override-call.ts';

/** Code that returns 1: PUSH1 1 PUSH1 0 MSTORE PUSH1 32 PUSH1 0 RETURN. */
const returnsOne: Hex = '0x600160005260206000f3';
const anyAddress: Address = '0x7011F7ee00000000000000000000000000000003';

/** Calls code that is only there for the call. Refuses with why the node cannot simulate anything. */
export function tryOverrides(client: ChainClient): Promise<Result<true>> {
  return callSimulated(client, {
    to: anyAddress,
    code: returnsOne,
    data: '0x',
    overrides: {},
    decode: (answer) => {
      if (hexToBigInt(answer) !== 1n) throw new Error('The code did not run.');
      return true;
    },
  });
}
