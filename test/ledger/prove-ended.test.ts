import { type Address, BaseError, type Hex, pad, toHex } from 'viem';
import { describe, expect, test } from 'vitest';
import type { PaymasterContractFamily, PreflightCheck } from '../../core/evm/paymaster-contracts/family/family.ts';
import { verifyingPaymaster07 } from '../../core/evm/paymaster-contracts/verifying/verifying-paymaster-0.7.ts';
import { proveEnded } from '../../core/ledger/releasing/prove-ended.ts';
import type { ChainClient } from '../../core/node/chain-client.ts';
import { chainId, contract, entryPoint, numberedAddress, tankOf } from '../support/core/ledger-lab.ts';

const sender = numberedAddress(0xa1);
const [first, second, replaced] = [numberedAddress(0x51), numberedAddress(0x52), numberedAddress(0x53)];
const nonce = 5n;
const position = { atBlock: 100n, lastHash: toHex(0xaa), deposit: 1_000n } as const;

/** What a node says of block 100, and of the newest one; what the ledger has of it where it is not told otherwise. */
type Reported = {
  readonly hash?: Hex;
  readonly timestamp?: bigint;
  readonly deposit?: bigint;
  readonly nextNonce?: bigint;
  /** The next nonce at the second EntryPoint; without it, that of the first. */
  readonly nextThere?: bigint;
  /** The contract's key at block 100, and at the newest; none where it does not tell. */
  readonly keys?: readonly [Address, Address] | 'none';
};

function nodeOf(reported: Reported | 'away'): ChainClient {
  const {
    hash = position.lastHash,
    timestamp = 1_000n,
    deposit = position.deposit,
    nextNonce = nonce,
  } = Object(reported) as Reported;
  const { keys = [first, first], nextThere = nextNonce } = Object(reported) as Reported;
  const client = {
    getBlock: async () => {
      if (reported === 'away') throw new BaseError('out of service');
      return { hash, timestamp };
    },
    call: async ({ to, blockTag }: { to: Address; blockTag?: string }) =>
      to !== contract
        ? { data: toHex(deposit, { size: 32 }) }
        : { data: keys === 'none' ? undefined : (pad(keys[blockTag === 'latest' ? 1 : 0]).toLowerCase() as Hex) },
    readContract: async ({ address }: { address: Address }) => (address === entryPoint ? nextNonce : nextThere),
  };
  return client as unknown as ChainClient;
}

type Over = {
  readonly validUntil?: number | undefined;
  readonly signers?: readonly Address[] | undefined;
  readonly nonce?: bigint;
};

/** What shows that nothing can land any more, or why nothing does; of a contract that is configured for two EntryPoints. */
async function prove(
  nodes: readonly (Reported | 'away')[],
  over: Over = {},
  family: Pick<PaymasterContractFamily, 'preflight'> = verifyingPaymaster07,
  familyThere = family,
): Promise<string> {
  const hold = {
    holdId: 1,
    tankId: 1,
    chainId,
    contract,
    wallet: tankOf(1).wallet,
    paymasterId: 'p',
    sender,
    nonce,
    amount: 1n,
    createdAt: 1,
    state: 'live',
    validUntil: 2_000,
    signers: [first],
    ...over,
  };
  const contracts = [entryPoint, numberedAddress(0xe2)].map((at) => ({
    family: at === entryPoint ? family : familyThere,
    location: { chainId, address: contract, entryPoint: at },
  }));
  // What the proof looks at.
  const asked = { nodes: nodes.map(nodeOf), contracts, hold, ledger: position };
  const shown = await proveEnded(asked as unknown as Parameters<typeof proveEnded>[0]);
  if (shown.ok) return `ended: ${shown.value}`;
  const { reason, field, message } = shown.refusal;
  return `${reason}${field === undefined ? '' : ` ${field}`}: ${message}`;
}

