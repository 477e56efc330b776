import type { Address } from 'viem';
import { formatUserOperationRequest } from 'viem/account-abstraction';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import { targetCall } from '../support/chain/chain-lab.ts';
import { delegatingAccount, markedOperation, signDelegation } from '../support/chain/eip7702-lab.ts';
import { askRpc } from '../support/service/chain-rpc.ts';
import { type ClientLab, openClientLab } from '../support/service/client-lab.ts';
import { freshKey } from '../support/service/running-service.ts';

let lab: ClientLab;
let delegate: Address;

beforeAll(async () => {
  lab = await openClientLab();
  delegate = lab.devnet.simple7702Account;
}, 60_000);
afterAll(() => lab.close());

const sponsored = {
  mode: 'SPONSORED',
  sponsorshipInfo: { webhookData: {}, smartAccountInfo: { name: 'SIMPLE_7702', version: '1.0.0' } },
} as const;

/** What is answered to an operation that would be sponsored but for this change. */
async function refusal(change: object, version: EntryPointVersion = '0.8') {
  const owner = privateKeyToAccount(freshKey());
  const account = await delegatingAccount(lab.devnet, delegate, owner);
  const operation = await markedOperation(lab.devnet, account, [targetCall(lab.devnet, 'increment')]);
  const authorization = await signDelegation(lab.devnet, owner, delegate);
  const sent = { ...formatUserOperationRequest({ ...operation, authorization }), ...change };
  const answer = await askRpc(lab.paymaster(version).rpcUrl, 'pm_sponsorUserOperation', [sent, sponsored]);
  return { code: answer.code, reason: answer.reason, message: answer.message };
}
const invalid = (message: string) => ({
  code: -32602,
  reason: 'INVALID_PARAMS',
  message: expect.stringContaining(message),
});
const auth = { address: `0x${'22'.repeat(20)}`, chainId: '0x7a69', nonce: '0x0' };

test('an operation with the marker and an authorization is not refused', async () => {
  expect(await refusal({})).toStrictEqual({ code: undefined, reason: undefined, message: undefined });
});

test('refused is the marker with EntryPoint 0.7, in words', async () => {
  expect(await refusal({}, '0.7')).toEqual(invalid('it is supported from 0.8 on'));
});

test('refused is the marker of a sender that has not delegated, without an authorization', async () => {
  expect(await refusal({ eip7702Auth: undefined })).toEqual(invalid('eip7702Auth is required'));
});

test('refused is the marker of a contract that is no delegated account', async () => {
  const change = { sender: lab.devnet.target.address, eip7702Auth: undefined };
  expect(await refusal(change)).toEqual(invalid('eip7702Auth is required'));
});

test('refused is an authorization for another chain', async () => {
  const change = { eip7702Auth: { ...auth, chainId: '0x1' } };
  expect(await refusal(change)).toEqual(invalid('eip7702Auth.chainId must be 31337, or 0 for every chain'));
});

test('refused is an authorization that can never apply, because of its nonce', async () => {
  const change = { eip7702Auth: { ...auth, address: delegate, nonce: '0x1' } };
  expect(await refusal(change)).toEqual(
    invalid('eip7702Auth.nonce must be 0, the number of transactions of the sender'),
  );
});

test.each([
  ['eip7702Auth.address', { ...auth, address: '0x1234' }],
  ['eip7702Auth.address', { ...auth, address: `0x${'00'.repeat(20)}` }],
  ['eip7702Auth.address', { chainId: '0x7a69', nonce: '0x0' }],
  ['eip7702Auth.chainId', { address: auth.address, nonce: '0x0' }],
  ['eip7702Auth.nonce', { ...auth, nonce: '0xffffffffffffffff' }],
  ['eip7702Auth.nonce', { ...auth, nonce: 'soon' }],
  ['eip7702Auth.r', { ...auth, r: `0x1${'00'.repeat(32)}` }],
  ['eip7702Auth.s', { ...auth, s: 'zz' }],
  ['eip7702Auth.yParity', { ...auth, yParity: '0x2' }],
  ['eip7702Auth', 'text'],
  ['eip7702Auth', []],
])('refused is a malformed authorization, which names %s (%#)', async (field, eip7702Auth) => {
  expect(await refusal({ eip7702Auth })).toEqual(invalid(field));
});

test('refused is an authorization next to a factory that deploys', async () => {
  const change = { factory: lab.devnet.accountFactories['0.8'], factoryData: '0x1234' };
  expect(await refusal(change)).toEqual(invalid('eip7702Auth must not be given with a factory'));
});
