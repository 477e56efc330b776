import { expect, test } from 'vitest';
import { ruleOnLimit } from '../../core/policies/rules/rule-on-limit.ts';

test.each([
  [1n, 1n, '1 operation is used or held, and this request needs 1 operation more.'],
  [2n, 1n, '2 operations are used or held, and this request needs 1 operation more.'],
  [0n, 3n, '0 operations are used or held, and this request needs 3 operations more.'],
])('the sentence about %i used and %i asked is one of plain English', (used, asked, sentence) => {
  const limit = { per: 'total', window: 'ever', unit: 'operations', max: used } as const;
  const { refusal } = ruleOnLimit({ limit, windowStart: 0, used, asked } as Parameters<typeof ruleOnLimit>[0]);
  expect(refusal?.message).toContain(sentence);
});
