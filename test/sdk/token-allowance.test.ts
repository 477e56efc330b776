import fc from 'fast-check';
import { createClient, custom, decodeFunctionData, erc20Abi, type Hex, numberToHex } from 'viem';
import { describe, expect, test } from 'vitest';
import { approvalCalls, readTokenAllowance } from '../../clients/sdk/tokens/token-permit.ts';

const parties = {
  token: '0x00000000000000000000000000000000000000a1',
  owner: '0x00000000000000000000000000000000000000a2',
  spender: '0x00000000000000000000000000000000000000a3',
} as const;

const word = (value: bigint): Hex => numberToHex(value, { size: 32 });

/** A node on which the token has this allowance and answers `approve`, which must come from the owner, like this. */
function nodeWith(allowance: bigint, approve: () => Hex) {
  const request = async ({ method, params }: { method: string; params?: [{ from?: Hex; data: Hex }] }) => {
    const call = params?.[0];
    if (method !== 'eth_call' || call === undefined) throw new Error(`${method} was not expected`);
    const { functionName } = decodeFunctionData({ abi: erc20Abi, data: call.data });
    if (functionName === 'allowance') return word(allowance);
    expect(call.from).toBe(parties.owner);
    return approve();
  };
  return createClient({ transport: custom({ request }, { retryCount: 0 }) });
}

function reverts(): Hex {
  throw Object.assign(new Error('execution reverted'), { code: 3, data: '0x' });
}

describe('an allowance has to go by way of 0', () => {
  test.each([
    ['when the token reverts', 5n, reverts, true],
    ['when the token answers false', 5n, () => word(0n), true],
    ['not when the token answers true', 5n, () => word(1n), false],
    ['not when the token answers nothing', 5n, (): Hex => '0x', false],
    ['not when there is none', 0n, reverts, false],
  ])('%s', async (_, amount, approve, needsReset) => {
    expect(await readTokenAllowance(nodeWith(amount, approve), parties)).toEqual({ ...parties, amount, needsReset });
  });
});

test('approvals make a lower allowance exactly what is needed, and leave a higher one alone', () => {
  const amounts = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
  fc.assert(
    fc.property(amounts, amounts, fc.boolean(), (amount, needed, needsReset) => {
      const calls = approvalCalls({ ...parties, amount, needsReset }, needed);
      const approved = calls.map(({ to, data, value }) => {
        expect({ to, value }).toEqual({ to: parties.token, value: 0n });
        return decodeFunctionData({ abi: erc20Abi, data });
      });
      const approve = (value: bigint) => ({ functionName: 'approve', args: [expect.stringMatching(/a3$/i), value] });
      const expected = needsReset ? [approve(0n), approve(needed)] : [approve(needed)];
      expect(approved).toEqual(amount >= needed ? [] : expected);
    }),
  );
});
