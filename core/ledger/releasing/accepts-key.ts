import { type Address, BaseError } from 'viem';
import type { PaymasterContractRuntime } from '../../evm/paymaster-contracts/paymaster-contract-runtime.ts';
import type { ChainClient } from '../../node/chain-client.ts';

/** The length of a word as hex digits. */
const wordLength = 66;

/**
 * Whether a paymaster contract accepts what a key has signed as of a block, or as of the newest one. Of a contract that
 * cannot be asked it is taken for granted.
 *
 * @throws BaseError when the node does not answer, or with something that is no word.
 */
export async function acceptsKey(
  client: ChainClient,
  { family, location }: Pick<PaymasterContractRuntime, 'family' | 'location'>,
  key: Address,
  blockNumber: bigint,
): Promise<boolean> {
  const checks = family.preflight(location, key).filter(({ about }) => about === 'signer');
  if (checks.length === 0) return true;
  const to = location.address;
  for (const check of checks) {
    const answers = [
      await client.call({ to, data: check.data, blockNumber }),
      await client.call({ to, data: check.data, blockTag: 'latest' }),
    ];
    for (const { data } of answers) {
      if (data?.length !== wordLength)
        throw new BaseError('The paymaster contract does not report which keys it accepts.');
    }
    if (!('expected' in check)) return true;
    if (answers.some(({ data }) => data === check.expected)) return true;
  }
  return false;
}
