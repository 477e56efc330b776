import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { omitAbsent } from '../../contract/omit-absent.ts';
import { type DraftStep, toTraceStep } from '../../core/decisions/decision-draft.ts';
import {
  type DraftRecord,
  decodeDecisionRecord,
  decodeShownRecord,
  encodeDecisionRecord,
} from '../../core/decisions/decision-record.ts';
import { keepContents } from '../../core/decisions/request-record.ts';
import { fixActions } from '../../core/domain/decision.ts';
import type { Finding, StoredFinding } from '../../core/policies/findings/finding.ts';
import { holdFindings } from '../../core/policies/findings/hold-findings.ts';
import { policyFindings } from '../../core/policies/findings/policy-findings.ts';
import { stepFindings } from '../../core/policies/findings/step-findings.ts';

const ada = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const bob = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const checked = 'the apiKey, its chain and its paymaster contract';

/** A refusal as columns. */
const packed = encodeDecisionRecord({
  message: 'No more is sponsored.',
  facts: { calls: [{ target: ada, selector: '0xa9059cbb' }], deploysOnly: false, maxFeePerGas: 2_000_000_000n },
  contents: [{ value: 7n, data: '0xa9059cbb' }],
  trace: [
    { rule: 'paymaster', finding: ['paymaster'] },
    { rule: 'policy-gas-price', finding: ['policy-gas-price', 1_000_000_000n] },
    {
      rule: 'limit-sender-day-operations',
      finding: ['limit', 'sender', 'day', 'operations', 10n, 10n, 1n],
      remedy: 'Raise the limit.',
      fix: { action: 'change-policy', policyField: 'limits' },
    },
  ],
});

test('findings are read with their texts', () => {
  expect(decodeDecisionRecord(packed, 'd')).toEqual({
    message: 'No more is sponsored.',
    facts: { calls: [{ target: ada, selector: '0xa9059cbb' }], deploysOnly: false, maxFeePerGas: 2_000_000_000n },
    contents: [{ value: 7n, data: '0xa9059cbb' }],
    trace: [
      { rule: 'paymaster', verdict: 'passed', checked },
      { rule: 'policy-gas-price', verdict: 'passed', checked: 'maxFeePerGas of 1000000000 wei' },
      {
        rule: 'limit-sender-day-operations',
        verdict: 'refused',
        checked: '1 operation asked by the sender',
        limit: '10 operations in a day',
        used: '10 operations',
        remedy: 'Raise the limit.',
        fix: { action: 'change-policy', policyField: 'limits' },
      },
    ],
  });
});

test('no finding has the name of another one, whose texts it would have', () => {
  const names = [policyFindings, holdFindings, stepFindings].flatMap((table) => Object.keys(table));
  expect(new Set(names).size).toBe(names.length);
});

test('a finding of a newer version is read with its name and values', () => {
  const trace = [{ rule: 'paymaster', finding: ['newer', 5n, 'text'] }] as const;
  expect(decodeDecisionRecord(encodeDecisionRecord({ trace }), 'd').trace).toEqual([
    { rule: 'paymaster', verdict: 'passed', checked: 'newer 5 text' },
  ]);
});

/** A few bytes that someone has put into the table. */
const bomb = Buffer.concat([Buffer.of(3), deflateRawSync(Buffer.alloc(20 * 2 ** 20, 'a'))]);

test.each([
  [
    'of another form',
    Buffer.of(4, ...packed.reasons.subarray(1)),
    'its reasons were written by another version of the program',
  ],
  ['without a byte', Buffer.of(), 'its reasons were written by another version of the program'],
  ['of 20 kB that would be 20 MB', bomb, 'its reasons are incomplete'],
  ['that end early', packed.reasons.subarray(0, 40), 'its reasons are incomplete'],
  ['next to a record of another version', packed.reasons, 'version was written by another version of the program'],
])('reasons %s are not read', (_, reasons, why) => {
  const record = reasons === packed.reasons ? '{"version":2}' : packed.record;
  const message = `The row d of the table decisions cannot be read: ${why}`;
  expect(() => decodeDecisionRecord({ record, reasons }, 'd')).toThrow(
    expect.objectContaining({ name: 'RowError', message }),
  );
});

