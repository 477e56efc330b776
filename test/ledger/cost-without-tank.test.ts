import { expect, test } from 'vitest';
import { takeStretch } from '../../core/ledger/following/take-stretch.ts';
import {
  chainId,
  chargedEvent,
  contract,
  customerDeposit,
  depositEvent,
  landedEvent,
} from '../support/core/ledger-lab.ts';
import { useLedger } from '../support/core/use-ledger.ts';

const ledger = useLedger();

test('the cost of an operation that no tank signed is counted, and not that of one that was relayed or whose customer was charged', async () => {
  const noted: unknown[] = [];
  const signedByNone = landedEvent(0xb1, 1n, 25n);
  const charged = chargedEvent(landedEvent(0xb2, 2n, 40n), 1, 30n);
  const relayed = { ...landedEvent(0xb3, 3n, 50n), relayed: true } as const;
  const events = [depositEvent(1, 1_000n), ...customerDeposit(1, 100n), signedByNone, charged, relayed];
  const warned: string[] = [];
  const contractLedger = {
    store: ledger.store,
    clock: { now: () => 5_000 },
    logger: { debug() {}, info() {}, warn: (_: unknown, text: string) => void warned.push(text), error() {} },
    noteCostWithoutTank: (...note: unknown[]) => noted.push(note),
  };
  const stretch = { chainId, contract, events, watchBefore: undefined, lastHash: '0x' } as const;
  expect(await takeStretch(contractLedger, [{ ...stretch, nextBlock: relayed.blockNumber + 1n }], 5)).toBe(true);
  expect(noted).toEqual([[contract, 25n]]);
  expect(warned).toEqual([
    'An operation was paid by the paymaster contract but has no hold',
    'An operation was paid by the paymaster contract but has no hold',
    'A relayed operation has no hold; the operator pays for it',
  ]);
});
