import { encodeFunctionResult, type Hex, pad } from 'viem';
import { describe, expect, test } from 'vitest';
import { delegationCode } from '../../core/evm/entry-point/eip7702.ts';
import { accountProbeAbi } from '../../core/gas/simulation/account-probe.generated.ts';
import { seeAccount } from '../../core/gas/simulation/probe-account.ts';
import type { ChainClient } from '../../core/node/chain-client.ts';
import { numberedAddress } from '../support/core/ledger-lab.ts';
import { operationWith } from '../support/core/step-lab.ts';

const [slot, beaconSlot, word] = [1, 2, 3].map((number) => pad(numberedAddress(number))) as [Hex, Hex, Hex];
const beaconImplementation = numberedAddress(4);
const delegate = numberedAddress(5);
const kept = encodeFunctionResult({
  abi: accountProbeAbi,
  functionName: 'probe',
  result: [[word], beaconImplementation, pad('0x07')],
});

/** Looks at a sender through a node that answers like this. */
function see(node: { code?: Hex | undefined | 'down'; kept?: Hex | 'down' }, isDelegating = false) {
  const tell = async (answer: Hex | undefined | 'down') => {
    if (answer === 'down') throw new Error('The node is away.');
    return answer;
  };
  const client = { getCode: () => tell(node.code), request: () => tell(node.kept ?? kept) };
  const operation = operationWith(isDelegating ? { eip7702Auth: { address: delegate } as never } : {});
  return seeAccount(client as unknown as ChainClient, operation, { slots: [slot], beaconSlot });
}

describe('the sender of an operation', () => {
  const keeps = { words: { [slot]: word }, beaconImplementation };

  test('is its code, and what it keeps', async () => {
    expect(await see({ code: '0x6001' })).toEqual({ ok: true, value: { code: '0x6001', ...keeps } });
    expect(await see({ code: undefined })).toEqual({ ok: true, value: { code: '0x', ...keeps } });
  });

  test.each([undefined, delegationCode(numberedAddress(6))])(
    'is what it has authorized itself to be where its code is %s',
    async (code) => {
      const value = { code: delegationCode(delegate), ...keeps };
      expect(await see({ code }, true)).toEqual({ ok: true, value });
    },
  );

  test.each([{ code: 'down' }, { code: '0x6001', kept: 'down' }, { code: '0x6001', kept: '0x12' }] as const)(
    'is not known where the node does not tell all of it: %j',
    async (node) => {
      expect(await see(node)).toMatchObject({ ok: false, refusal: { reason: 'CHAIN_UNAVAILABLE' } });
    },
  );
});
