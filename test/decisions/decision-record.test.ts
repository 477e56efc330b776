import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keepContents } from '../../core/decisions/decided-call.ts';
import {
  type DecisionRecord,
  decodeDecisionRecord,
  encodeDecisionRecord,
} from '../../core/decisions/decision-record.ts';
import { fixActions } from '../../core/domain/decision.ts';

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
    Buffer.of(2, ...packed.reasons.subarray(1)),
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
const step = fc.record(
  {
    rule: fc.string(),
    verdict: fc.constantFrom('passed', 'refused'),
    checked: fc.string(),
    limit: fc.string(),
    used: fc.string(),
    remedy: fc.string(),
    fix,
  },
  { requiredKeys: ['rule', 'verdict', 'checked'] },
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
const anyRecord: fc.Arbitrary<DecisionRecord> = fc.record(
  { message: fc.string(), facts, trace: fc.array(step) },
  { requiredKeys: ['trace'] },
);

test('every record is read as it was written', () => {
  fc.assert(
    fc.property(anyRecord, (record) => {
      expect(decodeDecisionRecord(encodeDecisionRecord(record), 'd')).toEqual(record);
    }),
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
