import { beforeEach, expect, test } from 'vitest';
import { decodeDecisionRecord, encodeDecisionRecord, recordBytes } from '../../core/decisions/decision-record.ts';
import { createRecordRoom, type RecordRoom } from '../../core/decisions/record-room.ts';
import { numberedAddress } from '../support/core/ledger-lab.ts';

const kibibyte = 1_024;
let now: number;
let room: RecordRoom;
beforeEach(() => {
  now = 1_000_000;
  room = createRecordRoom({ now: () => now });
});

test('a paymaster has room for long records, until it has used it up, and each second gives some back', () => {
  const most = room.left('one');
  expect(most).toBeGreaterThan(128 * kibibyte);
  for (let record = 0; record < 32; record += 1) room.take('one', 5 * kibibyte);
  const least = room.left('one');
  expect(least).toBe(most - 128 * kibibyte);
  // Another one has all of its own.
  expect(room.left('two')).toBe(most);
  now += 3_600_000;
  expect(room.left('one')).toBe(most);
});

test('short records take nothing of the room', () => {
  const most = room.left('one');
  for (let record = 0; record < 10_000; record += 1) room.take('one', 200);
  expect(room.left('one')).toBe(most);
});

const calls = Array.from({ length: 100 }, (_, index) => ({ target: numberedAddress(0xabc000 + index) }));
const record = {
  message: 'Smart contract data not found.',
  facts: { calls, deploysOnly: false, maxFeePerGas: 5n },
  listed: '-'.repeat(100),
  contents: calls.map((_, index) => ({ value: BigInt(index), data: '0x' as const })),
  trace: [
    { rule: 'decode', finding: ['decode', 16_000] as const },
    { rule: 'policy-calls', finding: ['policy-calls', 100, 1] as const, remedy: 'Register it.' },
  ],
};
const request = { method: 'pm_getFeeQuoteOrData', params: [{ callData: `0x${'ab12'.repeat(4_000)}` }] };

test('a record has what there is room for, and always says what refused and why', () => {
  const whole = encodeDecisionRecord(record, request);
  expect(decodeDecisionRecord(encodeDecisionRecord(record, request, recordBytes(whole)), 'd')).toEqual(
    decodeDecisionRecord(whole, 'd'),
  );
  for (const bytes of [recordBytes(whole) - 1, 8_000, 2_000, 320]) {
    const columns = encodeDecisionRecord(record, request, bytes);
    expect(recordBytes(columns)).toBeLessThanOrEqual(bytes);
    const { message, trace } = decodeDecisionRecord(columns, 'd');
    expect([message, trace.at(-1)?.rule, trace.at(-1)?.remedy]).toEqual([
      record.message,
      'policy-calls',
      'Register it.',
    ]);
  }
});

test('a long message is cut off where there is no room', () => {
  const long = { ...record, message: Array.from({ length: 900 }, (_, index) => `${index * 7919}`).join('') };
  const columns = encodeDecisionRecord(long, request, 320);
  expect(recordBytes(columns)).toBeLessThanOrEqual(320);
  const { message = '' } = decodeDecisionRecord(columns, 'd');
  expect(long.message.startsWith(message)).toBe(true);
  expect(message.length).toBeGreaterThan(100);
});
