import type { Address } from 'viem';
import { expect, test } from 'vitest';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import type { UserOperation } from '../../core/domain/user-operation.ts';
import { simpleAccount06 } from '../../core/evm/account-codes/kinds/simple-account.ts';
import type { InnerCall } from '../../core/evm/account-decoders/decoder.ts';
import { findAccountDecoder } from '../../core/evm/account-decoders/find-decoder.ts';
import { readsSameCalls } from '../../core/sponsorship/gas/decide-account.ts';
import { accountMethods } from '../support/accounts/account-kinds.ts';

const target: Address = '0x5fbdb2315678afecb367f032d93f642f64180aa3';

/** An operation of a method, and the calls that the kind of account reads in it whose name someone gave. */
function asked(account: string, version: string, name: string, entryPointVersion: EntryPointVersion) {
  const method = accountMethods.find(
    (one) =>
      one.account === account &&
      one.version === version &&
      one.method === name &&
      one.entryPointVersion === entryPointVersion,
  );
  const callData = method?.encode([{ target, value: 0n, data: '0xd09de08a' }]) ?? '0x';
  const decoded = findAccountDecoder(account, version)?.decode(callData, entryPointVersion);
  const calls: readonly InnerCall[] = decoded?.understood === true ? decoded.calls : [];
  const fees = { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n };
  const operation: UserOperation = {
    entryPointVersion,
    sender: target,
    nonce: 0n,
    initCode: '0x',
    callData,
    signature: '0x',
    ...fees,
  };
  return { operation, calls };
}

test('a kind reads its own calls, whatever the name under which they were judged', () => {
  for (const [account, version] of [
    ['INFINITISM', '1.0.0'],
    ['BICONOMY', '2.0.0'],
    ['COINBASE_SMART_WALLET', '1.0.0'],
  ] as const) {
    const { operation, calls } = asked(account, version, 'execute', '0.6');
    expect(calls).toHaveLength(1);
    expect(readsSameCalls(simpleAccount06, operation, { calls }), account).toBe(true);
  }
});

test('calls that the account does not read, or reads otherwise, are not its own', () => {
  const named = asked('KERNEL', '2.4', 'execute', '0.6');
  expect(named.calls).toHaveLength(1);
  expect(readsSameCalls(simpleAccount06, named.operation, named)).toBe(false);
  const own = asked('INFINITISM', '1.0.0', 'execute', '0.6');
  expect(readsSameCalls(simpleAccount06, own.operation, { calls: [...own.calls, ...own.calls] })).toBe(false);
  expect(readsSameCalls(simpleAccount06, own.operation, { calls: [] })).toBe(false);
});
