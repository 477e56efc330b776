import { expect, test } from 'vitest';
import { managementReasons } from '../../core/domain/result/refusal.ts';
import { answerOfRefusal } from '../../gateway/management/answer.ts';

test('every reason to refuse a management call has an answer', () => {
  expect(managementReasons.filter((reason) => answerOfRefusal(reason) === undefined)).toEqual([]);
});
