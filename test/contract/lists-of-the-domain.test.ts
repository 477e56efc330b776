import { expect, test } from 'vitest';
import { rpcRefusals } from '../../contract/rpc/refusals.ts';
import { managementReasons, sponsorshipReasons } from '../../core/domain/result/refusal.ts';
import { answerOfRefusal } from '../../gateway/management/refusal-answers.ts';

test('every reason to refuse a sponsorship has a code on the RPC endpoint', () => {
  expect(Object.keys(rpcRefusals).sort()).toEqual([...sponsorshipReasons].sort());
});

test('every reason to refuse a management call has an answer', () => {
  expect(managementReasons.filter((reason) => answerOfRefusal(reason) === undefined)).toEqual([]);
});