describe('nothing can land under a hold any more', () => {
  test('when the last signature has ended by the chain’s time', async () => {
    expect(await prove([{ timestamp: 2_001n }])).toBe('ended: the signature had ended at block 100');
    expect(await prove([{ timestamp: 2_000n }])).toMatch(/^INVALID_FIELD/);
    expect(await prove([{ timestamp: 10n ** 9n }], { validUntil: undefined })).toMatch(/^INVALID_FIELD/);
  });

  test('when the account has used the nonce', async () => {
    expect(await prove([{ nextNonce: 6n }])).toContain('ended: the account had used the nonce');
    expect(await prove([{ nextNonce: 5n }])).toMatch(/^INVALID_FIELD holdId/);
    expect(await prove([{ nextNonce: 6n, nextThere: 5n }])).toMatch(/^INVALID_FIELD/);
  });

  test('when the contract accepts none of its keys, neither then nor now', async () => {
    const gone = await prove([{ keys: [replaced, replaced] }], { signers: [first, second] });
    expect(gone).toBe(
      `ended: the contract accepted none of the keys that had signed at block 100: ${first}, ${second}`,
    );
    expect(await prove([{ keys: [replaced, first] }])).toMatch(/^INVALID_FIELD/);
    expect(await prove([{ keys: [first, replaced] }])).toMatch(/^INVALID_FIELD/);
    expect(await prove([{ keys: [replaced, replaced] }], { signers: undefined })).toMatch(/^INVALID_FIELD/);
  });

  test('not by its keys where the contract cannot be asked which it accepts', async () => {
    const others = { keys: [replaced, replaced] } as const;
    const silent = { preflight: () => [] };
    expect(await prove([others], {}, silent)).toMatch(/^INVALID_FIELD/);
    expect(await prove([others], {}, verifyingPaymaster07, silent)).toMatch(/^INVALID_FIELD/);
    const asked = { data: '0x01', complaint: 'It is another key.' } as const;
    const proveBy = (check: PreflightCheck) => prove([others], {}, { preflight: () => [check] });
    expect(await proveBy({ ...asked, about: 'signer', expected: pad('0x01') })).toMatch(/^ended/);
    expect(await proveBy({ ...asked, about: 'signer', accepts: () => false })).toMatch(/^INVALID_FIELD/);
    expect(await proveBy({ ...asked, expected: pad('0x01') })).toMatch(/^INVALID_FIELD/);
  });

  test('only when every node tells the same reason', async () => {
    for (const reason of [{ timestamp: 2_001n }, { nextNonce: 6n }, { keys: [replaced, replaced] }] as const) {
      expect(await prove([reason, reason])).toMatch(/^ended/);
      expect(await prove([reason, {}])).toMatch(/^INVALID_FIELD.*that every node reports/);
    }
    expect(await prove([{ timestamp: 2_001n }, { nextNonce: 6n }])).toMatch(/^INVALID_FIELD/);
  });
});

test('nothing is proven while a node does not respond or differs from the ledger, or while there is no node', async () => {
  expect(await prove([{ timestamp: 2_001n }, 'away'])).toMatch(
    /^CHAIN_UNAVAILABLE.*node 2 of the chain did not answer/,
  );
  expect(await prove([{ hash: '0xbb' }])).toMatch(/^CHAIN_UNAVAILABLE.*node 1 of the chain has another block 100/);
  expect(await prove([{ deposit: 999n }])).toMatch(/^CHAIN_UNAVAILABLE.*node 1.*differs from the ledger/);
  expect(await prove([{ keys: 'none' }])).toMatch(/^CHAIN_UNAVAILABLE.*did not answer all/);
  expect(await prove([])).toMatch(/^CHAIN_UNAVAILABLE.*has no node/);
});

describe('a hold that has not ended says when it does', () => {
  test('by itself, or never', async () => {
    const open = await prove([{}]);
    expect(open).toContain('automatically once the chain’s confirmed time is past'.replace('’', "'"));
    expect(open).toContain('at a confirmed block. It is released');
    expect(await prove([{}], { validUntil: undefined })).toContain('Its signatures never expire');
  });

  test('by which keys', async () => {
    expect(await prove([{}], { signers: [first, second] })).toContain(`no longer accepts ${first}`);
    const apart = [{ keys: [replaced, replaced] }, { keys: [first, first] }] as const;
    expect(await prove(apart, { signers: [first, second] })).toContain(`no longer accepts ${first}`);
    const both = [{ keys: [first, first] }, { keys: [second, second] }] as const;
    expect(await prove(both, { signers: [first, second] })).toContain(`no longer accepts ${first}, ${second}`);
    expect(await prove([{}], { signers: undefined })).toContain('the keys that signed under it are not known');
  });
});
