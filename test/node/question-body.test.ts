import fc from 'fast-check';
import { expect, test } from 'vitest';
import { questionBody, repeatInQuestions } from '../../core/node/rpc/rpc-answer.ts';
import { repeatsOfRun } from '../support/run/rows-of-run.ts';

const repeated = ['0xc0de', `0x${'ab'.repeat(5_000)}`, 'with "quotes", \\ and ü'];
for (const text of repeated) repeatInQuestions(text);

const textOf = (params: unknown) => String(questionBody({ method: 'eth_call', params }, 7));

test('a question is the same JSON, whatever is in it and however often', () => {
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(...repeated),
      fc.string({ unit: 'binary' }),
      fc.boolean(),
      fc.double({ noDefaultInfinity: true, noNaN: true }),
      fc.constant(null),
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(fc.oneof(fc.string(), fc.constantFrom(...repeated)), tie('tree'), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(tree, (params) => {
      expect(textOf(params)).toBe(JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'eth_call', params }));
    }),
    { numRuns: repeatsOfRun(30, 100) },
  );
});

test('a text that is repeated is not written again', () => {
  const params = [{ code: repeated[1] }, 'latest'];
  expect(questionBody({ method: 'eth_call', params }, 7)).toBeInstanceOf(Buffer);
  expect(textOf(params)).toBe(JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'eth_call', params }));
});