const amount = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
const fix = fc.record(
  {
    action: fc.constantFrom(...fixActions),
    target: fc.constantFrom(ada, bob),
    selector: fc.constant('0xa9059cbb' as const),
    policyField: fc.string(),
    webhookId: fc.string(),
    neededWei: amount,
  },
  { requiredKeys: ['action'] },
);
const value = fc.oneof(
  fc.string(),
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(String),
  fc.bigInt({ min: -(2n ** 255n), max: 2n ** 256n - 1n }),
  fc.integer(),
  fc.boolean(),
  fc.constant(undefined),
);
const known: readonly Finding[] = [
  ['given-limits'],
  ['gas-limits', true],
  ['policy-calls', 2, 'sponsorAllCalls'],
  ['policy-gas', undefined, 100_000],
  ['policy-cost', 10n ** 15n, 3_000_000n, undefined, 5_000_000n],
  ['limit', 'sender', 'day', 'usdMicros', 10n ** 7n, 0n, 2_500_000n],
  ['limit', 'total', 'ever', 'operations', 1n, 0n, 1n, ada, 'mint(address)'],
  ['operator-holds', 'withoutExpiry', 100n, undefined, undefined, 90n],
  ['ticket', 'digest', '"1"', 1_800_000_000, undefined, '12'],
];
const anyFinding = fc.constantFrom(...known);
/** A finding of a newer version shows its values as they are, so that none may change in the store. */
const unknownFinding = fc
  .tuple(fc.string(), fc.array(value))
  .map(([name, values]) => [`new ${name}`, ...values] as StoredFinding);
const step: fc.Arbitrary<DraftStep> = fc.oneof(
  fc.record({ rule: fc.string(), finding: fc.oneof(unknownFinding, anyFinding) }),
  fc.record({ rule: fc.string(), finding: anyFinding, remedy: fc.string() }),
  fc.record({ rule: fc.string(), finding: anyFinding, remedy: fc.string(), fix }),
);
const facts = fc.record(
  {
    calls: fc.array(
      fc.record(
        { target: fc.constantFrom(ada, bob), selector: fc.constant('0xa9059cbb') },
        { requiredKeys: ['target'] },
      ),
    ),
    deploysOnly: fc.boolean(),
    maxFeePerGas: amount,
    worstCase: amount,
    usdMicrosPerCoin: amount,
  },
  { requiredKeys: ['calls', 'deploysOnly', 'maxFeePerGas'] },
);
const anyRecord: fc.Arbitrary<DraftRecord> = fc.record(
  { message: fc.string(), facts, trace: fc.array(step) },
  { requiredKeys: ['trace'] },
);

test('every record is read as it was written', () => {
  fc.assert(
    fc.property(anyRecord, (record) => {
      const read = decodeDecisionRecord(encodeDecisionRecord(record), 'd');
      expect(read).toEqual({ ...record, trace: record.trace.map(toTraceStep) });
    }),
  );
});

test('the overview reads the same message, price and first call without the rest', () => {
  const written = fc.property(anyRecord, (record) => {
    const shown = decodeShownRecord({ ...encodeDecisionRecord(record), reason: 'LIMIT_EXCEEDED' }, 'd');
    const { message, facts } = record;
    const [first] = facts?.calls ?? [];
    const firstCall = first && { ...first, count: facts?.calls.length };
    expect(shown).toEqual(omitAbsent({ message, usdMicrosPerCoin: facts?.usdMicrosPerCoin, firstCall }));
  });
  fc.assert(written);
  expect(decodeShownRecord({ ...packed, reason: 'LIMIT_EXCEEDED' }, 'd')).toEqual({
    message: 'No more is sponsored.',
    firstCall: { target: ada, selector: '0xa9059cbb', count: 1 },
  });
  expect(() => decodeShownRecord({ ...packed, record: '{"version":2}', reason: null }, 'd')).toThrow(
    'version was written by another version of the program',
  );
});

test.each([
  ['{"version":2}', 'version was written by another version of the program'],
  ['{"version":3,"facts":{}}', 'facts.calls Invalid input: expected array, received undefined'],
  ['trace', 'it is not JSON'],
])('the record %s is not read', (record, why) => {
  const message = `The row d of the table decisions cannot be read: ${why}`;
  expect(() => decodeDecisionRecord({ ...packed, record }, 'd')).toThrow(
    expect.objectContaining({ name: 'RowError', message: expect.stringContaining(message) }),
  );
});

test('of call data so much is kept as there is room for, call by call', () => {
  const call = (bytes: number) => ({ value: 7n, data: `0x${'aa'.repeat(bytes)}` }) as const;
  expect(keepContents([call(2_000), call(49), call(48), call(0)])).toEqual([call(2_000), null, call(48), call(0)]);
  expect(keepContents([call(2_049)])).toEqual([null]);
});
