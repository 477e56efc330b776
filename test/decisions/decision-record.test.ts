import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { omitAbsent } from '../../contract/omit-absent.ts';
import { type DraftStep, toTraceStep } from '../../core/decisions/decision-draft.ts';
import {
  type DecisionRecord,
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

/** Texts that version 0.1.0 has written, and what they mean. */
const ofVersion1: readonly [string, DecisionRecord][] = [
  [
    `{"trace":[{"rule":"paymaster","verdict":"passed","looked":"${checked}"}]}`,
    { trace: [{ rule: 'paymaster', verdict: 'passed', checked }] },
  ],
  [
    `{"message":"No more is sponsored for this sender today.","facts":{"calls":[{"target":"${ada}","selector":"0xa9059cbb"},{"target":"${bob}"}],"deploysOnly":false,"maxFeePerGas":"2000000000","worstCase":"1000000000000000","usdMicrosPerCoin":"3000000000"},"trace":[{"rule":"paymaster","verdict":"passed","looked":"${checked}"},{"rule":"limit-sender-day-operations","verdict":"refused","looked":"operations of the sender on this day","limit":"10","used":"11","remedy":"Raise the limit."}]}`,
    {
      message: 'No more is sponsored for this sender today.',
      facts: {
        calls: [{ target: ada, selector: '0xa9059cbb' }, { target: bob }],
        deploysOnly: false,
        maxFeePerGas: 2_000_000_000n,
        worstCase: 10n ** 15n,
        usdMicrosPerCoin: 3_000_000_000n,
      },
      trace: [
        { rule: 'paymaster', verdict: 'passed', checked },
        {
          rule: 'limit-sender-day-operations',
          verdict: 'refused',
          checked: 'operations of the sender on this day',
          limit: '10',
          used: '11',
          remedy: 'Raise the limit.',
        },
      ],
    },
  ],
];

test.each(ofVersion1)('a record of version 0.1.0 is read as it was meant: %s', (text, record) => {
  expect(decodeDecisionRecord({ record: text, reasons: null }, 'd')).toEqual(record);
});

/** Columns that the first version with packed reasons has written. */
const packed = {
  record: `{"version":2,"facts":{"calls":[{"target":"${ada}","selector":"0xa9059cbb"}],"deploysOnly":false,"maxFeePerGas":"2000000000"},"trace":[]}`,
  reasons: Buffer.from(
    'AatGGujwy1fIzYe0gRBdAEizEh6PCiX5KYmVeiAHYWsDgTIRvA2UaGlgapmclITWlsHScMESAhS2ZaCWYPSjUDp/2IZaUBIESlqAV9f5oPGDzGKFlETQEAwitBGdLUNQvxk+aBSUmAmqeGCFmx4o3AE=',
    'base64',
  ),
};

test('reasons that were packed once are read ever after', () => {
  expect(decodeDecisionRecord(packed, 'd')).toEqual({
    message: 'No more is sponsored for this sender today.',
    facts: { calls: [{ target: ada, selector: '0xa9059cbb' }], deploysOnly: false, maxFeePerGas: 2_000_000_000n },
    contents: [{ value: 7n, data: '0xa9059cbb' }],
    trace: [
      { rule: 'paymaster', verdict: 'passed', checked },
      {
        rule: 'limit-sender-day-operations',
        verdict: 'refused',
        checked: 'operations of the sender on this day',
        limit: '10',
        used: '11',
        remedy: 'Raise the limit.',
      },
    ],
  });
});

/** The same as packed by the first version that stored findings instead of texts. */
const packedFindings =
  'AqtGKgr98hVy84tSFTKLFYoL8vOK84tSU/RwlY/m2MpHEspByrI8NRoEhrDwgQQTKBUrBSVmFqcqlGSkKoBt0FPSqVZKTAaX0FagjJ2XnqoLcbmSDjTxuWWm5qQoWUEaIcVKtcBABQA=';

test('findings that were packed once are read ever after, with the texts of today', () => {
  const reasons = Buffer.from(packedFindings, 'base64');
  expect(decodeDecisionRecord({ record: '{"version":2,"trace":[]}', reasons }, 'd')).toEqual({
    message: 'No more is sponsored.',
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

/** Columns of a refusal that a version before 1.0 has written, with the fix under its former key. */
const withFormerFix = {
  record: '{"version":2,"trace":[]}',
  reasons: Buffer.from(
    'AatGGugIATXCE3NyQKke1DhLzMnJL09N0QMNcMBbIthrTWyDFlhqUvg4ShC0IgW3WGFVKcgijNEVWJWrC69wUYZbTBMdU5PMDEyN3YxdLU2cLZMsHQ0s04yNzcwsTYxNXc1d0wydUh3BYYo8zGKqVAv0PAA=',
    'base64',
  ),
};

test('a record from before the key was renamed is read with its fix', () => {
  expect(decodeDecisionRecord(withFormerFix, 'd')).toEqual({
    message: 'The call is not allowed.',
    trace: [
      {
        rule: 'policy-calls',
        verdict: 'refused',
        checked: '1 call',
        remedy: 'Register the contract.',
        fix: { action: 'register-contract', target: ada, neededWei: 5n },
      },
    ],
  });
});

/** A few bytes that someone has put into the table. */
const bomb = Buffer.concat([Buffer.of(1), deflateRawSync(Buffer.alloc(20 * 2 ** 20, 'a'))]);

test('what stands next to packed reasons is a record too, for a core that knows of none', () => {
  const { facts } = decodeDecisionRecord(packed, 'd');
  expect(decodeDecisionRecord({ ...packed, reasons: null }, 'd')).toEqual({ facts, trace: [] });
});

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
  const record = reasons === packed.reasons ? '{"version":3}' : packed.record;
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
  ['gas-guard'],
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

test('the overview reads the same message and price without the rest', () => {
  const written = fc.property(anyRecord, (record) => {
    const shown = decodeShownRecord({ ...encodeDecisionRecord(record), reason: 'LIMIT_EXCEEDED' }, 'd');
    const { message, facts } = record;
    expect(shown).toEqual(omitAbsent({ message, usdMicrosPerCoin: facts?.usdMicrosPerCoin }));
  });
  fc.assert(written);
  for (const [record, { message, facts }] of ofVersion1) {
    const shown = decodeShownRecord({ record, reasons: null, reason: 'LIMIT_EXCEEDED' }, 'd');
    expect(shown).toEqual(omitAbsent({ message, usdMicrosPerCoin: facts?.usdMicrosPerCoin }));
  }
  expect(decodeShownRecord({ ...packed, reason: 'LIMIT_EXCEEDED' }, 'd')).toEqual({
    message: 'No more is sponsored for this sender today.',
  });
  expect(() => decodeShownRecord({ record: '{"version":3}', reasons: null, reason: null }, 'd')).toThrow(
    'version was written by another version of the program',
  );
});

test.each([
  ['{}', 'trace Invalid input: expected array, received undefined'],
  ['{"version":3,"trace":[]}', 'version was written by another version of the program'],
  [
    '{"version":2,"trace":[{"rule":"a","verdict":"passed","looked":"b"}]}',
    'trace[0].checked Invalid input: expected string, received undefined',
  ],
  ['trace', 'it is not JSON'],
])('the record %s is not read', (text, why) => {
  const message = `The row d of the table decisions cannot be read: ${why}`;
  expect(() => decodeDecisionRecord({ record: text, reasons: null }, 'd')).toThrow(
    expect.objectContaining({ name: 'RowError', message }),
  );
});

test('of call data so much is kept as there is room for, call by call', () => {
  const call = (bytes: number) => ({ value: 7n, data: `0x${'aa'.repeat(bytes)}` }) as const;
  expect(keepContents([call(2_000), call(49), call(48), call(0)])).toEqual([call(2_000), null, call(48), call(0)]);
  expect(keepContents([call(2_049)])).toEqual([null]);
});
